"""Choosing a size and a colour: which variant is meant, and what each choice would lead to. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from search_client.models import Product, Variant


@dataclass(frozen=True, slots=True)
class Choosable:
    """One value of an option."""

    value: str
    variant_id: str
    """Where choosing it leads."""
    chosen: bool
    buyable: bool
    """False: sold out in combination with what else is chosen."""


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """One option with its values."""

    name: str
    values: tuple[Choosable, ...]


def chosen_variant(product: Product, variant_id: str | None) -> Variant | None:
    """The variant of that id; a single one is chosen by itself; else None: the shopper has not chosen yet."""
    if len(product.variants) == 1:
        return product.variants[0]
    return next((variant for variant in product.variants if variant.id == variant_id), None)


def with_variant(product: Product, variant: Variant | None) -> Product:
    """The product with the price, stock and picture of one variant."""
    if variant is None:
        return product
    rest = tuple(image for image in product.images if image != variant.image)
    return replace(
        product,
        price=variant.price or product.price,
        list_price=variant.list_price if variant.price else product.list_price,
        availability=variant.availability,
        quantity=variant.quantity,
        images=(variant.image, *rest) if variant.image else product.images,
        sku=variant.sku or product.sku,
    )


def variant_name(variant: Variant | None) -> str:
    """Its options in words: `Red, M`."""
    return ", ".join(value for _, value in variant.options) if variant else ""


def option_choices(product: Product, variant: Variant | None) -> tuple[OptionChoice, ...]:
    """Every option with every value; a value leads to the variant nearest to what is chosen already."""
    chosen = dict(variant.options) if variant else {}
    return tuple(
        OptionChoice(
            name,
            tuple(choice for choice in (_choice(product, chosen, name, value) for value in values) if choice),
        )
        for name, values in product.options
    )


def _choice(product: Product, chosen: Mapping[str, str], name: str, value: str) -> Choosable | None:
    having = [variant for variant in product.variants if (name, value) in variant.options]
    if not having:
        return None
    wanted = {**chosen, name: value}
    best = max(having, key=lambda variant: (_agreeing(variant, wanted), variant.availability.buyable))
    exact = [variant for variant in having if _agreeing(variant, wanted) == len(wanted)]
    return Choosable(
        value,
        best.id,
        chosen=chosen.get(name) == value,
        buyable=any(variant.availability.buyable for variant in exact or having),
    )


def _agreeing(variant: Variant, wanted: Mapping[str, str]) -> int:
    return sum(1 for pair in wanted.items() if pair in variant.options)
