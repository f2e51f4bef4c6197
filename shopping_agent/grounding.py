"""What a model may repeat to a shopper: no number, price or link that neither the shopper nor the catalog has said.

Keywords, filter values and the aspect asked about are shown again beside the results, so they are bound like answers.
"""

from __future__ import annotations

import re

from search_client.models import Vocabulary
from shopping_agent.actions import Action, GetProductDetails, Search
from shopping_agent.model import DecisionRequest

_CHECKED = re.compile(r"[\d@<>{}\\$€£¥₹%]|://|www\.|\w\.\w")
_WORD = re.compile(r"[^\W_]+")


def grounded(action: Action, request: DecisionRequest) -> Action:
    """The same action without such tokens in what is shown again. Typed numbers (prices, ratings) stay: they filter."""
    match action:
        case Search():
            lists = ("keywords", "brands", "colors", "sizes", "exclude")
            kept = {name: _kept(getattr(action, name), request) for name in lists}
            category = _kept([action.category], request) if action.category else []
            update = {**kept, "category": category[0] if category else None}
            changed = {name: value for name, value in update.items() if value != getattr(action, name)}
            return action.model_copy(update=changed) if changed else action
        case GetProductDetails(aspect=str(aspect)):
            kept_aspect = _kept([aspect], request)
            return action.model_copy(update={"aspect": kept_aspect[0] if kept_aspect else None})
        case _:
            return action


def _kept(values: list[str], request: DecisionRequest) -> list[str]:
    if not any(_CHECKED.search(value) for value in values):
        return values
    return [kept for value in values if (kept := _without_unsaid(value, request))]


def _without_unsaid(value: str, request: DecisionRequest) -> str:
    if not _CHECKED.search(value):
        return value
    return " ".join(token for token in value.split() if not _CHECKED.search(token) or _is_said(token, request))


def _is_said(token: str, request: DecisionRequest) -> bool:
    folded = token.casefold()
    if folded in request.user_message.casefold():
        return True
    if any(folded in turn.text.casefold() for turn in request.conversation.turns if turn.role == "user"):
        return True
    listed = (*request.conversation.ever_shown.values(), *request.found)
    shown = (product.title.casefold() for product in listed)
    words = {word.casefold() for word in _WORD.findall(token)}
    return any(folded in title for title in shown) or (bool(words) and words <= _catalog_words(request.vocabulary))


def _catalog_words(vocabulary: Vocabulary) -> frozenset[str]:
    """Every word of the vocabulary's values and terms, worked out once a revision."""
    global _known
    known = _known
    if known is None or known[0] is not vocabulary:
        facets = (vocabulary.brands, vocabulary.categories, vocabulary.colors, vocabulary.sizes, vocabulary.terms)
        values = [value.value for facet in (*facets, *(f.values for f in vocabulary.attributes)) for value in facet]
        known = (vocabulary, frozenset(word.casefold() for value in values for word in _WORD.findall(value)))
        _known = known
    return known[1]


# By identity: to hash a vocabulary costs more than the look-up it saves.
_known: tuple[Vocabulary, frozenset[str]] | None = None
