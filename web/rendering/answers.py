"""Answers as templates show them: one view a kind of result, the same for a fresh answer and for one shown again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, assert_never

from search_client.models import Product
from shopping_agent.actions import Search
from shopping_agent.results import (
    ActionResult,
    Choice,
    ProductsCompared,
    ProductsFound,
    ProductShown,
    QuestionAsked,
    Quote,
)
from web.refining import MAX_SHOWN, Wish
from web.rendering.cards import Card, ShownCard, card, cards_of
from web.rendering.chips import Chip, chips, wish_label, wish_words
from web.rendering.comparison import Comparison, comparison
from web.rendering.stored import Found, StoredAnswer, StoredFacet, StoredWish
from web.strings import Strings

SUGGESTED_FACETS = 3
SUGGESTED_VALUES = 4
_OWN_FACETS = {"brands", "categories", "colors", "sizes"}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One click that changes the search, and how many products it leads to."""

    label: str
    token: str
    count: int


@dataclass(frozen=True, slots=True)
class SuggestedFacet:
    """Ways to narrow a result down."""

    name: str
    values: tuple[Suggestion, ...]


@dataclass(frozen=True, slots=True)
class UnknownWish:
    """A value the shop does not know, with those nearest to it."""

    text: str
    drop: str
    nearest: tuple[Suggestion, ...]


@dataclass(frozen=True, slots=True)
class ResultsView:
    """Products found, or what emptied the result."""

    kind: ClassVar[str] = "results"

    search: Search
    lead: str
    chips: tuple[Chip, ...]
    cards: tuple[Card, ...]
    total: int
    facets: tuple[SuggestedFacet, ...] = ()
    relaxations: tuple[Suggestion, ...] = ()
    corrections: tuple[str, ...] = ()
    unknown: tuple[UnknownWish, ...] = ()
    stale: bool = False
    options: Mapping[str, tuple[str, ...]] | None = None
    """Values to choose from in the panel, by field."""

    @property
    def more(self) -> bool:
        """Whether another page can be shown below."""
        return len(self.cards) < min(self.total, MAX_SHOWN)


@dataclass(frozen=True, slots=True)
class ProductView:
    """One product, and what its record says about what was asked."""

    kind: ClassVar[str] = "product"

    card: Card
    product: Product
    aspect: str | None
    quotes: tuple[Quote, ...]
    alternatives: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question back, with quick replies."""

    kind: ClassVar[str] = "question"

    question: str
    choices: tuple[Choice, ...]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class GoneView:
    """What was shown is no longer in the shop."""

    kind: ClassVar[str] = "gone"

    cards: tuple[Card, ...]


AnswerView = ResultsView | ProductView | Comparison | QuestionView | GoneView


def results_view(
    stored: StoredAnswer, products: Mapping[str, Product], t: Strings, *, currency: str | None
) -> ResultsView:
    """A search's answer with the facts of `products` (id → today's record; a missing one is gone)."""
    search, found = stored.action, stored.found
    if not isinstance(search, Search) or found is None:
        raise ValueError("only the answer to a search has results")
    cards = tuple(
        card(products.get(shown.id), shown, position=position, t=t)
        for position, shown in enumerate(stored.cards, start=1)
    )
    currency = currency or next((shown.currency for shown in stored.cards if shown.currency), None)
    return ResultsView(
        search=search,
        lead=_lead(search, found, t, currency=currency, shown=len(cards)),
        chips=chips(search, t, currency=currency),
        cards=cards,
        total=found.total,
        facets=_suggested(search, found, t),
        relaxations=tuple(_relaxation(wish, t, currency=currency) for wish in found.relaxations),
        corrections=tuple(t("corrected", typed=typed, used=used) for typed, used in found.corrections),
        unknown=tuple(_unknown(wish, t) for wish in found.unknown),
        stale=found.stale,
        options=_options(search, found),
    )


def _lead(search: Search, found: Found, t: Strings, *, currency: str | None, shown: int) -> str:
    wish = wish_words(search, t, currency=currency)
    if not found.total:
        return t("lead.nothing", wish=wish)
    if found.relaxed:
        return t("lead.closest", count=found.total, wish=wish)
    return t("lead.found", count=found.total, wish=wish)


def _suggested(search: Search, found: Found, t: Strings) -> tuple[SuggestedFacet, ...]:
    """Facets that split the result and are not yet part of the wish."""
    taken = {
        "brands": bool(search.brands),
        "categories": bool(search.category),
        "colors": bool(search.colors),
        "sizes": bool(search.sizes),
    } | dict.fromkeys(search.attributes, True)
    suggested: list[SuggestedFacet] = []
    for facet in found.facets:
        if taken.get(facet.name.removeprefix("attributes:")) or len(suggested) == SUGGESTED_FACETS:
            continue
        narrowing = [each for each in facet.values if each[1] < found.total and " > " not in each[0]][:SUGGESTED_VALUES]
        if len(narrowing) > 1:
            name = _field(facet.name)
            values = tuple(Suggestion(value, Wish(name, value).token, count) for value, count in narrowing)
            suggested.append(SuggestedFacet(facet_name(facet, t), values))
    return tuple(suggested)


def _field(facet_name: str) -> str:
    return (
        facet_name if facet_name in _OWN_FACETS or facet_name.startswith("attributes:") else f"attributes:{facet_name}"
    )


def facet_name(facet: StoredFacet, t: Strings) -> str:
    """A facet's name in words."""
    return t.known(f"facet.{facet.name}", facet.name.removeprefix("attributes:"))


