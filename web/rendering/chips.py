"""What was understood, as chips above the cards: each can be removed or edited without asking a model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shopping_agent.actions import Search
from web.refining import Wish
from web.strings import Strings


@dataclass(frozen=True, slots=True)
class Chip:
    """One condition in words."""

    label: str
    token: str
    """What its remove button sends."""
    part: str
    """Field of the panel in which it is edited."""


def chips(search: Search, t: Strings, *, currency: str | None) -> tuple[Chip, ...]:
    """All conditions of a search, the words first."""
    return tuple(_chips(search, t, currency))


def _chips(search: Search, t: Strings, currency: str | None) -> Iterator[Chip]:
    for word in search.keywords:
        yield _chip("keywords", word, word, part="words")
    if search.category:
        yield _chip("category", search.category, search.category.split(" > ")[-1], part="category")
    if price := price_words(search, t, currency=currency):
        yield _chip("price", "", price, part="price")
    for field, values, part in (
        ("brands", search.brands, "brands"),
        ("colors", search.colors, "colors"),
        ("sizes", search.sizes, "sizes"),
    ):
        for value in values:
            yield _chip(field, value, t("chip.size", value=value) if field == "sizes" else value, part=part)
    for name, values in search.attributes.items():
        for value in values:
            yield _chip(f"attributes:{name}", value, f"{name}: {value}", part="words")
    for word in search.exclude:
        yield _chip("exclude", word, t("chip.exclude", value=word), part="exclude")
    yield from _flags(search, t)


def _flags(search: Search, t: Strings) -> Iterator[Chip]:
    if search.min_rating is not None:
        yield _chip("min_rating", "", t("chip.min_rating", value=search.min_rating), part="rating")
    if search.in_stock:
        yield _chip("in_stock", "", t("chip.in_stock"), part="stock")
    if search.on_sale:
        yield _chip("on_sale", "", t("chip.on_sale"), part="stock")
    if search.sort != "relevance":
        yield _chip("sort", "", t(f"sort.{search.sort}"), part="sort")


def _chip(field: str, value: str, label: str, *, part: str) -> Chip:
    return Chip(label, Wish(field, value).token, part)


def price_words(search: Search, t: Strings, *, currency: str | None) -> str:
    """The price condition in words: “under $100”; empty where there is none."""
    low, high = search.min_price, search.max_price
    if low is not None and high is not None:
        return t("chip.price_between", low=t.amount(low, currency), high=t.amount(high, currency))
    if high is not None:
        return t("chip.price_below", high=t.amount(high, currency))
    return t("chip.price_above", low=t.amount(low, currency)) if low is not None else ""


def wish_words(search: Search, t: Strings, *, currency: str | None) -> str:
    """The whole wish as one phrase: “trail shoes · under $100”."""
    labels = [" ".join(search.keywords), *(c.label for c in _chips(search, t, currency) if c.part != "words")]
    return " · ".join(t.apart(label) for label in labels if label) or t("wish.everything")


def wish_label(wish: Wish, t: Strings, *, currency: str | None) -> str:
    """One condition in words, as a relaxation names it."""
    match wish.field:
        case "min_price":
            return price_words(Search(keywords=[], min_price=_float(wish.value)), t, currency=currency)
        case "max_price":
            return price_words(Search(keywords=[], max_price=_float(wish.value)), t, currency=currency)
        case "min_rating":
            return t("chip.min_rating", value=_float(wish.value) or wish.value)
        case "in_stock" | "on_sale":
            return t(f"chip.{wish.field}")
        case "exclude":
            return t("chip.exclude", value=wish.value)
        case "sizes":
            return t("chip.size", value=wish.value)
        case _:
            return wish.value.split(" > ")[-1]


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
