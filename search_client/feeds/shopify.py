"""Shopify product CSV, old and new column names, and the exports of Matrixify: one row a variant or picture."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from search_client.feeds.columns import Binder, Columns, Fields
from search_client.feeds.draft import Draft, Record
from search_client.feeds.words import yes

COLUMNS: Columns = {
    "id": ("Handle", "URL handle"),
    "title": ("Title",),
    "description": ("Body (HTML)", "Body HTML", "Description"),
    "brand": ("Vendor",),
    "category": ("Product Category", "Category: Name", "Standardized Product Type", "Standard Product Type"),
    "type": ("Type", "Custom Product Type"),
    "google_category": ("Google Shopping / Google Product Category",),
    "tags": ("Tags",),
    "published": ("Published", "Published on online store", "Published status"),
    "status": ("Status",),
    "option_name": ("Option# Name",),
    "option_value": ("Option# Value",),
    "option_linked": ("Option# Linked To",),
    "sku": ("Variant SKU", "SKU"),
    "gtin": ("Variant Barcode", "Barcode"),
    "price": ("Variant Price", "Price"),
    "list_price": ("Variant Compare At Price", "Compare-at price", "Compare At Price"),
    "tracker": ("Variant Inventory Tracker", "Inventory tracker"),
    "quantity": ("Variant Inventory Qty", "Inventory quantity"),
    "policy": ("Variant Inventory Policy",),
    "continue": ("Continue selling when out of stock",),
    "image": ("Image Src", "Product image URL", "Image URL"),
    "variant_image": ("Variant Image", "Variant image URL"),
    "mpn": ("Google Shopping / MPN",),
    "gender": ("Google Shopping / Gender",),
    "age_group": ("Google Shopping / Age Group",),
    "condition": ("Google Shopping / Condition",),
    "created": ("Created At",),
    "weight": ("Variant Weight",),
    "unused": (
        "Variant Grams",
        "Weight value (grams)",
        "Variant Weight Unit",
        "Weight unit for display",
        "Variant Fulfillment Service",
        "Fulfillment service",
        "Variant Requires Shipping",
        "Requires shipping",
        "Variant Taxable",
        "Charge tax",
        "Variant Tax Code",
        "Tax code",
        "Image Position",
        "Image Alt Text",
        "Gift Card",
        "SEO Title",
        "SEO Description",
        "Variant ID",
        "Variant Position",
        "Variant Inventory Item ID",
        "ID",
        "Command",
        "Tags Command",
        "Row #",
        "Top Row",
        "Template Suffix",
        "Published At",
        "Published Scope",
        "Variant Command",
        "Image Command",
        "Image Type",
        "Image Width",
        "Image Height",
        "Total Inventory Qty",
        "URL",
    ),
}
SIGNATURE = frozenset(("handle", "url handle"))
_OPTIONS = (1, 2, 3)
_INTERNAL = re.compile(
    r"google shopping|^included|^price /|^compare at price /|mm google shopping|^metafield|metafields\.mm-google",
    re.IGNORECASE,
)


class ShopifyFormat:
    """Rows of one handle make a product; the first carries title and description."""

    name = "shopify"

    def __init__(self, binder: Binder, now: datetime) -> None:
        self._binder = binder

    def keeps(self, column: str) -> bool:
        return not _INTERNAL.search(column)

    def drafts(self, record: Record) -> Iterable[Draft]:
        fields = self._binder.bind(record)
        draft = Draft(record.line, id=fields.text("id"), group=fields.text("id"), title=fields.text("title"))
        draft.description = fields.texts("description")
        draft.brand = fields.text("brand")
        draft.category = [fields.text("category") or fields.text("type") or fields.text("google_category")]
        draft.tags = [tag.strip() for tag in fields.text("tags").split(",") if tag.strip()]
        draft.price, draft.list_price = fields.raw("price"), fields.raw("list_price")
        draft.sku, draft.gtin, draft.mpn = fields.text("sku"), fields.text("gtin"), fields.text("mpn")
        draft.added_at = fields.text("created")
        draft.images = fields.texts("image")
        draft.option_values = [(fields.text(f"option_name{n}"), [fields.text(f"option_value{n}")]) for n in _OPTIONS]
        draft.attributes = _attributes(fields)
        _fill_stock(draft, fields, counted="tracker" in self._binder.present)
        draft.hidden = _hidden(fields)
        draft.stands_alone = _is_variant(fields)
        draft.variants = [Draft(record.line, images=fields.texts("variant_image"))]
        if not draft.id:
            draft.invalid = "the row has no handle"
        elif fields.missing & {"price", "title"} and not fields.text("image"):
            draft.invalid = "the row has fewer fields than the header"
        return (draft,)

    def merge(self, rows: list[Draft]) -> Draft:
        product = next((row for row in rows if row.title), rows[0])
        names = [next((row.option_values[n][0] for row in rows if row.option_values[n][0]), "") for n in range(3)]
        sellable = [row for row in rows if row.stands_alone]
        product.images = list(dict.fromkeys(image for row in rows for image in (*row.images, *row.variants[0].images)))
        product.hidden = next((row.hidden for row in rows if row.hidden), "")
        for row in sellable:
            row.options = _chosen(names, row)
        variants = [_variant(row) for row in sellable]
        product.option_values = []
        if len(variants) == 1 and not variants[0].options:
            only = sellable[0]
            product.sku, product.gtin, product.price, product.list_price = (
                only.sku,
                only.gtin,
                only.price,
                only.list_price,
            )
            product.quantity, product.untracked, product.backorder = only.quantity, only.untracked, only.backorder
            product.variants = []
        else:
            product.variants = variants
            product.price = product.list_price = product.quantity = None
            product.sku = product.gtin = ""
            product.untracked = False
        product.options = []
        return product


def _is_variant(fields: Fields) -> bool:
    """Whether the row sells something, rather than adding a picture."""
    return any(fields.text(name) for name in ("price", "sku", "gtin", "option_value1", "title", "policy", "tracker"))


def _chosen(names: list[str], row: Draft) -> list[tuple[str, str]]:
    """The row's option values. Shopify writes `Title: Default Title` where a product has no options."""
    pairs = [
        (name or f"Option {n}", values[0])
        for n, (name, (_, values)) in enumerate(zip(names, row.option_values, strict=True), 1)
    ]
    return [(name, value) for name, value in pairs if value and value != "Default Title"]


