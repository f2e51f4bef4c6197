"""Google Merchant feeds, as XML (RSS, Atom), TSV or CSV, with their attribute names in English or localised."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from search_client.feeds.columns import Binder, Columns, Fields
from search_client.feeds.draft import Draft, Record
from search_client.feeds.merging import merged_group
from search_client.feeds.names import label
from search_client.feeds.words import moment, quantity

COLUMNS: Columns = {
    "id": ("id", "ID", "item id", "offer id", "identifiant", "artikelnummer"),
    "title": ("title", "titel", "titre", "título", "titolo", "structured title.content", "name"),
    "description": (
        "description",
        "beschreibung",
        "descripción",
        "descrizione",
        "omschrijving",
        "summary",
        "content",
        "structured description.content",
    ),
    "highlights": ("product highlight",),
    "url": ("link", "lien", "enlace", "link.href", "canonical link", "url"),
    "image": ("image link", "bildlink", "lien image", "enlace imagen", "image url", "image"),
    "images": ("additional image link", "zusätzlicher bildlink", "additional image urls", "additional images"),
    "availability": ("availability", "verfügbarkeit", "disponibilité", "disponibilidad", "disponibilità"),
    "price": ("price", "preis", "prix", "precio", "prezzo", "prijs"),
    "sale_price": ("sale price", "sonderpreis", "prix soldé", "precio de oferta", "prezzo scontato"),
    "sale_dates": ("sale price effective date",),
    "brand": ("brand", "marke", "marque", "marca", "merk", "manufacturer"),
    "gtin": ("gtin", "ean", "upc", "isbn"),
    "mpn": ("mpn",),
    "type": ("product type", "produkttyp", "category"),
    "google_category": ("google product category",),
    "group": ("item group id",),
    "condition": ("condition", "zustand", "état", "estado"),
    "color": ("color", "colour", "farbe", "couleur"),
    "size": ("size", "größe", "taille", "talla"),
    "material": ("material",),
    "pattern": ("pattern",),
    "gender": ("gender",),
    "age_group": ("age group",),
    "currency": ("currency", "price currency"),
    "quantity": ("quantity to sell on facebook", "inventory", "sell on google quantity", "stock", "quantity"),
    "rating": ("product rating", "rating", "average rating"),
    "rating_count": ("review count", "rating count", "number of ratings"),
    "detail": ("product detail",),
    "detail_section": ("product detail.section name",),
    "detail_name": ("product detail.attribute name",),
    "detail_value": ("product detail.attribute value",),
    "expires": ("expiration date",),
    "released": ("disclosure date",),
    "shipping": ("shipping", "shipping.price", "versand"),
    "unused": (
        "availability date",
        "mobile link",
        "ads redirect",
        "adwords redirect",
        "lifestyle image link",
        "identifier exists",
        "adult",
        "size type",
        "size system",
        "shipping.country",
        "shipping.service",
        "shipping.region",
        "shipping label",
        "shipping weight",
        "shipping length",
        "shipping width",
        "shipping height",
        "tax",
        "tax.rate",
        "tax.country",
        "tax category",
        "installment",
        "installment.months",
        "installment.amount",
        "subscription cost",
        "subscription cost.period",
        "subscription cost.period length",
        "subscription cost.amount",
        "loyalty program",
        "loyalty points",
        "unit pricing measure",
        "unit pricing base measure",
        "promotion id",
        "excluded destination",
        "included destination",
        "shopping ads excluded country",
        "min handling time",
        "max handling time",
        "transit time label",
        "ships from country",
        "return policy label",
        "external seller id",
        "pause",
        "pubDate",
        "guid",
        "link.rel",
        "link.type",
        "custom number #",
        "guid.isPermaLink",
        "updated",
        "published",
        "author",
        "author.name",
        "comments",
        "virtual model link",
        "cost of goods sold",
        "display ads id",
        "display ads link",
        "display ads title",
        "display ads value",
        "display ads similar id",
        "is bundle",
        "multipack",
        "pickup method",
        "pickup sla",
        "google product category.id",
        "certification",
        "store code",
        "feed label",
        "content language",
        "target country",
        "channel",
    ),
}
_FACTS = ("color", "size", "material", "pattern", "gender", "age_group", "condition")
_PARTS = ("color", "size", "material", "pattern", "gender", "age_group")


class GoogleFormat:
    """One item a variant; `item_group_id` brings them together."""

    name = "google"

    def __init__(self, binder: Binder, now: datetime) -> None:
        self._binder = binder
        self._now = now

    def keeps(self, column: str) -> bool:
        return True

    def drafts(self, record: Record) -> Iterable[Draft]:
        fields = self._binder.bind(record)
        draft = Draft(record.line, id=fields.text("id"), title=fields.text("title"), group=fields.text("group"))
        draft.description = [
            part for part in (fields.text("description"), "\n".join(fields.texts("highlights"))) if part
        ]
        draft.url = fields.text("url")
        draft.images = [*fields.texts("image"), *fields.texts("images")]
        draft.brand, draft.gtin, draft.mpn = fields.text("brand"), fields.text("gtin"), fields.text("mpn")
        draft.category = [fields.text("type") or fields.text("google_category")]
        if draft.category[0].isdigit():
            draft.category = []  # a number of Google's own taxonomy says nothing to a shopper
        draft.price, draft.sale_price = fields.raw("price"), fields.raw("sale_price")
        draft.currency = fields.text("currency")
        begin, _, end = fields.text("sale_dates").partition("/")
        draft.sale_dates = (begin, end)
        draft.other_amounts = fields.texts("shipping")
        draft.availability = fields.text("availability")
        draft.rating, draft.rating_count = fields.raw("rating"), fields.raw("rating_count")
        draft.attributes = list(_attributes(fields))
        _fill_quantity(draft, fields)
        draft.hidden = self._hidden(fields)
        if fields.missing & {"id", "title", "price"}:
            draft.invalid = "the row has fewer fields than the header"
        return (draft,)

    def merge(self, rows: list[Draft]) -> Draft:
        for row in rows:
            row.options = [pair for pair in row.attributes if pair[0] in _OPTION_NAMES]
        if len(rows) == 1:
            rows[0].options = []
            return rows[0]
        for name in {name for row in rows for name, _ in row.options}:
            if len({dict(row.options).get(name) for row in rows}) == 1:
                for row in rows:
                    row.options = [pair for pair in row.options if pair[0] != name]
        return merged_group(rows)

    def _hidden(self, fields: Fields) -> str:
        expires = moment(fields.text("expires")) if fields.text("expires") else None
        return "expired" if expires and expires < self._now else ""


_OPTION_NAMES = frozenset(label(name) for name in _PARTS)


def _fill_quantity(draft: Draft, fields: Fields) -> None:
    text = fields.text("quantity")
    if text and quantity(text) is None:
        draft.attributes.append(("Quantity", text))
    elif text:
        draft.quantity = text


def _attributes(fields: Fields) -> Iterator[tuple[str, str]]:
    for name in _FACTS:
        text = fields.text(name)
        if text and not (name == "condition" and text.lower() in ("new", "neu", "neuf", "nuevo")):
            yield label(name), text
    names, values = fields.texts("detail_name"), fields.texts("detail_value")
    if len(names) == len(values):
        yield from zip(names, values, strict=True)
    for text in fields.texts("detail"):
        yield from _details(text)
    yield from fields.facts()


def _details(text: str) -> Iterator[tuple[str, str]]:
    """`General:Type:Digital player,General:Colour:Red` of a table cell: section, name, value."""
    for entry in text.replace('"', "").split(","):
        parts = [part.strip() for part in entry.split(":")]
        if len(parts) >= 3 and parts[-2] and parts[-1]:
            yield parts[-2], parts[-1]
