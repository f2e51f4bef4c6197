"""What each tool answers: structured facts and the same as short text. Knows no protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from search_client.client import SearchClient
from search_client.codec import JsonObject
from search_client.errors import InvalidQueryError, ProductNotFoundError
from search_client.models import Product, SearchQuery, SearchResults, Shopper
from shopping_agent.answers import compare, quotes_about
from shopping_agent.mcp_server.arguments import (
    MAX_ASPECT_CHARS,
    ArgumentError,
    Arguments,
    read_id,
    read_ids,
    read_query,
)
from shopping_agent.mcp_server.definitions import CATEGORIES, COMPARE, DETAILS, SEARCH, ToolDefinition
from shopping_agent.mcp_server.records import card, fenced, fitting, full, full_lines, line, one_line

MAX_HINTS = 3
MAX_OFFSET = 1_000_000


class ToolError(Exception):
    """The call cannot be answered; the text says what is possible instead, for the client's model to read."""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What goes back."""

    text: str
    data: JsonObject


def call(
    definition: ToolDefinition, given: Mapping[str, Any] | None, *, client: SearchClient, shopper: Shopper
) -> ToolAnswer:
    """Run a tool for `shopper`. Raises `ToolError`, and whatever the catalog raises when it does not answer."""
    arguments = Arguments.of(given)
    try:
        return _RUN[definition.name](arguments, client, shopper)
    except (ArgumentError, InvalidQueryError) as error:
        raise ToolError(str(error)) from error


def _search(arguments: Arguments, client: SearchClient, shopper: Shopper) -> ToolAnswer:
    query = read_query(arguments, currency=shopper.currency)
    notes = arguments.ignore_rest(SEARCH)
    results = client.search(query, shopper=shopper)
    cards = fitting(card(hit.product) for hit in results.hits)
    notes += _notes_on(results)
    data: JsonObject = {"total": results.total, "offset": query.offset, "products": cards, "notes": notes}
    following = query.offset + len(cards)
    if cards and following < min(results.total, 10_000):
        data["next_offset"] = following
    more = f" More with offset {following}." if "next_offset" in data else ""
    lead = f"{results.total} found for {query.text or 'everything'!r}, {len(cards)} shown.{more}"
    products = (f"{place}. {line(product)}" for place, product in enumerate(results.products[: len(cards)], start=1))
    return ToolAnswer(_text(lead, products if cards else (), notes), data)


def _notes_on(results: SearchResults) -> list[str]:
    notes = [f"Read {each.typed!r} as {each.used!r}." for each in results.corrections]
    if results.relaxed:
        notes.append("No product has all the words; these have most of them.")
    for unknown in results.unknown:
        nearest = f"; the nearest are {', '.join(map(repr, unknown.nearest))}" if unknown.nearest else ""
        notes.append(f"This shop knows no {unknown.field} {unknown.value!r}{nearest}.")
    notes += [f"{each.total} without {each.field} {each.value!r}." for each in results.relaxations[:MAX_HINTS]]
    if results.stale:
        notes.append("The catalog cannot be reached now: prices and stock are as they were last seen.")
    return [one_line(note, max_chars=400) for note in notes]


def _details(arguments: Arguments, client: SearchClient, shopper: Shopper) -> ToolAnswer:
    product_id = read_id(arguments)
    aspect = arguments.text("aspect", max_chars=MAX_ASPECT_CHARS)
    description_from = arguments.count("description_from", high=MAX_OFFSET, default=0)
    variants_from = arguments.count("variants_from", high=MAX_OFFSET, default=0)
    notes = arguments.ignore_rest(DETAILS)
    product = _product(product_id, client, shopper)
    record = full(product, description_from=description_from, variants_from=variants_from)
    data: JsonObject = {"product": record, "notes": notes}
    lines = full_lines(product, record)
    if aspect:
        quotes = quotes_about(product, aspect)
        data["quotes"] = [{"field": quote.field, "text": quote.text} for quote in quotes]
        lines = [line(product), *(f"{quote.field}: {quote.text}" for quote in quotes)]
        if not quotes:
            notes.append(f"The listing does not tell about {aspect!r}.")
    if not product.availability.buyable:
        data["alternatives"] = [card(hit.product) for hit in client.alternatives(product.id, shopper=shopper)]
    notes += [
        f"More of it with {argument} {record[key]}."
        for key, argument in (("next_description", "description_from"), ("next_variant", "variants_from"))
        if key in record
    ]
    return ToolAnswer(_text("", lines, notes), data)


