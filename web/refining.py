"""A shopper's click on a filter, as the search it makes of the one before. Pure; no model is asked."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from werkzeug.datastructures import MultiDict

from shopping_agent.actions import MAX_KEYWORDS, Search
from web.query import query

PAGE_SIZE = 8
MAX_SHOWN = 48  # six pages in one answer; beyond that a narrower wish serves better than more scrolling
_FLAGS = {"in_stock", "on_sale"}
_EMPTY: dict[str, Any] = {
    "price": {"min_price": None, "max_price": None},
    "min_price": {"min_price": None},
    "max_price": {"max_price": None},
    "min_rating": {"min_rating": None},
    "in_stock": {"in_stock": False},
    "on_sale": {"on_sale": False},
    "sort": {"sort": "relevance"},
    "category": {"category": None},
    "categories": {"category": None},
}


@dataclass(frozen=True, slots=True)
class Wish:
    """One condition of a search: `field` as in `Relaxation.field`."""

    field: str
    value: str

    @property
    def token(self) -> str:
        """As a form's button carries it."""
        return query([(self.field, self.value)])

    @classmethod
    def parse(cls, token: str) -> Wish | None:
        """The wish of a button, or None where it is none of ours."""
        pairs = parse_qsl(token, keep_blank_values=True)
        return cls(*pairs[0]) if len(pairs) == 1 else None


def without(search: Search, wish: Wish) -> Search:
    """The same search without one of its conditions."""
    name = wish.field.removeprefix("attributes:")
    if name != wish.field:
        rest = [value for value in search.attributes.get(name, ()) if value != wish.value]
        others = {key: values for key, values in search.attributes.items() if key != name}
        return _changed(search, attributes=others | ({name: rest} if rest else {}))
    if wish.field in (lists := _lists(search)):
        return _changed(search, **{wish.field: [value for value in lists[wish.field] if value != wish.value]})
    return _changed(search, **_EMPTY.get(wish.field, {}))


def having(search: Search, wish: Wish) -> Search:
    """The same search with one more condition, as a facet offers it."""
    if wish.field in ("categories", "category"):
        return _changed(search, category=wish.value)
    if wish.field in (lists := _lists(search)):
        return _changed(search, **{wish.field: list(dict.fromkeys([*lists[wish.field], wish.value]))})
    if wish.field in _FLAGS:
        return _changed(search, **{wish.field: True})
    name = wish.field.removeprefix("attributes:")
    values = search.attributes.get(name, [])
    return _changed(search, attributes=search.attributes | {name: list(dict.fromkeys([*values, wish.value]))})


def more(search: Search) -> Search:
    """The same search with one more page of products below."""
    return search.model_copy(update={"limit": min(search.limit + PAGE_SIZE, MAX_SHOWN)})


def edited(search: Search, form: MultiDict[str, str]) -> Search:
    """The search as the panel of filters states it."""
    low, high = _number(form.get("min_price", "")), _number(form.get("max_price", ""))
    if low is not None and high is not None:
        low, high = sorted((low, high))
    sort = form.get("sort", "relevance")
    return Search(
        keywords=_words(form.get("keywords", "")),
        exclude=_words(form.get("exclude", "")),
        min_price=low,
        max_price=high,
        min_rating=_number(form.get("min_rating", "")),
        brands=form.getlist("brands"),
        colors=form.getlist("colors"),
        sizes=form.getlist("sizes"),
        category=form.get("category", "") or None,
        attributes=search.attributes,
        in_stock="in_stock" in form,
        on_sale="on_sale" in form,
        sort=sort if sort in SORTS else "relevance",  # type: ignore[arg-type]
    )


SORTS = ("relevance", "price_asc", "price_desc", "rating", "newest")


def refine(search: Search, form: MultiDict[str, str]) -> Search:
    """The search that a posted form asks for; the same one where it asks for nothing we know."""
    if "more" in form:
        return more(search)
    if "edit" in form:
        return edited(search, form)
    changes: tuple[tuple[str, Callable[[Search, Wish], Search]], ...] = (("drop", without), ("add", having))
    for button, change in changes:
        for token in form.getlist(button):
            wish = Wish.parse(token)
            search = change(search, wish) if wish else search
    return search


def _lists(search: Search) -> dict[str, list[str]]:
    """The conditions that hold several values, by field."""
    return {
        "keywords": search.keywords,
        "exclude": search.exclude,
        "brands": search.brands,
        "colors": search.colors,
        "sizes": search.sizes,
    }


def _changed(search: Search, **values: Any) -> Search:
    return search.model_copy(update={"offset": 0, "limit": PAGE_SIZE} | values)


def _words(text: str) -> list[str]:
    """Words or phrases between commas; without a comma, the words."""
    parts = text.split(",") if "," in text else text.split()
    return [part for part in (" ".join(part.split()) for part in parts) if part][:MAX_KEYWORDS]


def _number(text: str) -> float | None:
    """A number of a form field, decimal comma or point; None where it is empty or no number."""
    try:
        number = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
