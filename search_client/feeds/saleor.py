"""Saleor's database as fixtures: products, variants, prices, stock and values in records of their own, joined here.

The records are kept in a scratch database, so that memory stays flat; what comes out has the shape of plain JSON.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from decimal import Decimal, InvalidOperation

from search_client.feeds.columns import as_list, as_text
from search_client.feeds.draft import Json, Record
from search_client.feeds.grouping import scratch

_OWNERS = ("product", "product_variant", "variant", "assignment")
"""Fields by which a record names the one it belongs to, the first that is there."""
_MAX_DEPTH = 8


def is_saleor(sample: list[dict[str, Json]]) -> bool:
    """Whether the records are fixtures with products among them or to come."""
    return bool(sample) and all({"model", "pk", "fields"} <= data.keys() for data in sample)


def joined(records: Iterable[Record]) -> Iterator[Record]:
    """One record a product, with all that belongs to it."""
    with closing(scratch()) as connection:
        connection.execute("CREATE TABLE rows (model TEXT, pk TEXT, owner TEXT, line INTEGER, data TEXT)")
        connection.execute("BEGIN")
        for record in records:
            fields = record.data.get("fields")
            if isinstance(fields, dict):
                owner = next((as_text(fields[name]) for name in _OWNERS if fields.get(name) is not None), "")
                row = (as_text(record.data.get("model")), as_text(record.data.get("pk")), owner, record.line)
                connection.execute("INSERT INTO rows VALUES (?, ?, ?, ?, ?)", (*row, json.dumps(fields, default=str)))
        connection.execute("CREATE INDEX by_pk ON rows (model, pk)")
        connection.execute("CREATE INDEX by_owner ON rows (model, owner)")
        database = _Fixtures(connection)
        query = "SELECT pk, line, data FROM rows WHERE model = 'product.product' ORDER BY line, rowid"
        for pk, line, data in connection.execute(query):
            yield Record(line, database.product(pk, json.loads(data)))


class _Fixtures:
    """Looks records up by key and by owner."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def product(self, pk: str, fields: dict[str, Json]) -> dict[str, Json]:
        listings = self._owned("product.productchannellisting", pk)
        published = [each.get("is_published") for _, each in listings] or [fields.get("is_published", True)]
        media = [*self._owned("product.productmedia", pk), *self._owned("product.productimage", pk)]
        variants = [self._variant(key, each, fields) for key, each in self._owned("product.productvariant", pk)]
        return {
            "id": pk,
            "title": fields.get("name"),
            "description": _text(fields),
            "category": " > ".join(self._path(as_text(fields.get("category")), 0)),
            "images": [each.get("image") for _, each in media],
            "attributes": [*self._values("product", pk)],
            "variants": list(variants),
            "status": "active" if any(published) else "not published",
            "hidden": not any(published),
            "created at": fields.get("created_at") or fields.get("created"),
        }

    def _variant(self, pk: str, fields: dict[str, Json], product: dict[str, Json]) -> dict[str, Json]:
        listings = sorted(self._owned("product.productvariantchannellisting", pk), key=lambda each: int(each[0]))
        prices = [each for _, each in listings if each.get("price_amount") is not None]
        offer = prices[0] if prices else {}
        names = ("price_amount", "price_override_amount", "price")
        found = [source.get(name) for source in (offer, fields, product) for name in names]
        currency = next((each.get("currency") for each in (offer, fields, product) if each.get("currency")), None)
        stock = [each.get("quantity") for _, each in self._owned("warehouse.stock", pk)]
        counted = [each for each in stock if isinstance(each, int)]
        options = self._values("variant", pk) or [{"name": "Variant", "value": fields.get("name") or None}]
        return {
            "id": fields.get("sku") or pk,
            "sku": fields.get("sku"),
            "price": _exact(next((price for price in found if price is not None), None)),
            "sale price": _exact(offer.get("discounted_price_amount")),
            "currency": currency,
            "quantity": sum(counted) if counted else fields.get("quantity"),
            "options": list(options),
        }

    def _values(self, kind: str, pk: str) -> list[Json]:
        """Names and values assigned to a product or variant, as old and new versions keep them."""
        keys: list[str] = []
        for assignment, fields in self._owned(f"attribute.assigned{kind}attribute", pk):
            keys += [as_text(value) for value in as_list(fields.get("values"))]
            inner = self._owned(f"attribute.assigned{kind}attributevalue", assignment)
            keys += [as_text(each.get("value")) for _, each in inner]
        keys += [as_text(each.get("value")) for _, each in self._owned(f"attribute.assigned{kind}attributevalue", pk)]
        found: list[Json] = []
        for key in dict.fromkeys(keys):
            value = self._one("attribute.attributevalue", key)
            attribute = self._one("attribute.attribute", as_text(value.get("attribute")))
            if value.get("name") and attribute.get("visible_in_storefront", True) and attribute.get("name"):
                found.append({"name": attribute["name"], "value": value["name"]})
        return found

    def _path(self, pk: str, depth: int) -> list[str]:
        """Names from the widest category to this one."""
        fields = self._one("product.category", pk) if pk and depth < _MAX_DEPTH else {}
        name = as_text(fields.get("name"))
        return [*self._path(as_text(fields.get("parent")), depth + 1), name] if name else []

    def _one(self, model: str, pk: str) -> dict[str, Json]:
        query = "SELECT data FROM rows WHERE model = ? AND pk = ?"
        row = self._connection.execute(query, (model, pk)).fetchone()
        return dict(json.loads(row[0])) if row else {}

    def _owned(self, model: str, owner: str) -> list[tuple[str, dict[str, Json]]]:
        query = "SELECT pk, data FROM rows WHERE model = ? AND owner = ? ORDER BY rowid"
        return [(pk, dict(json.loads(data))) for pk, data in self._connection.execute(query, (model, owner))]


def _exact(value: Json) -> Json:
    """Saleor writes three decimals whatever the currency: a number, not a matter of thousands."""
    try:
        return Decimal(as_text(value)) if as_text(value) else None
    except InvalidOperation:
        return None


def block_text(text: str) -> str:
    """The words of a description kept as an editor's blocks; any other text as it is."""
    is_blocks = text.startswith("{") and '"blocks"' in text
    return (_text({"description": text}) or text) if is_blocks else text


def _text(fields: dict[str, Json]) -> str:
    """The description as text: plain, HTML or the blocks of an editor."""
    if plain := as_text(fields.get("description_plaintext")):
        return plain
    description = fields.get("description")
    if isinstance(description, str) and description.lstrip().startswith("{"):
        try:
            description = json.loads(description)
        except ValueError:
            return ""
    if not isinstance(description, dict):
        return as_text(description)
    texts = [
        as_text(data.get("text")) or as_text(block.get("text"))
        for block in as_list(description.get("blocks"))
        if isinstance(block, dict) and isinstance(data := block.get("data", {}), dict)
    ]
    return "\n".join(filter(None, texts))
