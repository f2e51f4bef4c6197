"""Filters as index terms: what a product meets, and the engine query for what is asked."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

import tantivy

from search_client.filtering import (
    COLOR_NAMES,
    SIZE_NAMES,
    color_key,
    known_values,
    values_met,
    variant_values,
    wanted_values,
    words_of,
)
from search_client.index.schema import CONDITION, PRICE, PRICE_SCALE, RATING, RATING_SCALE
from search_client.models import Filters, Product, Shopper

PRODUCT = "product"
IN_STOCK = "stock"
SOLD_OUT = "out:"
"""Before the size and colour that a product in stock is sold out in."""
ON_SALE = "sale"
VISIBLE = "visible:"
EVERYBODY = VISIBLE + "*"
CURRENCY = "currency:"
_RESERVED = COLOR_NAMES | SIZE_NAMES


@functools.lru_cache(maxsize=50_000)
def term_of(field: str, value: str) -> str:
    """The condition term of one value; equal for spellings that differ in case, accents, plural or punctuation."""
    return f"{field.casefold() if field.startswith('attributes:') else field}:{_key(value)}"[:1_000]


@functools.lru_cache(maxsize=50_000)
def _terms_of_color(value: str) -> tuple[str, ...]:
    """`Dark Red` meets a wish for red, for dark, and for dark red."""
    return (term_of("colors", value), *(f"colors:has {word}" for word in set(words_of(value))))


def conditions_of(product: Product) -> set[str]:
    """Every condition term that `product` meets."""
    met = {PRODUCT}
    met.update(VISIBLE + group for group in product.visible_to or ("*",))
    if product.availability.buyable:
        met.add(IN_STOCK)
        met.update(_sold_out(product))
    if product.on_sale:
        met.add(ON_SALE)
    if product.price:
        met.add(CURRENCY + product.price.currency)
    for field in ("brands", "categories", "sizes"):
        met.update(term_of(field, value) for value in known_values(product, field))
    for value in values_met(product, "colors"):
        met.update(_terms_of_color(value))
    met.update(term_of(f"attributes:{name}", value) for name, value in all_facts(product))
    return met


def _sold_out(product: Product) -> set[str]:
    """The sizes, colours, and sizes in a colour that cannot be bought though the product can."""
    if all(variant.availability.buyable for variant in product.variants):
        return set()
    sizes, colors = (_keys(field, known_values(product, field)) for field in ("sizes", "colors"))
    offered = set[tuple[str, str]]()
    for variant in product.variants:
        if variant.availability.buyable:  # one that does not differ in size is of every size
            own_sizes = _keys("sizes", variant_values(variant, SIZE_NAMES)) or sizes
            own_colors = _keys("colors", variant_values(variant, COLOR_NAMES)) or colors
            offered.update((size, color) for size in (*own_sizes, "") for color in (*own_colors, ""))
    every = ((size, color) for size in (*sizes, "") for color in (*colors, ""))
    return {f"{SOLD_OUT}{size}/{color}" for size, color in every if (size, color) not in offered}


def _keys(field: str, values: Iterable[str]) -> set[str]:
    """What the values can be asked for by: a colour by each of its words and all of them."""
    if field == "sizes":
        return {_key(value) for value in values}
    return {key for value in values for key in (color_key(value), *words_of(value))}


def _key(value: str) -> str:
    """Equal for spellings that differ in case, accents, plural or punctuation."""
    return " ".join(words_of(value)) or value.casefold().strip()


def _out_of(size: str | None, color: str | None) -> str:
    return f"{SOLD_OUT}{_key(size) if size else ''}/{color_key(color) if color else ''}"


def all_facts(product: Product) -> Iterator[tuple[str, str]]:
    """Every option and attribute with each of its values, repetitions included."""
    yield from product.attributes
    for name, values in product.options:
        for value in values:
            yield name, value
    for variant in product.variants:
        yield from variant.options


def other_facts(product: Product) -> dict[str, list[str]]:
    """Options and attributes that are neither colour nor size, by name."""
    facts: dict[str, list[str]] = {}
    for name, value in dict.fromkeys(all_facts(product)):
        if name.casefold() not in _RESERVED:
            facts.setdefault(name, []).append(value)
    return facts


class ConditionQueries:
    """Engine queries for conditions."""

    def __init__(self, schema: tantivy.Schema) -> None:
        self._schema = schema

    def term(self, term: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, CONDITION, term, "basic")

    def any_of(self, terms: list[str]) -> tantivy.Query:
        if len(terms) == 1:
            return self.term(terms[0])
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, self.term(term)) for term in terms])

    def value(self, field: str, value: str) -> tantivy.Query:
        """Products that state `value` under `field` (as named in `search_client.filtering`)."""
        if field != "colors":
            return self.term(term_of(field, value))
        words = sorted(set(words_of(value)))
        parts = [(tantivy.Occur.Must, self.term(f"colors:has {word}")) for word in words]
        return tantivy.Query.boolean_query(parts) if parts else self.term(term_of(field, value))

    def visible(self, shopper: Shopper) -> tantivy.Query:
        """Products this shopper may see."""
        return self.any_of([EVERYBODY, *(VISIBLE + group for group in sorted(set(shopper.groups)))])

    def filters(self, filters: Filters, *, currency: str | None) -> list[tantivy.Query]:
        """One query for each condition, all of which must hold; a price without a currency is in `currency`."""
        queries = []
        for field, values in wanted_values(filters).items():
            alternatives = [self.value(field, value) for value in values]
            queries.append(
                alternatives[0]
                if len(alternatives) == 1
                else tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in alternatives])
            )
        if filters.in_stock:
            queries.append(self._in_stock(filters))
        if filters.on_sale:
            queries.append(self.term(ON_SALE))
        if filters.min_rating is not None:
            queries.append(self._range(RATING, filters.min_rating, None, scale=RATING_SCALE))
        if filters.min_price is not None or filters.max_price is not None:
            queries.append(self._range(PRICE, filters.min_price, filters.max_price, scale=PRICE_SCALE))
            if filters.currency or currency:
                queries.append(self.term(CURRENCY + str(filters.currency or currency)))
        return queries

    def _in_stock(self, filters: Filters) -> tantivy.Query:
        """Products that can be bought, in one of the wanted sizes and colours where such are wanted."""
        if not (filters.sizes or filters.colors):
            return self.term(IN_STOCK)
        ways = []
        for size in filters.sizes or (None,):
            for color in filters.colors or (None,):
                way = [
                    (tantivy.Occur.Must, self.term(IN_STOCK)),
                    (tantivy.Occur.MustNot, self.term(_out_of(size, color))),
                ]
                way += [(tantivy.Occur.Must, self.value("sizes", size))] if size else []
                way += [(tantivy.Occur.Must, self.value("colors", color))] if color else []
                ways.append((tantivy.Occur.Should, tantivy.Query.boolean_query(way)))
        return tantivy.Query.boolean_query(ways)

    def _range(self, field: str, low: float | None, high: float | None, *, scale: int) -> tantivy.Query:
        lower, upper = (None if bound is None else _scaled(bound, scale) for bound in (low, high))
        if lower is not None and upper is not None and lower > upper:
            return tantivy.Query.empty_query()
        return tantivy.Query.range_query(self._schema, field, tantivy.FieldType.Integer, lower, upper)


def _scaled(bound: float, scale: int) -> int:
    return round(min(max(bound, -1e14), 1e14) * scale)
