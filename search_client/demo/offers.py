"""What a product costs, in which variants, and how many are left."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from search_client.demo.chance import number, percent
from search_client.demo.pictures import front
from search_client.demo.tables import Facts, Item, Options
from search_client.models import Availability, Money, Variant

OUT_OF_STOCK_PERCENT = 5
PREORDER_PERCENT = 1
ON_SALE_PERCENT = 12
SOLD_OUT_VARIANT_PERCENT = 8
MAX_COLORS = 4


@dataclass(frozen=True, slots=True)
class Offer:
    price: Money
    list_price: Money | None
    availability: Availability
    quantity: int
    options: Options
    variants: tuple[Variant, ...]
    colors: tuple[str, ...]
    """The colours it is drawn in, the main one first."""
    sku: str


@dataclass(frozen=True, slots=True)
class _Terms:
    """What holds for all variants of one product."""

    product_id: str
    sku: str
    drawing: str
    base_minor: int
    list_percent: int
    """List price in percent of the price; 100: not on sale."""
    availability: Availability


def offer(item: Item, facts: Facts, *, product_id: str, seed: str, level: int) -> Offer:
    """Prices around the item's range at the brand's `level` (percent), every combination of options as a variant."""
    low, high = item.price_minor
    chance = number(f"{seed}/price", 1000)
    terms = _Terms(
        product_id=product_id,
        sku=f"DEMO-{product_id[1:]}",
        drawing=item.drawing,
        base_minor=(low + (high - low) * chance * chance // 1_000_000) * level // 100,
        list_percent=115 + 5 * number(f"{product_id}/off", 8)
        if percent(f"{product_id}/sale", ON_SALE_PERCENT)
        else 100,
        availability=_availability(product_id),
    )
    choices = tuple((name, _colors(values, seed=seed) if name == "Color" else values) for name, values in item.options)
    variants = tuple(_variants(choices, terms))
    prices = [variant.price for variant in variants if variant.price is not None]
    cheapest = min(prices) if prices else Money(shelf_price(terms.base_minor), "USD")
    return Offer(
        price=cheapest,
        list_price=_list_price(cheapest, terms),
        availability=_best(variants, terms),
        quantity=sum(v.quantity or 0 for v in variants) if variants else _quantity(product_id, terms.availability),
        options=tuple((name, tuple(_value(text) for text in values)) for name, values in choices),
        variants=variants,
        colors=dict(choices).get("Color") or (dict(facts).get("Color", "Natural"),),
        sku=terms.sku,
    )


def shelf_price(minor: int) -> int:
    """The nearest price a shop would write on the shelf: 4.49, 17.99, 84.95, 1,299.00."""
    if minor < 2_000:
        return max(99, (minor + 25) // 50 * 50 - 1)
    if minor < 20_000:
        return (minor + 250) // 500 * 500 - 5
    return (minor + 500) // 1_000 * 1_000 - 100


def _availability(product_id: str) -> Availability:
    chance = number(f"{product_id}/stock", 100)
    if chance < OUT_OF_STOCK_PERCENT:
        return Availability.OUT_OF_STOCK
    return Availability.PREORDER if chance < OUT_OF_STOCK_PERCENT + PREORDER_PERCENT else Availability.IN_STOCK


def _colors(palette: tuple[str, ...], *, seed: str) -> tuple[str, ...]:
    """Two to four neighbours of the palette, from a place that differs by make."""
    count = min(len(palette), 2 + number(f"{seed}/colors", MAX_COLORS - 1))
    start = number(f"{seed}/first color", len(palette))
    return tuple(palette[(start + step) % len(palette)] for step in range(count))


def _value(text: str) -> str:
    return text.partition(" +")[0]


def _surcharge(text: str) -> int:
    return int(text.partition(" +")[2] or 0)


def _variants(choices: Options, terms: _Terms) -> list[Variant]:
    if not choices:
        return []
    names = [name for name, _ in choices]
    return [_variant(tuple(zip(names, row, strict=True)), terms) for row in itertools.product(*(v for _, v in choices))]


def _variant(row: Facts, terms: _Terms) -> Variant:
    slug = "-".join(_slug(_value(text)) for _, text in row)
    key = f"{terms.product_id}-{slug}"
    surcharge = sum(_surcharge(text) for _, text in row)
    price = Money(shelf_price(terms.base_minor * (100 + surcharge) // 100), "USD")
    availability = terms.availability
    if availability is Availability.IN_STOCK and percent(f"{key}/sold out", SOLD_OUT_VARIANT_PERCENT):
        availability = Availability.OUT_OF_STOCK
    color = dict(row).get("Color")
    return Variant(
        id=key,
        options=tuple((name, _value(text)) for name, text in row),
        sku=f"{terms.sku}-{slug.upper()}",
        price=price,
        list_price=_list_price(price, terms),
        availability=availability,
        quantity=_quantity(key, availability),
        image=front(terms.drawing, color, product_id=terms.product_id) if color else None,
    )


def _slug(text: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower().replace(".", "_")).split())


def _list_price(price: Money, terms: _Terms) -> Money | None:
    if terms.list_percent == 100:
        return None
    return Money(
        max(shelf_price(price.amount_minor * terms.list_percent // 100), price.amount_minor + 50), price.currency
    )


def _quantity(key: str, availability: Availability) -> int:
    return 1 + number(f"{key}/units", 40) if availability is Availability.IN_STOCK else 0


def _best(variants: tuple[Variant, ...], terms: _Terms) -> Availability:
    """In stock as long as one variant is."""
    if terms.availability is Availability.IN_STOCK and variants and not any(v.quantity for v in variants):
        return Availability.OUT_OF_STOCK
    return terms.availability
