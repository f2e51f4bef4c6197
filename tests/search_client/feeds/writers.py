"""The formats of shops, written: what an export of a catalog looks like on each platform."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.sax.saxutils import escape

from search_client.models import Availability, Money, Product, Variant

Offer = Product | Variant
Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """How a table is saved."""

    delimiter: str = ","
    line_end: str = "\r\n"
    quoted: bool = False
    """Every cell, or only those that need it."""

    def write(self, rows: Sequence[Row]) -> str:
        file = io.StringIO()
        columns = list(dict.fromkeys(name for row in rows for name in row))
        kind: Literal[0, 1] = csv.QUOTE_ALL if self.quoted else csv.QUOTE_MINIMAL
        writer = csv.DictWriter(
            file, columns, restval="", delimiter=self.delimiter, lineterminator=self.line_end, quoting=kind
        )
        writer.writeheader()
        writer.writerows(rows)
        return file.getvalue()


def as_html(text: str) -> str:
    """Text as a shop's editor saves it."""
    return "".join(f"<p>{html.escape(line)}</p>\n" for line in text.split("\n"))


def amount(money: Money | None) -> str:
    return money.decimal if money else ""


def offers_of(product: Product) -> Sequence[Offer]:
    """What is sold: the variants, or the product itself."""
    return product.variants or (product,)


def full_price(offer: Offer) -> Money | None:
    return offer.list_price or offer.price


def sale_price(offer: Offer) -> Money | None:
    return offer.price if offer.list_price else None


def shopify(products: Iterable[Product], sheet: Sheet) -> str:
    """One row a variant under the product's handle, further rows for its pictures."""
    return sheet.write([row for product in products for row in _shopify_rows(product)])


def _shopify_rows(product: Product) -> list[Row]:
    rows: list[Row] = []
    for offer in offers_of(product):
        row = {"Handle": product.id, "Variant SKU": offer.sku or "", "Variant Price": amount(offer.price)}
        row["Variant Compare At Price"] = amount(offer.list_price)
        row["Variant Inventory Tracker"] = "" if offer.quantity is None else "shopify"
        row["Variant Inventory Qty"] = "0" if offer.quantity is None else str(offer.quantity)
        row["Variant Inventory Policy"] = "continue" if offer.availability is Availability.BACKORDER else "deny"
        row["Variant Barcode"] = offer.gtin or ""
        for number, (name, value) in enumerate(_options(offer) or [("Title", "Default Title")], 1):
            row |= {f"Option{number} Name": "" if rows else name, f"Option{number} Value": value}
        rows.append(row)
    head = {
        "Title": product.title,
        "Body (HTML)": as_html(product.description),
        "Vendor": product.brand or "",
        "Type": product.category[-1] if product.category else "",
        "Tags": ", ".join(product.tags),
        "Published": "true",
        "Status": "active",
    }
    rows[0] |= head
    pictures = [{"Handle": product.id} for _ in product.images[len(rows) :]]
    rows += pictures
    for row, image in zip(rows, product.images, strict=False):
        row["Image Src"] = image
    return rows


def _options(offer: Offer) -> list[tuple[str, str]]:
    return list(offer.options) if isinstance(offer, Variant) else []


def woocommerce(products: Iterable[Product], sheet: Sheet) -> str:
    """A row for each product and, under it, one for each variation, which names its parent."""
    rows: list[Row] = []
    for product in products:
        row = _woo_row(product) | {"Type": "variable" if product.variants else "simple", "Name": product.title}
        row["Categories"] = " > ".join(_woo_cell([level]) for level in product.category)
        row |= {"Description": as_html(product.description), "Tags": _woo_cell(product.tags)}
        row |= {"Images": ", ".join(product.images), "Brands": _woo_cell([product.brand] if product.brand else [])}
        for number, (name, values) in enumerate(product.options, 1):
            row |= {f"Attribute {number} name": name, f"Attribute {number} value(s)": _woo_cell(values)}
        rows.append(row)
        for variant in product.variants:
            own = _woo_row(variant) | {"Type": "variation", "Name": product.title, "Parent": f"id:{product.id}"}
            for number, (name, value) in enumerate(variant.options, 1):
                own |= {f"Attribute {number} name": name, f"Attribute {number} value(s)": _woo_cell([value])}
            rows.append(own)
    return sheet.write(rows)


def _woo_row(offer: Offer) -> Row:
    return {
        "ID": offer.id,
        "SKU": offer.sku or "",
        "Published": "1",
        "Visibility in catalog": "visible",
        "In stock?": "1" if offer.availability is Availability.IN_STOCK else "0",
        "Stock": "" if offer.quantity is None else str(offer.quantity),
        "Backorders allowed?": "1" if offer.availability is Availability.BACKORDER else "0",
        "Sale price": amount(sale_price(offer)),
        "Regular price": amount(full_price(offer)),
        "GTIN, UPC, EAN, or ISBN": offer.gtin or "",
    }


def _woo_cell(values: Iterable[str]) -> str:
    return ", ".join(value.replace(",", "\\,") for value in values)


