"""A question that the shopper has answered already is not asked: the built-in model's search runs in its place."""

from __future__ import annotations

import re
from dataclasses import replace

from shopping_agent.actions import Clarify, Search
from shopping_agent.model import ActionModel, Decision, DecisionRequest

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


class SecondLook:
    """Asks `first`; a `Clarify` about something that `second` reads in the conversation becomes that search."""

    def __init__(self, first: ActionModel, second: ActionModel) -> None:
        self._first = first
        self.second = second

    @property
    def name(self) -> str:
        return self._first.name

    def decide(self, request: DecisionRequest) -> Decision:
        """One action. Raises what `first` raises."""
        decision = self._first.decide(request)
        if not isinstance(decision.action, Clarify) or decision.fallback:
            return decision
        topics = _topics(decision.action)
        if not topics:
            return decision
        own = self.second.decide(replace(request, max_calls=0)).action
        if isinstance(own, Search) and own.keywords and topics & _stated(own):
            return replace(decision, action=own, repairs=(*decision.repairs, "asked_already"))
        return decision

    def close(self) -> None:
        self._first.close()
