"""Our own format, one product a line, as `codec` writes it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from decimal import Decimal

from search_client.codec import product_from_json, read_product
from search_client.errors import InvalidRecordError
from search_client.feeds.draft import Json
from search_client.models import Product

_MARKUP = re.compile(r"</?[a-zA-Z]+[^<>]*>|&[a-z]+;")
_FIELDS = frozenset(field.name for field in fields(Product))


def is_native(records: Iterable[dict[str, Json]]) -> bool:
    """Whether the records are ours: all can be read, and one has what only our format has."""
    proven = False
    for record in records:
        if not set(record) <= _FIELDS:
            return False
        try:
            read_product(_with_floats(record))
        except InvalidRecordError:
            return False
        proven = proven or _is_proof(record)
    return proven


def _is_proof(record: dict[str, Json]) -> bool:
    """Whether the record has a form that no shop's own export has: `amount_minor`, lists of pairs."""
    variants = record.get("variants")
    offers = (
        [record, *(each for each in variants if isinstance(each, dict))] if isinstance(variants, list) else [record]
    )
    prices = [offer.get(name) for offer in offers for name in ("price", "list_price")]
    if any(isinstance(price, dict) and "amount_minor" in price for price in prices) or "visible_to" in record:
        return True
    pairs = [record.get("attributes"), record.get("options")]
    if any(isinstance(pair, list) and pair and isinstance(pair[0], list) for pair in pairs):
        return True
    ours = any(isinstance(pair, dict) for pair in pairs) or isinstance(record.get("category"), list)
    return ours and not _MARKUP.search(str(record.get("description", "")))


def native_product(record: dict[str, Json]) -> Product:
    """The product. Raises `InvalidRecordError`."""
    return product_from_json(_with_floats(record))


def _with_floats(value: Json) -> object:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, list):
        return [_with_floats(each) for each in value]
    if isinstance(value, dict):
        return {name: _with_floats(each) for name, each in value.items()}
    return value
