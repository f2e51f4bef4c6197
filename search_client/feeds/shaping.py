"""Parts of a product out of raw text, one pure function each: paths, pairs, addresses, ids of variants, sums."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import urlsplit

from search_client.feeds.draft import Draft
from search_client.feeds.names import is_private
from search_client.feeds.text import code, plain_line
from search_client.models import Availability, Product

_MAX_FACT_CHARS = 1_000
_PATH_SEPARATOR = re.compile(r"\s*(?:>|»|›|→|&gt;)\s*|\s+[/|]\s+")
_SLUG = re.compile(r"[^\w]+")


def state_of(pieces: int | None, draft: Draft) -> Availability:
    if draft.untracked:
        return Availability.IN_STOCK
    if pieces is None:
        return Availability.BACKORDER if draft.backorder else Availability.UNKNOWN
    if pieces > 0:
        return Availability.IN_STOCK
    return Availability.BACKORDER if draft.backorder else Availability.OUT_OF_STOCK


def supplier_in_title(draft: Draft) -> str:
    """The supplier where the title begins with its name, so that a shopper reads it anyway; else nothing."""
    named, title = draft.supplier.casefold().split(), draft.title.casefold().split()
    return draft.supplier if named and title[: len(named)] == named else ""


def summed_up(product: Product) -> Product:
    """The product with what its variants say: lowest price, best stock, all pieces, all option values."""
    priced = [variant for variant in product.variants if variant.price is not None]
    price, list_price = product.price, product.list_price
    if priced:
        lowest = min(
            priced,
            key=lambda variant: (variant.price.amount_minor if variant.price else 0, not variant.availability.buyable),
        )
        price, list_price = lowest.price, lowest.list_price
    states = {variant.availability for variant in product.variants}
    order = (Availability.IN_STOCK, Availability.PREORDER, Availability.BACKORDER, Availability.UNKNOWN)
    best = next((state for state in order if state in states), Availability.OUT_OF_STOCK)
    counts = [variant.quantity for variant in product.variants]
    return replace(
        product,
        price=price,
        list_price=list_price,
        availability=product.availability if best is Availability.UNKNOWN else best,
        quantity=sum(count for count in counts if count is not None) if None not in counts else None,
        options=_all_options(product),
    )


def _all_options(product: Product) -> tuple[tuple[str, tuple[str, ...]], ...]:
    values: dict[str, dict[str, None]] = {name: dict.fromkeys(listed) for name, listed in product.options}
    for variant in product.variants:
        for name, value in variant.options:
            values.setdefault(name, {}).setdefault(value)
    return tuple((name, tuple(found)[:1000]) for name, found in values.items())[:20]


def variant_id(row: Draft, product_id: str, options: tuple[tuple[str, str], ...], used: set[str]) -> str:
    """The variant's own id or SKU; where it has none, or shares it, the product's id and its options."""
    own = [key for key in (code(row.id), code(row.sku)) if key and key != product_id and key not in used]
    found = own[0] if own else ""
    if not found:
        chosen = "/".join(_SLUG.sub("-", value.casefold()).strip("-") for _, value in options)
        found = f"{product_id[:120]}/{chosen[:60] or len(used) + 1}"
    while found in used:
        found = f"{found[:190]}-{len(used) + 1}"
    used.add(found)
    return found


def option_values(draft: Draft) -> tuple[tuple[str, tuple[str, ...]], ...]:
    listed = [(plain_line(name), tuple(filter(None, map(plain_line, values)))) for name, values in draft.option_values]
    return tuple((name, values) for name, values in listed if name and values)[:20]


def plain_pairs(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for name, value in pairs:
        shown, said = plain_line(name)[:80], plain_line(value)[:_MAX_FACT_CHARS]
        if shown and said and not is_private(shown):
            yield shown, said


def plain_attributes(draft: Draft) -> Iterator[tuple[str, str]]:
    """Facts that the title does not say already, each once."""
    title = plain_line(draft.title)
    for name, value in dict.fromkeys(plain_pairs(draft.attributes)):
        if value != title:
            yield name, value


def category_path(values: list[str]) -> tuple[str, ...]:
    """The first path. Several values without a path are levels, the widest first."""
    levels: list[str] = []
    for value in values:
        value = value.strip("[]\"' ") if value.startswith("[") else value
        path = [plain_line(level) for level in _PATH_SEPARATOR.split(value)]
        path = [level[:200] for level in path if level]
        if len(path) > 1 and not levels:
            return tuple(path[:20])
        levels += [level for level in path if level not in levels]
    return tuple(levels[:20])


def web_address(text: str) -> str | None:
    text = code(text)
    if not text.lower().startswith(("http://", "https://")) or len(text) > 2_000 or re.search(r"[\s<>\"]", text):
        return None
    try:
        return text if urlsplit(text).hostname else None
    except ValueError:
        return None


def texts_of(product: Product) -> Iterator[str]:
    yield product.title
    yield product.description
    for _, value in product.attributes:
        yield value
    yield from product.tags


def slug(text: str) -> str:
    """The text as the readable part of an id."""
    return _SLUG.sub("-", text.casefold()).strip("-_")[:60].strip("-_")
