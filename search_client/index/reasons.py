"""Why a product is among the hits, told from its record."""

from __future__ import annotations

from search_client.analysis import terms_of
from search_client.filtering import known_values, says, wanted_values
from search_client.index.conditions import all_facts
from search_client.index.document import codes_of
from search_client.index.wording import Group, Wording
from search_client.models import Filters, MatchReason, Product

_LABELS = {"brands": "Brand", "categories": "Category", "colors": "Color", "sizes": "Size"}


def reason(product: Product, wording: Wording, filters: Filters) -> MatchReason:
    """The words `product` carries and lacks, the fields they stand in, and the facts that met a filter."""
    carried = {name: _terms(text) for name, text in _texts(product).items()} if wording.groups else {}
    everything = set().union(*carried.values()) if carried else set()
    met = [group for group in wording.groups if _met(group, everything)]
    return MatchReason(
        words=tuple(word.chunk.text for group in met for word in group.words),
        missing=tuple(word.chunk.text for group in wording.groups if group not in met for word in group.words),
        fields=tuple(name for name, terms in carried.items() if any(_touches(group, terms) for group in met)),
        filters=tuple(_facts_met(product, filters)),
    )


def _texts(product: Product) -> dict[str, str]:
    facts = " ; ".join(f"{name} ; {value}" for name, value in all_facts(product))
    return {
        "title": product.title,
        "brand": product.brand or "",
        "category": " ; ".join(product.category),
        "attributes": " ; ".join([facts, *product.tags]),
        "description": product.description,
        "id": " ; ".join(codes_of(product)),
    }


def _terms(text: str) -> set[str]:
    return set(terms_of(text).split())


def _met(group: Group, carried: set[str]) -> bool:
    return any(carried.issuperset(option.terms) for option in group.options)


def _touches(group: Group, terms: set[str]) -> bool:
    return any(not terms.isdisjoint(option.terms) for option in group.options)


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
