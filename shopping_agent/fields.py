"""The fields of one action under whatever names and shapes they arrive, as the action's class takes them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from shopping_agent import lenient

MAX_RATING = 5.0
MAX_OFFSET = 10_000
MAX_LIMIT = 100

_SEARCH_NAMES = {
    "keywords": ("keyword", "query", "q", "search", "search_query", "search_terms", "terms", "text", "words", "input"),
    "min_price": ("price_min", "min", "price_from", "from_price", "minimum_price", "lowest_price"),
    "max_price": ("price_max", "max", "price_to", "to_price", "maximum_price", "budget", "price_limit", "price"),
    "brands": ("brand", "brand_name", "manufacturer", "vendor"),
    "category": ("categories", "product_type", "type", "department"),
    "colors": ("color", "colour", "colours"),
    "sizes": ("size",),
    "min_rating": ("rating", "rating_min", "stars", "minimum_rating"),
    "in_stock": ("instock", "available", "availability", "only_in_stock"),
    "on_sale": ("sale", "discounted"),
    "exclude": ("excluded", "exclusions", "without", "not", "exclude_keywords", "negative"),
    "sort": ("sort_by", "order", "order_by", "sorting"),
}
_SEARCH_ARGUMENTS = frozenset(name for field, names in _SEARCH_NAMES.items() for name in (field, *names))
_DETAILS_NAMES = {
    "product_id": (
        "id",
        "product",
        "item_id",
        "item",
        "product_name",
        "name",
        "sku",
        "position",
        "ordinal",
        "reference",
    ),
    "aspect": ("attribute", "question", "about", "field", "topic"),
    "compare_with": ("compare", "compare_to", "compare_ids", "others", "other_ids", "product_ids", "ids"),
}
_CLARIFY_NAMES = {
    "question": ("text", "message", "content", "prompt", "clarification", "query", "response", "answer"),
    "about": ("facet", "field", "topic", "attribute"),
}
# Asked about “everything”, or a field name as small models fill it in: the whole record is the answer.
_WHOLE = frozenset(
    [
        "about",
        "details",
        "detail",
        "information",
        "info",
        "more",
        "everything",
        "all",
        "general",
        "overview",
        "product_id",
        "id",
        "product",
        "aspect",
    ]
)
_FACETS = {"colour": "color", "colors": "color", "brands": "brand", "categories": "category", "sizes": "size"}
_FACETS |= {"budget": "price", "product": "category", "type": "category"}
_SORTS = (
    ("newest", ("new", "latest", "recent")),
    ("rating", ("rating", "rated", "review", "best", "popular", "stars")),
    ("price_desc", ("desc", "high_to_low", "expensive", "highest")),
    ("price_asc", ("asc", "low_to_high", "cheap", "lowest", "price")),
)


def _snake(name: str) -> str:
    """`maxPrice`, `max-price` and `Max price` as `max_price`."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[\s\-.]+", "_", spaced).casefold()


def _renamed(data: Mapping[str, Any], names: Mapping[str, Iterable[str]]) -> dict[str, Any]:
    """`data` with each field under its own name; the field's own name wins over another name for it."""
    if data.keys() <= names.keys():
        return dict(data)
    by_name = {_snake(str(key)): value for key, value in data.items()}
    for nest in ("filters", "filter", "constraints", "parameters", "arguments"):
        if isinstance(nested := by_name.get(nest), Mapping):
            by_name = {**{_snake(str(key)): value for key, value in nested.items()}, **by_name}
    found = {field: by_name[field] for field in names if field in by_name}
    for field, others in names.items():
        if lenient.text(found.get(field)) is None and not found.get(field):
            given = next((by_name[other] for other in others if by_name.get(other) not in (None, "", [], {})), None)
            found |= {field: given} if given is not None else {}
    return {**{key: value for key, value in by_name.items() if key not in found}, **found}


