"""Whether one product meets hard conditions: the plain meaning of `Filters`, pure, without an engine."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace

from search_client.models import Filters, Product, Variant

COLOR_NAMES = frozenset({"color", "colour", "colors", "colours"})
SIZE_NAMES = frozenset({"size", "sizes"})
_WORD = re.compile(r"\w+")


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, without case, accents and the plural s."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    return tuple(
        word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word for word in _WORD.findall(plain)
    )


def stated(product: Product, names: frozenset[str]) -> tuple[str, ...]:
    """Values of every option and attribute called one of `names` (lower case), each once, in the record's order."""
    values = [value for name, options in product.options if name.casefold() in names for value in options]
    values += [value for name, value in product.attributes if name.casefold() in names]
    values += [value for variant in product.variants for name, value in variant.options if name.casefold() in names]
    return tuple(dict.fromkeys(values))


def known_values(product: Product, field: str) -> tuple[str, ...]:
    """What the record states for a filter field: `brands`, `categories`, `colors`, `sizes` or `attributes:NAME`."""
    if field == "brands":
        return (product.brand,) if product.brand else ()
    if field == "categories":
        paths = [" > ".join(product.category[: depth + 1]) for depth in range(len(product.category))]
        return tuple(dict.fromkeys([*product.category, *paths]))
    if field == "colors":
        return stated(product, COLOR_NAMES)
    if field == "sizes":
        return stated(product, SIZE_NAMES)
    return stated(product, frozenset({field.removeprefix("attributes:").casefold()}))


def values_met(product: Product, field: str) -> tuple[str, ...]:
    """What a condition is compared with: what is stated, and where no colour is stated the title (`Red Lipstick`)."""
    return known_values(product, field) or ((product.title,) if field == "colors" else ())


def wanted_values(filters: Filters) -> dict[str, tuple[str, ...]]:
    """The values asked for by field name as in `known_values`; fields without a condition are left out."""
    wanted: dict[str, tuple[str, ...]] = {
        "brands": filters.brands,
        "categories": filters.categories,
        "colors": filters.colors,
        "sizes": filters.sizes,
    }
    for name, value in filters.attributes:
        field = f"attributes:{name}"
        wanted[field] = (*wanted.get(field, ()), value)
    return {field: values for field, values in wanted.items() if values}


def says(value: str, wanted: str, *, field: str) -> bool:
    """Whether a stated value is the wanted one; a colour also when it carries its words (`Dark Red` is red)."""
    have, want = words_of(value), words_of(wanted)
    return have == want or (field == "colors" and bool(want) and set(want) <= set(have))


def variant_values(variant: Variant, names: frozenset[str]) -> tuple[str, ...]:
    """Values of the options called one of `names` (lower case)."""
    return tuple(value for name, value in variant.options if name.casefold() in names)


def color_key(value: str) -> str:
    """Equal for wishes that the same colours meet."""
    return " ".join(sorted(set(words_of(value))))


def sold_out(product: Product, *, size: str | None, color: str | None) -> bool:
    """Whether the product has variants and none of that size and colour (None: any) can be bought."""
    return bool(product.variants) and not any(
        variant.availability.buyable
        and _is(variant, SIZE_NAMES, size, field="sizes")
        and _is(variant, COLOR_NAMES, color, field="colors")
        for variant in product.variants
    )


def _is(variant: Variant, names: frozenset[str], wanted: str | None, *, field: str) -> bool:
    """Whether a variant is of the wanted value, or does not differ in it."""
    values = variant_values(variant, names)
    return wanted is None or not values or any(says(value, wanted, field=field) for value in values)


def _in_stock(product: Product, filters: Filters) -> bool:
    """Whether it can be bought, in one of the wanted sizes and colours where such are wanted."""
    return product.availability.buyable and any(
        not sold_out(product, size=size, color=color)
        for size in filters.sizes or (None,)
        for color in filters.colors or (None,)
    )


def meets(product: Product, filters: Filters, *, currency: str | None) -> bool:
    """Whether `product` meets every condition; prices without a currency are in `currency`."""
    if filters.in_stock and not _in_stock(product, filters):
        return False
    if filters.on_sale and not product.on_sale:
        return False
    if filters.min_rating is not None and (product.rating is None or product.rating < filters.min_rating):
        return False
    return _affordable(product, filters, filters.currency or currency) and all(
        any(says(value, want, field=field) for value in values_met(product, field) for want in values)
        for field, values in wanted_values(filters).items()
    )


def without_each(filters: Filters) -> Iterator[tuple[str, str, Filters]]:
    """Every single condition as (field, value, the filters without it)."""
    if filters.min_price is not None:
        yield "min_price", f"{filters.min_price:g}", replace(filters, min_price=None)
    if filters.max_price is not None:
        yield "max_price", f"{filters.max_price:g}", replace(filters, max_price=None)
    if filters.min_rating is not None:
        yield "min_rating", f"{filters.min_rating:g}", replace(filters, min_rating=None)
    if filters.in_stock:
        yield "in_stock", "true", replace(filters, in_stock=False)
    if filters.on_sale:
        yield "on_sale", "true", replace(filters, on_sale=False)
    for field, values in wanted_values(filters).items():
        yield field, ", ".join(values), _without(filters, field)


def _without(filters: Filters, field: str) -> Filters:
    match field:
        case "brands":
            return replace(filters, brands=())
        case "categories":
            return replace(filters, categories=())
        case "colors":
            return replace(filters, colors=())
        case "sizes":
            return replace(filters, sizes=())
    name = field.removeprefix("attributes:")
    return replace(filters, attributes=tuple(pair for pair in filters.attributes if pair[0] != name))


def sort_key(amount: Callable[[Product], float | None], product: Product, *, down: bool) -> tuple[bool, float, str]:
    """Orders by an amount, products that do not state it last, ties by id."""
    value = amount(product)
    return value is None, (-value if down else value) if value is not None else 0.0, product.id


def _affordable(product: Product, filters: Filters, currency: str | None) -> bool:
    if filters.min_price is None and filters.max_price is None:
        return True
    price = product.price
    if price is None or (currency is not None and price.currency != currency):
        return False
    return (filters.min_price is None or price.amount >= filters.min_price) and (
        filters.max_price is None or price.amount <= filters.max_price
    )