def magento(products: Iterable[Product], sheet: Sheet) -> str:
    """Simple goods first, then the configurable that names them."""
    rows: list[Row] = []
    for product in products:
        for variant in product.variants:
            own = _magento_row(variant) | {"name": product.title, "visibility": "Not Visible Individually"}
            packed = ",".join(f"{name.lower()}={value}" for name, value in variant.options)
            rows.append(own | {"product_type": "simple", "additional_attributes": packed})
        row = _magento_row(product) | {"name": product.title, "visibility": "Catalog, Search"}
        row |= {"description": as_html(product.description), "manufacturer": product.brand or ""}
        row["categories"] = "/".join(("Default Category", *product.category))
        row |= {"product_type": "configurable" if product.variants else "simple"}
        row["configurable_variations"] = "|".join(
            ",".join([f"sku={variant.sku}", *(f"{name.lower()}={value}" for name, value in variant.options)])
            for variant in product.variants
        )
        rows.append(row)
    return sheet.write(rows)


def _magento_row(offer: Offer) -> Row:
    return {
        "sku": offer.sku or offer.id,
        "attribute_set_code": "Default",
        "product_online": "1",
        "price": amount(full_price(offer)) + ("00" if offer.price and "." in offer.price.decimal else ""),
        "special_price": amount(sale_price(offer)),
        "qty": "" if offer.quantity is None else f"{offer.quantity}.0000",
        "is_in_stock": "1" if offer.availability is Availability.IN_STOCK else "0",
        "allow_backorders": "1" if offer.availability is Availability.BACKORDER else "0",
    }


def google_table(products: Iterable[Product], sheet: Sheet) -> str:
    """Google's product data, one row an item; a group brings variants together."""
    return sheet.write([row for product in products for row in _google_rows(product)])


def google_xml(products: Iterable[Product], sheet: Sheet) -> str:
    """The same as RSS. `sheet` says only how lines end."""
    items = "".join(
        "<item>" + "".join(f"<g:{name}>{escape(value)}</g:{name}>" for name, value in row.items() if value) + "</item>"
        for product in products
        for row in _google_rows(product)
    )
    head = f'<?xml version="1.0" encoding="UTF-8"?>{sheet.line_end}<rss xmlns:g="http://base.google.com/ns/1.0">'
    return f"{head}<channel>{items}</channel></rss>"


def _google_rows(product: Product) -> Iterable[Row]:
    states = {Availability.IN_STOCK: "in_stock", Availability.BACKORDER: "backorder"}
    for offer in offers_of(product):
        yield {
            "id": offer.id,
            "title": product.title,
            "description": as_html(product.description),
            "link": product.url or "",
            "image_link": next(iter(product.images), ""),
            "price": _named(full_price(offer)),
            "sale_price": _named(sale_price(offer)),
            "availability": states.get(offer.availability, "out of stock"),
            "brand": product.brand or "",
            "gtin": offer.gtin or "",
            "product_type": " > ".join(product.category),
            "item_group_id": product.id if product.variants else "",
            **{name.lower(): value for name, value in _options(offer)},
        }


def _named(money: Money | None) -> str:
    return f"{money.decimal} {money.currency}" if money else ""


def protocol_json(products: Iterable[Product], sheet: Sheet) -> str:
    """The nested feed of the Agentic Commerce Protocol, in minor units."""
    return json.dumps(
        {"products": [_protocol_product(product) for product in products]}, indent=1 if sheet.quoted else None
    )


def _protocol_product(product: Product) -> dict[str, object]:
    return {
        "id": product.id,
        "title": product.title,
        "description": {"html": as_html(product.description)},
        "brand": product.brand,
        "categories": [{"value": " > ".join(product.category)}],
        "tags": list(product.tags),
        "media": [{"type": "image", "url": image} for image in product.images],
        "variants": [
            {
                **_protocol_offer(offer),
                "variant_options": [{"name": name, "value": value} for name, value in _options(offer)],
            }
            for offer in offers_of(product)
        ],
    }


def _protocol_offer(offer: Offer) -> dict[str, object]:
    prices = {"price": offer.price, "list_price": offer.list_price}
    return {
        "id": offer.id,
        "sku": offer.sku,
        **{name: {"amount": money.amount_minor, "currency": money.currency} for name, money in prices.items() if money},
        "availability": {"status": offer.availability.value, "quantity": offer.quantity},
    }


def protocol_table(products: Iterable[Product], sheet: Sheet) -> str:
    """The flat feed of the Agentic Commerce Protocol."""
    rows = []
    for product in products:
        for offer, row in zip(offers_of(product), _google_rows(product), strict=True):
            options = enumerate(_options(offer), 1)
            custom = {
                key: text
                for number, (name, value) in options
                for key, text in (
                    (f"custom_variant{number}_category", name),
                    (f"custom_variant{number}_option", value),
                )
            }
            stock = {"inventory_quantity": "" if offer.quantity is None else str(offer.quantity)}
            group = {"item_group_title": product.title if product.variants else ""}
            rows.append({"enable_search": "true", "seller_name": "Shop", **row, **stock, **group, **custom})
    return sheet.write(rows)


Writer = Callable[[Iterable[Product], Sheet], str]