def _price_range(data: dict[str, Any]) -> None:
    """`{"price": {"min": 20, "max": 50}}` and `"20-50"` become the two bounds."""
    for name in ("max_price", "price_range", "min_price"):
        given = data.get(name)
        if isinstance(given, Mapping):
            low, high = (
                next((given[k] for k in keys if k in given), None)
                for keys in (("min", "from", "gte"), ("max", "to", "lte"))
            )
        elif isinstance(given, (list, tuple)) and len(given) == 2:
            low, high = given
        elif isinstance(given, str) and (
            match := re.fullmatch(r"\D{0,3}([\d.,]+)\D{0,5}[-–—]\D{0,3}([\d.,]+)\D{0,5}", given)
        ):
            low, high = match.groups()
        else:
            continue
        data.pop(name)
        data["min_price"] = data.get("min_price") if name != "min_price" and data.get("min_price") else low
        data["max_price"] = data.get("max_price") if data.get("max_price") else high


def _sort(value: Any) -> str:
    wished = _snake(lenient.text(value) or "")
    if wished in ("relevance", "price_asc", "price_desc", "rating", "newest"):
        return wished
    return next((sort for sort, words in _SORTS if any(word in wished for word in words)), "relevance")


def _in_stock(value: Any) -> bool:
    return lenient.flag(value) or _snake(str(value)) in ("in_stock", "instock", "available", "only_in_stock")


def _attributes(value: Any) -> dict[str, list[str]]:
    if not isinstance(value, Mapping):
        return {}
    pairs = ((lenient.text(name), lenient.texts(values)) for name, values in list(value.items())[:MAX_LIMIT])
    return {name: values for name, values in pairs if name and values}


def _within(value: Any, low: int, high: int, *, default: int) -> int:
    amount = lenient.number(value)
    return default if amount is None else int(min(max(amount, low), high))


def is_search_argument(name: str) -> bool:
    """Whether `search_fields` looks for something under this name."""
    return _snake(name) in _SEARCH_ARGUMENTS or _snake(name) == "attributes"


def search_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """What `Search` takes: bounded, finite; a price of 0 and every word for “none” mean no condition."""
    data = _renamed(given, _SEARCH_NAMES)
    _price_range(data)
    low, high = lenient.number(data.get("min_price")) or None, lenient.number(data.get("max_price")) or None
    if low is not None and high is not None and low > high:
        low, high = high, low
    rating = lenient.number(data.get("min_rating")) or None
    categories = (
        lenient.texts(data.get("category")) if not isinstance(data.get("category"), str) else [data["category"]]
    )
    return {
        "kind": "search",
        "keywords": lenient.texts(data.get("keywords")),
        "min_price": low,
        "max_price": high,
        "brands": lenient.texts(data.get("brands")),
        "category": lenient.text(categories[0]) if categories else None,
        "colors": lenient.texts(data.get("colors")),
        "sizes": lenient.texts(data.get("sizes")),
        "attributes": _attributes(data.get("attributes")),
        "min_rating": rating if rating is None else min(rating, MAX_RATING),
        "in_stock": _in_stock(data.get("in_stock", False)),
        "on_sale": lenient.flag(data.get("on_sale", False)),
        "exclude": lenient.texts(data.get("exclude")),
        "sort": _sort(data.get("sort")),
        "offset": _within(data.get("offset"), 0, MAX_OFFSET, default=0),
        "limit": _within(data.get("limit"), 1, MAX_LIMIT, default=8),
    }


def details_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """What `GetProductDetails` takes; several ids under one name are one product and those to compare it with."""
    data = _renamed(given, _DETAILS_NAMES)
    several = lenient.references(data.get("product_id"))
    first = lenient.reference(data.get("product_id"))
    others = lenient.references(data.get("compare_with"))
    if isinstance(data.get("product_id"), (list, tuple)):
        others = several[1:] + others
    if not first and others:
        first, others = others[0], others[1:]
    aspect = lenient.text(data.get("aspect"))
    return {
        "kind": "details",
        "product_id": first,
        "aspect": None if aspect is None or aspect.casefold() in _WHOLE else aspect,
        "compare_with": [other for other in dict.fromkeys(others) if other != first],
    }


def clarify_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """What `Clarify` takes; a facet under any usual name is the facet."""
    data = _renamed(given, _CLARIFY_NAMES)
    about = _snake(lenient.text(data.get("about")) or "")
    question = data.get("question")
    return {
        "kind": "clarify",
        "question": lenient.clean_line(str(question)[:2000]) if isinstance(question, str) else "",
        "about": _FACETS.get(about, about) or None,
        "candidates": lenient.references(data.get("candidates")),
    }
