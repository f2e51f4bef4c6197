"""What a product is: its category, stated type and the head of its title; not what it fits or mentions."""

from __future__ import annotations

import re

from search_client.analysis.tokens import chunks
from search_client.models import Product

_TYPE_NAMES = frozenset({"type", "product type", "product_type", "kind"})
_PHRASE_END = re.compile(
    r"[,;:(\[|]| - | – | (?:for|with|from|by|w/|in|of|compatible|fits|plus|and|incl|including)(?= )", re.I
)


def kind_terms(product: Product) -> list[str]:
    """Terms that say what `product` is, most telling first, without repetition."""
    texts = [
        *reversed(product.category[-2:]),
        *(value for name, value in product.attributes if name.casefold() in _TYPE_NAMES),
    ]
    terms = [term for text in texts for chunk in chunks(text) for term in chunk.all_terms]
    head = _PHRASE_END.split(product.title, maxsplit=1)[0]
    words = [chunk for chunk in chunks(head) if not chunk.is_code]
    terms += [term for chunk in words[-1:] for term in chunk.all_terms]
    return list(dict.fromkeys(terms))
