"""The JSON contract of a product search service: a query as URL parameters, answers as objects.

A query's parameters are the fields of `SearchQuery` and `Filters` by name; a field of several values is repeated, an
attribute is `attributes.NAME=VALUE`. Unknown parameters and fields are ignored, missing ones are named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import TypeVar

from search_client.codec import JsonObject, product_from_json, product_to_json
from search_client.errors import InvalidQueryError, InvalidRecordError
from search_client.models import (
    Correction,
    Facet,
    FacetValue,
    Filters,
    Hit,
    MatchReason,
    Relaxation,
    SearchQuery,
    SearchResults,
    Sort,
    UnknownValue,
    Vocabulary,
)

T = TypeVar("T")
Pairs = list[tuple[str, str]]

ERROR_CODES = ("invalid_query", "not_found", "unauthorized", "catalog_error", "unavailable", "timeout", "rate_limited")
"""What `error.code` of a refused request may say."""
MAX_VALUES = 100
MAX_VALUE_CHARS = 4_000
_DEFAULT = SearchQuery()
_ATTRIBUTE = "attributes."
_TRUE, _FALSE = {"true", "1", "yes"}, {"false", "0", "no", ""}


def query_to_params(query: SearchQuery) -> Pairs:
    """The query as URL parameters; fields that say nothing are left out."""
    filters = query.filters
    params: Pairs = [("keywords", word) for word in query.keywords] + [("exclude", word) for word in query.exclude]
    for name in ("brands", "categories", "colors", "sizes"):
        params += [(name, value) for value in getattr(filters, name)]
    params += [(_ATTRIBUTE + name, value) for name, value in filters.attributes]
    for name in ("min_price", "max_price", "min_rating"):
        value = getattr(filters, name)
        if value is not None:
            params.append((name, repr(float(value))))
    if filters.currency is not None:
        params.append(("currency", filters.currency))
    params += [(name, "true") for name in ("in_stock", "on_sale") if getattr(filters, name)]
    params += [("fill", "true")] if query.fill else []
    return [*params, ("sort", query.sort.value), ("limit", str(query.limit)), ("offset", str(query.offset))]


def query_from_params(params: Iterable[tuple[str, str]]) -> SearchQuery:
    """The query that URL parameters ask for. Raises `InvalidQueryError` naming the parameter and its value."""
    values: dict[str, list[str]] = {}
    attributes: list[tuple[str, str]] = []
    for count, (name, value) in enumerate(params):
        if count >= MAX_VALUES or len(value) > MAX_VALUE_CHARS:
            raise InvalidQueryError(f"{name}: at most {MAX_VALUES} parameters of {MAX_VALUE_CHARS:,} characters each.")
        if name.startswith(_ATTRIBUTE):
            attributes.append((name.removeprefix(_ATTRIBUTE), value))
        else:
            values.setdefault(name, []).append(value)
    one = _One(values)
    return SearchQuery(
        keywords=tuple(values.get("keywords", ())),
        exclude=tuple(values.get("exclude", ())),
        filters=Filters(
            min_price=one.number("min_price"),
            max_price=one.number("max_price"),
            currency=one.text("currency"),
            brands=tuple(values.get("brands", ())),
            categories=tuple(values.get("categories", ())),
            colors=tuple(values.get("colors", ())),
            sizes=tuple(values.get("sizes", ())),
            attributes=tuple(attributes),
            min_rating=one.number("min_rating"),
            in_stock=one.flag("in_stock"),
            on_sale=one.flag("on_sale"),
        ),
        sort=one.sort(),
        limit=one.integer("limit", _DEFAULT.limit),
        offset=one.integer("offset", _DEFAULT.offset),
        fill=one.flag("fill"),
    )


class _One:
    """Parameters that stand once."""

    def __init__(self, values: Mapping[str, list[str]]) -> None:
        self._values = values

    def text(self, name: str) -> str | None:
        found = self._values.get(name) or [""]
        if len(found) > 1:
            raise InvalidQueryError(f"{name} is given {len(found)} times; give it once.")
        return found[0] or None

    def number(self, name: str) -> float | None:
        text = self.text(name)
        if text is None:
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InvalidQueryError(f"{name}: {text!r} is not a number such as 19.99.")
        return value

    def integer(self, name: str, default: int) -> int:
        text = self.text(name)
        if text is None:
            return default
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            raise InvalidQueryError(f"{name}: {text!r} is not a whole number.")
        return int(text)

    def flag(self, name: str) -> bool:
        text = self.text(name) or ""
        if text.lower() not in _TRUE | _FALSE:
            raise InvalidQueryError(f"{name}: {text!r} is neither true nor false.")
        return text.lower() in _TRUE

    def sort(self) -> Sort:
        text = self.text("sort") or Sort.RELEVANCE
        try:
            return Sort(text)
        except ValueError as error:
            raise InvalidQueryError(f"sort: {text!r} is not one of {', '.join(Sort)}.") from error


def results_to_json(results: SearchResults) -> JsonObject:
    """The answer to `GET /api/products`."""
    return {
        "total": results.total,
        "hits": hits_to_json(results.hits),
        "facets": [_facet_to_json(facet) for facet in results.facets],
        "corrections": [asdict(correction) for correction in results.corrections],
        "unknown": [asdict(unknown) for unknown in results.unknown],
        "relaxed": results.relaxed,
        "relaxations": [
            {"field": each.field, "value": each.value, "total": each.total, "query": query_to_params(each.query)}
            for each in results.relaxations
        ],
        "stale": results.stale,
    }


def results_from_json(data: object, query: SearchQuery) -> SearchResults:
    """Reads an answer to `query`. Raises `InvalidRecordError` naming what is missing or wrong."""
    record = _object(data, "answer")
    return SearchResults(
        query=query,
        hits=hits_from_json(data),
        total=_count(record, "total"),
        facets=_each(record, "facets", _facet),
        corrections=_each(record, "corrections", lambda each: Correction(_text(each, "typed"), _text(each, "used"))),
        unknown=_each(
            record,
            "unknown",
            lambda each: UnknownValue(_text(each, "field"), _text(each, "value"), _texts(each, "nearest")),
        ),
        relaxed=record.get("relaxed") is True,
        relaxations=_each(record, "relaxations", _relaxation),
        stale=record.get("stale") is True,
    )


def hits_to_json(hits: Iterable[Hit]) -> list[JsonObject]:
    return [
        {
            "product": product_to_json(hit.product),
            "score": hit.score,
            "why": {name: list(values) for name, values in asdict(hit.why).items() if values},
        }
        for hit in hits
    ]


def hits_from_json(data: object) -> tuple[Hit, ...]:
    """Reads `{"hits": […]}`. Raises `InvalidRecordError`."""
    record = _object(data, "answer")
    if record.get("hits") is None:
        raise InvalidRecordError("hits is missing.")
    return _each(record, "hits", _hit)


def vocabulary_to_json(vocabulary: Vocabulary) -> JsonObject:
    """The answer to `GET /api/vocabulary`."""
    return {
        "revision": vocabulary.revision,
        "product_count": vocabulary.product_count,
        "currency": vocabulary.currency,
        **{name: _values_to_json(getattr(vocabulary, name)) for name in _VALUE_LISTS},
        "attributes": [_facet_to_json(facet) for facet in vocabulary.attributes],
    }


def vocabulary_from_json(data: object) -> Vocabulary:
    """Reads a vocabulary. Raises `InvalidRecordError`."""
    record = _object(data, "vocabulary")
    currency = record.get("currency")
    return Vocabulary(
        revision=_count(record, "revision"),
        product_count=_count(record, "product_count"),
        currency=currency if isinstance(currency, str) else None,
        brands=_each(record, "brands", _facet_value),
        categories=_each(record, "categories", _facet_value),
        colors=_each(record, "colors", _facet_value),
        sizes=_each(record, "sizes", _facet_value),
        attributes=_each(record, "attributes", _facet),
        terms=_each(record, "terms", _facet_value),
    )


_VALUE_LISTS = ("brands", "categories", "colors", "sizes", "terms")


def _values_to_json(values: Iterable[FacetValue]) -> list[JsonObject]:
    return [{"value": each.value, "count": each.count} for each in values]


def _facet_to_json(facet: Facet) -> JsonObject:
    return {"name": facet.name, "values": _values_to_json(facet.values)}


def _facet(record: Mapping[str, object]) -> Facet:
    return Facet(_text(record, "name"), _each(record, "values", _facet_value))


def _facet_value(record: Mapping[str, object]) -> FacetValue:
    return FacetValue(_text(record, "value"), _count(record, "count"))


def _hit(record: Mapping[str, object]) -> Hit:
    if record.get("product") is None:
        raise InvalidRecordError("product is missing.")
    score = record.get("score")
    why = record.get("why")
    reasons = _object(why, "why") if why is not None else {}
    return Hit(
        product=product_from_json(record["product"]),
        score=float(score) if isinstance(score, int | float) else 0.0,
        why=MatchReason(**{name: _texts(reasons, name) for name in ("words", "missing", "fields", "filters")}),
    )


def _relaxation(record: Mapping[str, object]) -> Relaxation:
    pairs = record.get("query")
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise InvalidRecordError('query: expected pairs such as ["keywords", "mug"].')
    try:
        query = query_from_params((str(name), str(value)) for name, value in pairs)
    except InvalidQueryError as error:
        raise InvalidRecordError(f"query: {error}") from error
    return Relaxation(_text(record, "field"), _text(record, "value"), query, _count(record, "total"))


def _object(value: object, field: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise InvalidRecordError(f"{field}: {str(value)[:80]!r} is not a JSON object.")
    return value


def _each(record: Mapping[str, object], name: str, read: Callable[[Mapping[str, object]], T]) -> tuple[T, ...]:
    entries = record.get(name)
    if entries is None:
        return ()
    if not isinstance(entries, list):
        raise InvalidRecordError(f"{name}: {str(entries)[:80]!r} is not a list.")
    try:
        return tuple(read(_object(entry, "entry")) for entry in entries)
    except InvalidRecordError as error:
        raise InvalidRecordError(f"{name}: {error}") from error


def _text(record: Mapping[str, object], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise InvalidRecordError(f"{name} is missing." if value is None else f"{name}: {value!r} is not text.")
    return value


def _texts(record: Mapping[str, object], name: str) -> tuple[str, ...]:
    values = record.get(name)
    return tuple(value for value in values if isinstance(value, str)) if isinstance(values, list) else ()


def _count(record: Mapping[str, object], name: str) -> int:
    value = record.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidRecordError(f"{name} is missing." if value is None else f"{name}: {value!r} is not a count.")
    return value
