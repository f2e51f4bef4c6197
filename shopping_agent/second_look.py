"""What the built-in model reads in a message and the service's model has missed.

A question that the shopper has answered already, or that cannot be shown, is not asked: what the built-in model reads
runs in its place. A second wish of the same message is kept for later.
"""

from __future__ import annotations

import re
from dataclasses import replace

from search_client.analysis import fold, stem
from shopping_agent.actions import Clarify, Search
from shopping_agent.guard import check_question
from shopping_agent.model import ActionModel, Decision, DecisionRequest
from shopping_agent.questions import first_question

_TOPICS = {
    "color": re.compile(r"\b(?:colou?rs?|farbe|couleurs?|colore?s?)\b", re.IGNORECASE),
    "size": re.compile(r"\b(?:sizes?|größe|groesse|tailles?|pointure|tallas?|taglia)\b", re.IGNORECASE),
    "brand": re.compile(r"\b(?:brands?|marken?|marques?|marcas?)\b", re.IGNORECASE),
    "price": re.compile(r"\b(?:budget|price|spend|preis|prix|presupuesto|precio)\b", re.IGNORECASE),
}


def _topics(action: Clarify) -> set[str]:
    """The facets a question is about, as told or by its words."""
    told = {action.about} if action.about else set()
    return told | {topic for topic, pattern in _TOPICS.items() if pattern.search(action.question)}


def _stated(search: Search) -> set[str]:
    facets = {
        "color": bool(search.colors),
        "size": bool(search.sizes),
        "brand": bool(search.brands),
        "price": search.min_price is not None or search.max_price is not None,
        "category": bool(search.category),
    }
    return {facet for facet, given in facets.items() if given}


# Cheap to rule out: without such a word there is one wish.
_SEVERAL = re.compile(r"\b(?:and|und|et|y|e|plus|also|sowie|aussi|tambi[eé]n)\b|[,;&、，]|和|还有", re.IGNORECASE)


def _words(search: Search) -> frozenset[str]:
    return frozenset(stem(fold(word)) for phrase in search.keywords for word in phrase.split())


def _missed(chosen: Search, own: Decision) -> tuple[Search, ...]:
    """The wishes that `own` reads beside the chosen one; none where the two readings have nothing in common."""
    wishes = [action for action in (own.action, *own.later) if isinstance(action, Search) and action.keywords]
    others = tuple(wish for wish in wishes if not _words(wish) & _words(chosen))
    return others if len(others) < len(wishes) else ()


class SecondLook:
    """Asks `first` and compares with what `second` reads."""

    def __init__(self, first: ActionModel, second: ActionModel) -> None:
        self._first = first
        self.second = second

    @property
    def name(self) -> str:
        return self._first.name

    def decide(self, request: DecisionRequest) -> Decision:
        """One action. Raises what `first` raises."""
        decision = self._first.decide(request)
        if decision.fallback:
            return decision
        if isinstance(decision.action, Search) and not decision.later and _SEVERAL.search(request.user_message):
            own_reading = self.second.decide(replace(request, max_calls=0))
            return replace(decision, later=_missed(decision.action, own_reading))
        if not isinstance(decision.action, Clarify):
            return decision
        unusable = check_question(first_question(decision.action.question)) is None
        topics = _topics(decision.action)
        if not (topics or unusable):
            return decision
        own = self.second.decide(replace(request, max_calls=0)).action
        if unusable:
            # What cannot be asked is no decision: our own question in its place would help nobody who named a wish.
            return replace(decision, action=own, repairs=(*decision.repairs, "no_usable_question"))
        if isinstance(own, Search) and own.keywords and topics & _stated(own):
            return replace(decision, action=own, repairs=(*decision.repairs, "asked_already"))
        return decision

    def close(self) -> None:
        self._first.close()