def _product(product_id: str, client: SearchClient, shopper: Shopper) -> Product:
    try:
        return client.get_product_details(product_id, shopper=shopper)
    except ProductNotFoundError as error:
        results = client.search(SearchQuery((product_id,), limit=MAX_HINTS), shopper=shopper)
        near = () if results.relaxed or results.corrections else results.products
        hint = " Perhaps: " + "; ".join(f"{each.id} ({one_line(each.title, max_chars=60)})" for each in near)
        raise ToolError(
            f"There is no product {product_id!r} in this shop; ids come from search_products.{hint if near else ''}"
        ) from error


def _compare(arguments: Arguments, client: SearchClient, shopper: Shopper) -> ToolAnswer:
    ids = read_ids(arguments)
    aspect = arguments.text("aspect", max_chars=MAX_ASPECT_CHARS)
    notes = arguments.ignore_rest(COMPARE)
    products = tuple(_product(product_id, client, shopper) for product_id in ids)
    rows = fitting(
        {
            "name": one_line(row.name, max_chars=120),
            "values": [None if value is None else one_line(value, max_chars=300) for value in row.values],
        }
        for row in compare(products, aspect=aspect or None)
    )
    data: JsonObject = {"products": [card(product) for product in products], "rows": rows, "notes": notes}
    lines = [f"{place}. {line(product)}" for place, product in enumerate(products, start=1)]
    return ToolAnswer(_text("", [*lines, *map(_row, rows)], notes), data)


def _row(row: JsonObject) -> str:
    values = row["values"]
    assert isinstance(values, list)
    return f"{row['name']}: {' | '.join('not stated' if value is None else value for value in values)}"


def _categories(arguments: Arguments, client: SearchClient, _shopper: Shopper) -> ToolAnswer:
    contains = arguments.text("contains", max_chars=MAX_ASPECT_CHARS).casefold()
    limit = arguments.count("limit", low=1, high=200, default=30)
    offset = arguments.count("offset", high=MAX_OFFSET, default=0)
    notes = arguments.ignore_rest(CATEGORIES)
    vocabulary = client.vocabulary()
    matching = [each for each in vocabulary.categories if contains in each.value.casefold()]
    page = fitting(
        {"name": one_line(each.value, max_chars=200), "count": each.count} for each in matching[offset : offset + limit]
    )
    data: JsonObject = {"categories": page, "total": len(matching), "product_count": vocabulary.product_count}
    if vocabulary.currency:
        data["currency"] = vocabulary.currency
    if offset + len(page) < len(matching):
        data["next_offset"] = offset + len(page)
        notes.append(f"More with offset {offset + len(page)}.")
    if contains and not matching:
        notes.append(f"No category has {contains!r} in its name; leave contains out to see all.")
    lead = f"{len(matching)} categories, {vocabulary.product_count} products."
    return ToolAnswer(
        _text(lead, (f"{each['name']}: {each['count']}" for each in page), notes), data | {"notes": notes}
    )


def _text(lead: str, lines: Iterable[str], notes: Iterable[str]) -> str:
    told = list(lines)
    return "\n".join(filter(None, (lead, fenced(told) if told else "", *notes)))


_RUN: dict[str, Callable[[Arguments, SearchClient, Shopper], ToolAnswer]] = {
    SEARCH.name: _search,
    DETAILS.name: _details,
    COMPARE.name: _compare,
    CATEGORIES.name: _categories,
}
