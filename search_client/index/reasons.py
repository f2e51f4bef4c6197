"""Why a product is among the hits, told from its record."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from search_client.analysis import terms_of
from search_client.filtering import known_values, says, wanted_values
from search_client.index.conditions import all_facts
from search_client.index.document import codes_of
from search_client.index.wording import Group, Wording
from search_client.models import Filters, MatchReason, Product

_LABELS = {"brands": "Brand", "categories": "Category", "colors": "Color", "sizes": "Size"}


def reason(product: Product, wording: Wording, filters: Filters) -> MatchReason:
    """The words `product` carries and lacks, the fields they stand in, and the facts that met a filter."""
    carried = _carried(product, codes=any(group.is_code for group in wording.groups)) if wording.groups else {}
    everything = frozenset().union(*carried.values())
    met = [group for group in wording.groups if _met(group, everything)]
    sought = {term for group in met for option in group.options for term in option.terms}
    return MatchReason(
        words=tuple(word.chunk.text for group in met for word in group.words),
        missing=tuple(word.chunk.text for group in wording.groups if group not in met for word in group.words),
        fields=tuple(name for name, terms in carried.items() if not terms.isdisjoint(sought)),
        filters=tuple(_facts_met(product, filters)) if filters else (),
    )


def _carried(product: Product, *, codes: bool) -> dict[str, frozenset[str]]:
    """Terms by field; those of the product's numbers only where `codes` are looked for."""
    facts = {part for fact in all_facts(product) for part in fact}
    carried = {
        "title": frozenset(terms_of(product.title).split()),
        "brand": _terms(product.brand or ""),
        "category": _terms_of_each(product.category),
        "attributes": _terms_of_each((*facts, *product.tags)),
        "description": frozenset(terms_of(product.description).split()),
    }
    return carried | {"id": _terms_of_each(codes_of(product))} if codes else carried


def _terms_of_each(texts: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*map(_terms, texts))


@functools.lru_cache(maxsize=10_000)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms_of(text).split())


def _met(group: Group, carried: frozenset[str]) -> bool:
    return any(carried.issuperset(option.terms) for option in group.options)


def _facts_met(product: Product, filters: Filters) -> list[str]:
    facts = []
    for field, wanted in wanted_values(filters).items():
        label = _LABELS.get(field) or field.removeprefix("attributes:")
        met = [
            value for value in known_values(product, field) if any(says(value, want, field=field) for want in wanted)
        ]
        facts += [f"{label}: {value}" for value in met]
    if product.price and (filters.min_price is not None or filters.max_price is not None):
        facts.append(f"Price: {product.price}")
    if product.rating is not None and filters.min_rating is not None:
        facts.append(f"Rating: {product.rating:g}")
    if filters.on_sale:
        facts.append("On sale")
    return facts
