"""Answers read off a record: the line that says so, word for word, and tables of facts side by side."""

from __future__ import annotations

import re

from search_client.models import Product
from shopping_agent.results import ComparisonRow, Quote

_SENTENCE = re.compile(r"[^.!?。！？]+[.!?。！？]?")


def quotes_about(product: Product, aspect: str) -> tuple[Quote, ...]:
    """Facts and sentences of the record that speak of `aspect`; empty where the listing does not tell."""
    words = [word for word in re.findall(r"\w+", aspect.casefold()) if len(word) > 2] or [aspect.casefold()]
    found = [
        Quote(aspect, name, value)
        for name, value in product.attributes
        if any(word in f"{name} {value}".casefold() for word in words)
    ]
    found += [
        Quote(aspect, "description", sentence.strip())
        for sentence in _SENTENCE.findall(product.description)
        if any(word in sentence.casefold() for word in words)
    ]
    return tuple(found[:3])


def compare(products: tuple[Product, ...], *, aspect: str | None = None) -> tuple[ComparisonRow, ...]:
    """One row a fact that any of the products states, prices first, then attributes in order of first mention."""
    names = list(dict.fromkeys(name for product in products for name, _ in product.attributes))
    rows = [
        ComparisonRow("Price", tuple(str(product.price) if product.price else None for product in products)),
        ComparisonRow("Brand", tuple(product.brand for product in products)),
        ComparisonRow("Rating", tuple(None if p.rating is None else f"{p.rating:g}" for p in products)),
    ]
    rows += [ComparisonRow(name, tuple(product.attribute(name) for product in products)) for name in names]
    return tuple(row for row in rows if any(value is not None for value in row.values))