def _variant(row: Draft) -> Draft:
    return Draft(
        row.line,
        id=row.sku,
        sku=row.sku,
        gtin=row.gtin,
        price=row.price,
        list_price=row.list_price,
        quantity=row.quantity,
        untracked=row.untracked,
        backorder=row.backorder,
        availability=row.availability,
        options=row.options,
        images=row.variants[0].images,
    )


def _fill_stock(draft: Draft, fields: Fields, *, counted: bool) -> None:
    """`counted`: the file says which goods are counted; those that are not can always be bought."""
    draft.untracked = counted and not fields.text("tracker")
    draft.quantity = None if draft.untracked else fields.raw("quantity")
    policies = (fields.text("policy").lower(), fields.text("continue").lower())
    draft.backorder = "continue" in policies or yes(policies[1], default=False)


def _hidden(fields: Fields) -> str:
    status = fields.text("status").lower()
    if status and status != "active":
        return f"status {status[:20]}"
    if fields.text("published") and not yes(fields.text("published"), default=True):
        return "not published"
    return ""


def _attributes(fields: Fields) -> list[tuple[str, str]]:
    pairs = [(name.replace("_", " ").capitalize(), fields.text(name)) for name in ("gender", "age_group")]
    kept = [(name, value) for name, value in fields.extras if not _INTERNAL.search(name)]
    return [*pairs, *Fields(fields.line, {}, kept).facts()]
