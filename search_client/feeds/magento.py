"""Magento 2 import and export CSV, and the shorter columns of its sample data: configurables claim their simples."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from datetime import datetime

from search_client.feeds.columns import Binder, Columns, Fields
from search_client.feeds.draft import Draft, Record
from search_client.feeds.names import is_ignored, is_private, label, normal
from search_client.feeds.wordlist import listed
from search_client.feeds.words import yes

COLUMNS: Columns = {
    "sku": ("sku",),
    "store_view": ("store_view_code", "_store", "store"),
    "attribute_set": ("attribute_set_code", "attribute_set", "_attribute_set"),
    "type": ("product_type", "type_id", "_type"),
    "category": ("categories", "category", "_category", "category_path"),
    "title": ("name", "product_name"),
    "description": ("description",),
    "short_description": ("short_description",),
    "brand": ("manufacturer", "brand"),
    "online": ("product_online", "status"),
    "visibility": ("visibility",),
    "price": ("price",),
    "special_price": ("special_price",),
    "special_from": ("special_price_from_date", "special_from_date"),
    "special_to": ("special_price_to_date", "special_to_date"),
    "msrp": ("msrp_price", "msrp"),
    "currency": ("currency", "base_currency"),
    "image": ("base_image", "image"),
    "images": ("additional_images", "media_gallery", "_media_image"),
    "small_image": ("small_image", "thumbnail_image", "thumbnail"),
    "created": ("created_at",),
    "attributes": ("additional_attributes",),
    "quantity": ("qty",),
    "in_stock": ("is_in_stock",),
    "manage_stock": ("manage_stock",),
    "backorders": ("allow_backorders", "backorders"),
    "variations": ("configurable_variations",),
    "simples": ("simples_skus", "associated", "_super_products_sku"),
    "labels": ("configurable_variation_labels",),
    "weight": ("weight",),
    "ean": ("ean", "gtin", "barcode", "upc"),
    "url_key": ("url_key",),
    "unused": (
        "product_websites",
        "_product_websites",
        "tax_class_name",
        "meta_title",
        "meta_keywords",
        "meta_keyword",
        "meta_description",
        "base_image_label",
        "small_image_label",
        "thumbnail_image_label",
        "swatch_image",
        "swatch_image_label",
        "updated_at",
        "new_from_date",
        "new_to_date",
        "display_product_options_in",
        "map_price",
        "map_enabled",
        "gift_message_available",
        "custom_design",
        "custom_design_from",
        "custom_design_to",
        "custom_layout_update",
        "custom_layout",
        "page_layout",
        "product_options_container",
        "msrp_display_actual_price_type",
        "country_of_manufacture",
        "out_of_stock_qty",
        "use_config_min_qty",
        "is_qty_decimal",
        "use_config_backorders",
        "min_cart_qty",
        "use_config_min_sale_qty",
        "max_cart_qty",
        "use_config_max_sale_qty",
        "notify_on_stock_below",
        "use_config_notify_stock_qty",
        "use_config_manage_stock",
        "use_config_qty_increments",
        "qty_increments",
        "use_config_enable_qty_inc",
        "enable_qty_increments",
        "is_decimal_divided",
        "website_id",
        "related_skus",
        "related_position",
        "crosssell_skus",
        "crosssell_position",
        "upsell_skus",
        "upsell_position",
        "additional_image_labels",
        "hide_from_product_page",
        "custom_options",
        "bundle_price_type",
        "bundle_sku_type",
        "bundle_price_view",
        "bundle_weight_type",
        "bundle_values",
        "bundle_shipment_type",
        "associated_skus",
        "grouped_skus",
        "downloadable_links",
        "downloadable_samples",
        "new",
        "sale",
        "gift_wrapping_available",
        "deferred_stock_update",
        "use_config_deferred_stock_update",
        "giftcard_type",
        "giftcard_amount",
        "is_returnable",
        "options_container",
        "required_options",
        "has_options",
        "image_label",
        "tier_prices",
    ),
}
_NOT_ALONE = frozenset(("not visible individually", "1", "nowhere"))
_ROOTS = frozenset(("default category", "root catalog", "default", "root"))
_GATHERINGS = frozenset(
    listed(
        "collections|collection|promotions|promotion|sale|sales|what's new|new|new arrivals|new in|featured|specials|"
        "offers|outlet|brands"
    )
)
_MAX_SKUS = 2_000


class MagentoFormat:
    """Simple goods not shown by themselves are variants of the configurable that names their SKU."""

    name = "magento"

    def __init__(self, binder: Binder, now: datetime) -> None:
        self._binder = binder
        self._sku = ""

    def keeps(self, column: str) -> bool:
        return True

    def drafts(self, record: Record) -> Iterable[Draft]:
        fields = self._binder.bind(record)
        sku = fields.text("sku")
        draft = Draft(record.line, id=sku, sku=sku, title=fields.text("title"))
        if fields.text("store_view").lower() not in ("", "admin", "default", "all"):
            draft.hidden, draft.id = "the texts of one store view", sku or self._sku
            return (draft,)
        if not sku and self._sku and not draft.title and fields.raw("price") is None:
            return ()  # Magento 1 lists further categories and pictures in rows of their own
        if not sku:
            draft.invalid = "no sku"
            return (draft,)
        self._sku = sku
        _fill(draft, fields)
        kind = fields.text("type").lower()
        if kind in ("grouped", "bundle"):
            draft.quantity = None  # counted in what they are made of
        if kind == "configurable" or fields.text("variations") or fields.text("simples"):
            chosen = dict(_variations(fields.text("variations")))
            draft.claims = [normal_sku(other) for other in chosen] or [
                normal_sku(s) for s in _skus(fields.text("simples"))
            ]
            draft.option_values = [
                (name, [f"{normal_sku(other)}\0{value}"]) for other, pairs in chosen.items() for name, value in pairs
            ]
        elif draft.hidden == "not visible individually" or kind in ("simple", "virtual", "downloadable"):
            draft.child_of = normal_sku(sku)
            draft.stands_alone = draft.hidden != "not visible individually"
        if fields.missing & {"title", "price"}:
            draft.invalid = "the row has fewer fields than the header"
        return (draft,)

    def merge(self, rows: list[Draft]) -> Draft:
        product = rows[0]
        if product.child_of or not product.claims:
            return product
        chosen: dict[str, list[tuple[str, str]]] = {}
        for name, (packed,) in product.option_values:
            sku, _, value = packed.partition("\0")
            chosen.setdefault(sku, []).append((label(name), value))
        product.option_values = []
        for row in rows[1:]:
            row.options = chosen.get(normal_sku(row.sku)) or []
            row.attributes = []
            if row.hidden in ("", "not visible individually"):
                row.hidden = ""
                product.variants.append(row)
        named = {name for row in product.variants for name, _ in row.options}
        product.attributes = [pair for pair in product.attributes if pair[0] not in named]
        if any(row.price is not None for row in product.variants):
            product.price = product.sale_price = product.list_price = None
        if product.variants:
            product.quantity = None
            product.availability = product.availability if product.availability == "out of stock" else ""
        return product


def normal_sku(text: str) -> str:
    """A SKU as Magento compares it: without case."""
    return text.strip().casefold()


def _fill(draft: Draft, fields: Fields) -> None:
    draft.description = [text for name in ("short_description", "description") if (text := fields.text(name))]
    draft.brand, draft.gtin = fields.text("brand"), fields.text("ean")
    draft.category, draft.tags = _categories(fields.text("category"))
    draft.price, draft.sale_price = fields.raw("price"), fields.raw("special_price")
    draft.sale_dates = (fields.text("special_from"), fields.text("special_to"))
    draft.list_price, draft.currency = fields.raw("msrp"), fields.text("currency")
    draft.images = [*fields.texts("image"), *_split_images(fields)]
    draft.added_at = fields.text("created")
    draft.quantity = fields.raw("quantity")
    draft.untracked = bool(fields.text("manage_stock")) and not yes(fields.text("manage_stock"), default=True)
    draft.backorder = fields.text("backorders") in ("1", "2", "1.0000", "2.0000")
    if stocked := fields.text("in_stock"):
        draft.availability = "in stock" if yes(stocked.removesuffix(".0000"), default=True) else "out of stock"
    draft.attributes = list(_attributes(fields))
    weight = fields.text("weight")
    weight = weight.rstrip("0").rstrip(".") if "." in weight else weight
    if weight.strip("0"):
        draft.attributes.append(("Weight", weight))
    draft.hidden = _hidden(fields)


def _hidden(fields: Fields) -> str:
    online = fields.text("online").lower()
    if online and online not in ("1", "enabled", "yes", "true", "1.0000"):
        return "not online"
    return "not visible individually" if fields.text("visibility").lower() in _NOT_ALONE else ""


def _categories(text: str) -> tuple[list[str], list[str]]:
    """The deepest path without the root, and the leaves of the others."""
    if "\n" in text:
        return _listed_categories([line.strip() for line in text.split("\n") if line.strip()])
    paths = [[level.strip() for level in path.split("/") if level.strip()] for path in _parted(text)]
    paths = [path[1:] if path and path[0].casefold() in _ROOTS else path for path in paths]
    paths = [path for path in paths if path]
    if not paths:
        return [], []
    deepest = max(paths, key=len)
    leaves = [path[-1] for path in paths if path != deepest and path[-1] not in deepest]
    return [" > ".join(deepest)], list(dict.fromkeys(leaves))


def _parted(text: str) -> list[str]:
    """The paths of a cell. Where the first begins at the root all do, and a comma elsewhere is part of a name."""
    parts: list[str] = []
    for part in text.split(","):
        if parts and _begins_at_root(parts[0]) and not _begins_at_root(part):
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    return parts


def _begins_at_root(path: str) -> bool:
    return path.partition("/")[0].strip().casefold() in _ROOTS


def _listed_categories(lines: list[str]) -> tuple[list[str], list[str]]:
    """Lines of a cell are levels down to the first group that shows goods of any kind; what follows are tags."""
    if any("/" in line for line in lines):
        return _categories(",".join(lines))
    kinds = list(itertools.takewhile(lambda line: line.casefold() not in _GATHERINGS, lines))
    return kinds or lines[:1], [line for line in lines[len(kinds) or 1 :] if line.casefold() not in _GATHERINGS]


def _split_images(fields: Fields) -> Iterator[str]:
    for text in fields.texts("images") or fields.texts("small_image"):
        yield from (part.strip() for part in text.split(",") if part.strip())


def _attributes(fields: Fields) -> Iterator[tuple[str, str]]:
    for name, value in packed_pairs(fields.text("attributes")):
        if not is_private(name) and not is_ignored(name) and value:
            yield from ((label(name), part.strip()) for part in value.split("|"))
    for name, value in fields.facts():
        parts = [part.strip() for part in value.split("\n") if part.strip()]
        yield from ((name, part) for part in (["Yes"] if parts == ["1"] else parts))


def packed_pairs(text: str) -> Iterator[tuple[str, str]]:
    """`color=Red,size=55 cm,"note=a, b"`: a comma begins a new pair only where a name and `=` follow."""
    name, value = "", ""
    for part in text.split(","):
        key, equals, rest = part.partition("=")
        if equals and key.strip().strip('"').replace("_", "").isalnum():
            if name:
                yield name, _unquoted(value)
            quoted = key.strip().startswith('"')
            name, value = key.strip().strip('"'), f'"{rest}' if quoted else rest
        elif name:
            value += f",{part}"
    if name:
        yield name, _unquoted(value)


def _unquoted(text: str) -> str:
    """The text without the pair of quotes around it; the sign for inches at its end stays."""
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _variations(text: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """`sku=A,color=Red|sku=B,color=Blue`: SKUs with their option values."""
    for part in text.split("|")[:_MAX_SKUS]:
        pairs = list(packed_pairs(part))
        sku = next((value for name, value in pairs if normal(name) == "sku"), "")
        if sku:
            yield (
                sku,
                [(name, value) for name, value in pairs if normal(name) not in ("sku", "display", "default", "price")],
            )


def _skus(text: str) -> list[str]:
    return [part.strip() for part in text.replace("|", ",").split(",") if part.strip()][:_MAX_SKUS]
