"""What a client's model sends, read as what it means; what could not be used is told, never silently dropped. Pure."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from search_client.bounds import MAX_ID_CHARS
from search_client.models import SearchQuery
from shopping_agent import lenient
from shopping_agent.actions import Search
from shopping_agent.fields import is_search_argument
from shopping_agent.mcp_server.definitions import MAX_COMPARED, MAX_LISTED, ToolDefinition

MAX_QUERY_CHARS = 500
MAX_ASPECT_CHARS = 120
MAX_SHOWN_CHARS = 60  # of a value that is quoted back
_QUERY_NAMES = ("query", "q", "keywords", "keyword", "search", "search_query", "search_terms", "text", "input")
_ID_NAMES = ("product_id", "id", "product", "productId", "item_id")
_IDS_NAMES = ("product_ids", "ids", "products", "productIds")


class ArgumentError(Exception):
    """An argument is missing or cannot mean anything; the text names it and says what is expected."""


@dataclass(slots=True)
class Arguments:
    """The arguments of one call, taken out by name; `notes` collects what was ignored."""

    given: dict[str, Any]
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, given: Mapping[str, Any] | None) -> Arguments:
        """Explicit nulls equal absent fields."""
        return cls({name: value for name, value in (given or {}).items() if value is not None})

    def has(self, names: Iterable[str]) -> bool:
        """Whether a value is given under one of the names."""
        return any(name in self.given for name in names)

    def take(self, names: Iterable[str]) -> Any:
        """The value under the first of these names that is given, None if none is; it counts as used."""
        found = [self.given.pop(name) for name in names if name in self.given]
        return found[0] if found else None

    def text(self, *names: str, max_chars: int) -> str:
        """One cleaned line, word for word: text that looks like JSON or a number stays text. `""` where none is given.

        Raises `ArgumentError` for an object.
        """
        value = self.take(names)
        if isinstance(value, (list, tuple)):
            value = " ".join(str(each) for each in value)
        if isinstance(value, Mapping):
            raise ArgumentError(f"{names[0]} must be text, not an object: {_shown(value)}.")
        line = "" if value is None else lenient.clean_line(str(value)[: 8 * max_chars])
        if len(line) > max_chars:
            self.notes.append(f"Only the first {max_chars} characters of {names[0]} were read.")
        return line[:max_chars].rstrip()

    def count(self, name: str, *, low: int = 0, high: int, default: int) -> int:
        """A whole number within bounds; `default` where none is given or it cannot be read, which is noted."""
        value = self.take([name])
        amount = lenient.number(value)
        if amount is None:
            if value is not None:
                self.notes.append(f"{name} {_shown(value)} is no number from {low} to {high} and was ignored.")
            return default
        if not low <= amount <= high:
            self.notes.append(f"{name} {_shown(value)} is not within {low} to {high}; the nearest was taken.")
        return int(min(max(amount, low), high))

    def ignore_rest(self, definition: ToolDefinition) -> list[str]:
        """All notes; what is left over is told as unknown."""
        if self.given:
            known = ", ".join(definition.input_schema["properties"])
            unknown = ", ".join(repr(name[:MAX_SHOWN_CHARS]) for name in list(self.given)[:10])
            self.notes.append(f"Unknown arguments were ignored: {unknown}. {definition.name} takes {known}.")
        return self.notes


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= MAX_SHOWN_CHARS else text[:MAX_SHOWN_CHARS] + "…"


def read_query(arguments: Arguments, *, currency: str | None) -> SearchQuery:
    """The search that is meant; prices are in `currency`. Raises `ArgumentError` where nothing at all is asked for."""
    _unwrap(arguments)
    asked = arguments.has(_QUERY_NAMES)
    words = arguments.text(*_QUERY_NAMES, max_chars=MAX_QUERY_CHARS)
    limit = arguments.count("limit", low=1, high=MAX_LISTED, default=8)
    offset = arguments.count("offset", high=10_000, default=0)
    conditions = {name: arguments.take([name]) for name in list(arguments.given) if is_search_argument(name)}
    if not asked and not conditions:
        raise ArgumentError(
            'query is missing: give the words to look for, {"query": "running shoes"}, or "" to browse everything.'
        )
    search = Search.model_validate({**conditions, "keywords": []})
    arguments.notes += _unread(conditions, search)
    query = search.to_query()
    if currency and query.filters:
        query = search.to_query(currency=currency)
    return replace(query, keywords=(words,) if words else (), limit=limit, offset=offset)


def _unwrap(arguments: Arguments) -> None:
    """Conditions that came as an object of their own, or as its JSON text, join the others; those beside it win."""
    for name in ("filters", "filter", "arguments", "parameters"):
        nested = arguments.take([name])
        if isinstance(nested, str):
            nested = _parsed(nested, name)
        if isinstance(nested, Mapping):
            given = {key: value for key, value in nested.items() if value is not None}
            arguments.given = {**given, **arguments.given}
        elif nested is not None:
            raise ArgumentError(f"{name} must be an object of conditions, not {_shown(nested)}.")


def _parsed(text: str, name: str) -> Any:
    try:
        return json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        raise ArgumentError(f"{name} must be an object of conditions, not the text {_shown(text)}.") from error


def _unread(conditions: Mapping[str, Any], search: Search) -> Iterable[str]:
    """Conditions that came to nothing although something was given."""
    for name in ("min_price", "max_price", "min_rating"):
        if name in conditions and getattr(search, name) is None and lenient.number(conditions[name]) != 0:
            yield f"{name} {_shown(conditions[name])} could not be read as a number and was ignored."
    sort = conditions.get("sort")
    if sort is not None and search.sort == "relevance" and str(sort) != "relevance":
        yield f"sort {_shown(sort)} is none of relevance, price_asc, price_desc, rating, newest and was ignored."


def read_id(arguments: Arguments) -> str:
    """A product id as it stands: `0010` is not 10. Raises `ArgumentError` where none is given."""
    product_id = _plain(arguments.take(_ID_NAMES))
    if not product_id:
        raise ArgumentError('product_id is missing: give an id from search_products, {"product_id": "p17"}.')
    return product_id


def read_ids(arguments: Arguments) -> tuple[str, ...]:
    """Two to four ids in order, without doubles. Raises `ArgumentError` for fewer; more are noted and left out."""
    value = arguments.take(_IDS_NAMES)
    ids = tuple(dict.fromkeys(filter(None, (_plain(each) for each in _listed(value)))))
    if len(ids) < 2:
        raise ArgumentError(
            f'product_ids must list two to {MAX_COMPARED} different ids, {{"product_ids": ["p17", "p4"]}}; '
            f"given was {_shown(value)}."
        )
    if len(ids) > MAX_COMPARED:
        arguments.notes.append(
            f"At most {MAX_COMPARED} products are compared; left out: {', '.join(ids[MAX_COMPARED:])}."
        )
    return ids[:MAX_COMPARED]


def _plain(value: Any) -> str:
    return "" if value is None or isinstance(value, (Mapping, list)) else str(value).strip()[:MAX_ID_CHARS]


def _listed(value: Any) -> Collection[Any]:
    """A list; also as JSON text, or as one text with commas."""
    if isinstance(value, str):
        if value.lstrip().startswith("["):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                value = value.strip(" []").replace('"', "")
        if isinstance(value, str):
            value = value.split(",")
    if isinstance(value, (list, tuple)):
        return value
    return () if value is None else (value,)
