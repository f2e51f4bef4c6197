"""Vendure product CSV: a filled name begins a product, the rows below it without one are its variants."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from search_client.feeds.columns import Binder, Columns, Fields
from search_client.feeds.draft import Draft, Record
from search_client.feeds.names import is_private, label
from search_client.feeds.words import yes

COLUMNS: Columns = {
    "title": ("name",),
    "slug": ("slug",),
    "description": ("description",),
    "images": ("assets",),
    "facets": ("facets",),
    "option_groups": ("optionGroups",),
    "option_values": ("optionValues",),
    "sku": ("sku",),
    "price": ("price",),
    "quantity": ("stockOnHand",),
    "tracked": ("trackInventory",),
    "variant_images": ("variantAssets",),
    "variant_facets": ("variantFacets",),
    "enabled": ("enabled",),
    "unused": ("taxCategory",),
}


class VendureFormat:
    """Rows by the name above them; facets hold category and brand, options stand in the order of their groups."""

    name = "vendure"

    def __init__(self, binder: Binder, now: datetime) -> None:
        self._binder = binder
        self._current = ""

    def keeps(self, column: str) -> bool:
        return False

    def drafts(self, record: Record) -> Iterable[Draft]:
        fields = self._binder.bind(record)
        title = fields.text("title")
        if title:
            self._current = fields.text("slug") or fields.text("sku") or title
        draft = Draft(record.line, id=self._current, group=self._current, title=title)
        draft.description = fields.texts("description")
        draft.images = _split(fields.text("images"))
        draft.sku, draft.price, draft.quantity = fields.text("sku"), fields.raw("price"), fields.raw("quantity")
        draft.untracked = bool(fields.text("tracked")) and not yes(fields.text("tracked"), default=True)
        _fill_facets(draft, fields.text("facets"))
        groups = [name.rpartition(":")[0] or name for name in _split(fields.text("option_groups"))]
        draft.option_values = [(name, []) for name in groups]
        draft.options = [("", value) for value in _split(fields.text("option_values"))]
        draft.variants = [_variant(fields, record.line)]
        draft.hidden = "" if yes(fields.text("enabled"), default=True) else "not enabled"
        if not self._current:
            draft.invalid = "a variant without a product above it"
        return (draft,)

    def merge(self, rows: list[Draft]) -> Draft:
        product = rows[0]
        names = [name for name, _ in product.option_values]
        variants: list[Draft] = []
        for row in rows:
            variant = row.variants[0]
            values = [value for _, value in row.options]
            if len(values) != len(names):
                product.repairs.append(("option values do not match the option groups", "|".join(values)))
                values, own_names = (["|".join(values)] if values else []), ["Variant"]
            else:
                own_names = [label(name) for name in names]
            variant.options = list(zip(own_names, values, strict=False))
            variants.append(variant)
        product.option_values, product.options = [], []
        if len(variants) == 1 and not variants[0].options:
            product.variants = []
        else:
            product.variants = variants
            product.price = product.quantity = None
            product.sku = ""
        return product


def _variant(fields: Fields, line: int) -> Draft:
    variant = Draft(line, id=fields.text("sku"), sku=fields.text("sku"), price=fields.raw("price"))
    variant.quantity = fields.raw("quantity")
    variant.untracked = bool(fields.text("tracked")) and not yes(fields.text("tracked"), default=True)
    variant.images = _split(fields.text("variant_images"))
    return variant


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split("|") if part.strip()]


def _fill_facets(draft: Draft, text: str) -> None:
    for part in _split(text):
        name, _, value = part.partition(":")
        value = value.rpartition(":")[2].strip() if value.count(":") else value.strip()
        if name.casefold() == "category":
            draft.category.append(value)
        elif name.casefold() == "brand":
            draft.brand = value
        elif value and not is_private(name):
            draft.attributes.append((label(name), value))