def _relaxation(wish: StoredWish, t: Strings, *, currency: str | None) -> Suggestion:
    dropped = Wish(wish.field, wish.value)
    return Suggestion(wish_label(dropped, t, currency=currency), dropped.token, wish.total)


def _unknown(wish: StoredWish, t: Strings) -> UnknownWish:
    name = t.known(f"facet.{wish.field}", wish.field.removeprefix("attributes:"))
    return UnknownWish(
        text=t("unknown", name=name, value=wish.value),
        drop=Wish(wish.field, wish.value).token,
        nearest=tuple(Suggestion(value, Wish(wish.field, value).token, 0) for value in wish.nearest),
    )


def _options(search: Search, found: Found) -> Mapping[str, tuple[str, ...]]:
    """Values for the panel's choices: what is chosen first, then what the result offers."""
    facets = {facet.name: tuple(value for value, _ in facet.values if " > " not in value) for facet in found.facets}
    chosen = {
        "brands": search.brands,
        "colors": search.colors,
        "sizes": search.sizes,
        "categories": [search.category] if search.category else [],
    }
    options = {name: tuple(dict.fromkeys([*values, *facets.get(name, ())])) for name, values in chosen.items()}
    return options | {"sizes": tuple(sorted(options["sizes"], key=_by_size))}


_LETTERS = {"XXS": 0, "XS": 1, "S": 2, "M": 3, "L": 4, "XL": 5, "XXL": 6, "2XL": 6, "3XL": 7, "XXXL": 7, "4XL": 8}


def _by_size(size: str) -> tuple[float, str]:
    """Small before large: letters by the usual scale, numbers by value, everything else by name at the end."""
    number = re.match(r"\d+(?:[.,]\d+)?", size)
    if size.upper() in _LETTERS:
        return _LETTERS[size.upper()], size
    return (100 + float(number[0].replace(",", ".")) if number else float("inf")), size


def product_view(result: ProductShown, shown: ShownCard | None, t: Strings) -> ProductView:
    """One product as it is now; `shown`: as it was shown before."""
    return ProductView(
        card=card(result.product, shown or ShownCard.of(result.product), position=1, t=t),
        product=result.product,
        aspect=result.aspect,
        quotes=result.quotes,
        alternatives=cards_of(result.alternatives, t),
    )


def view(stored: StoredAnswer, result: ActionResult, t: Strings, *, currency: str | None = None) -> AnswerView:
    """The view of a fresh result that was kept as `stored`."""
    match result:
        case ProductsFound(results=results):
            products = {product.id: product for product in results.products}
            return results_view(stored, products, t, currency=currency)
        case ProductShown():
            return product_view(result, stored.cards[0] if stored.cards else None, t)
        case ProductsCompared():
            return comparison(result, stored.cards, t)
        case QuestionAsked():
            candidates = tuple(
                card(product, ShownCard.of(product), position=position, t=t)
                for position, product in enumerate(result.candidates, start=1)
            )
            return QuestionView(question_words(result.question, t), result.choices, candidates)
        case _:
            assert_never(result)


def question_words(question: str, t: Strings) -> str:
    """Our own questions in the shopper's language; a model's question as it is."""
    return t.known(f"question.{question}", question)
