"""Files of no known format, CSV, JSON or XML: columns are guessed by the names in `synonyms`, the guess is shown.

Nested JSON is read too: variants within a product (as a list or by id), options as an object, prices with their
currency, ratings with their count, images as objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from search_client.feeds.choices import (
    Choices,
    choices_of,
    chosen,
    named_values,
    numbered_options,
    own_options,
    split_list,
)
from search_client.feeds.columns import Binder, Fields, as_fact, as_list, as_text
from search_client.feeds.draft import Draft, Json, Record
from search_client.feeds.merging import differing, kindred, merged_family, merged_group
from search_client.feeds.names import is_ignored, is_private, label, normal
from search_client.feeds.nested import OPEN_UNIT, flat, node_of
from search_client.feeds.saleor import block_text
from search_client.feeds.wordlist import listed
from search_client.feeds.words import availability, yes

_MORE_IMAGES = tuple(f"image_more{number}" for number in range(1, 20))


class PlainFormat:
    """Any table or list of objects."""

    name = "plain"

    def __init__(self, binder: Binder, now: datetime) -> None:
        self._binder = binder
        self._above = ""
        """The product that rows without a name belong to."""
        self._option_names: dict[int, str] = {}

    def keeps(self, column: str) -> bool:
        return True

    def drafts(self, record: Record) -> Iterable[Draft]:
        data = flat(record.data)
        fields = self._binder.bind(Record(record.line, data, record.missing))
        listed_options = choices_of(fields.values.get("options", []))
        draft = self._draft(fields, data)
        draft.option_values = listed_options.listed
        draft.id = draft.id or as_text(record.data.get("\0key"))
        self._fill_group(draft, fields)
        if not draft.brand and _VENDOR_IS_BRAND & record.data.keys():
            draft.brand = fields.text("vendor")
        if "published_at" in record.data and record.data["published_at"] is None and not draft.hidden:
            draft.hidden = "not published"
        draft.title = draft.title or _model_name(record.data, draft.brand)
        draft.variants = [self._variant(entry, key, record.line, listed_options) for key, entry in _variants(fields)]
        _tell_apart(draft)
        return (draft,)

    def merge(self, rows: list[Draft]) -> Draft:
        first = rows[0]
        if len(rows) == 1 or not first.group:
            return merged_group(rows)
        parents, children = [row for row in rows if row.heads], [row for row in rows if not row.heads]
        if not parents:
            return merged_group(children)
        kin, strangers = kindred(parents)
        if not children:
            product = merged_group(kin)
        else:
            product, strangers = merged_family(kin[0], children), parents[1:]
        product.duplicates = [row.line for row in strangers]
        return product

    def _fill_group(self, draft: Draft, fields: Fields) -> None:
        """Says which product a row belongs to: the one it names, its own, or in a row without a name the one above."""
        if draft.group.casefold() in _NO_GROUP:
            draft.group = ""
        nameless = not draft.title and not draft.id and "id" in self._binder.present
        if nameless and self._above and (draft.sku or draft.options):
            draft.group = self._above
        elif not draft.group:
            own = draft.sku if self._binder.group_is_sku else draft.id
            draft.group = self._above = own or draft.id or draft.sku
            draft.heads = True

    def _draft(self, fields: Fields, data: dict[str, Json]) -> Draft:
        draft = Draft(fields.line)
        _fill_names(draft, fields)
        _fill_offer(draft, fields)
        if draft.price is None and draft.list_price is not None and self._knows_list_prices_alone():
            draft.price, draft.list_price = draft.list_price, None
        draft.unit_open = OPEN_UNIT in data
        _fill_stock(draft, fields)
        draft.images = list(_images(fields))
        draft.url = fields.text("url")
        draft.tags = [tag for text in fields.texts("tags") for tag in split_list(text)]
        draft.attributes = list(_attributes(fields))
        for name, values in numbered_options(fields, self._option_names):
            if len(values) == 1:
                draft.options.append((name, values[0]))
            else:
                draft.attributes += [(name, value) for value in values]
        draft.hidden = _hidden(fields)
        if fields.missing & {"id", "title", "price"}:
            draft.invalid = "the row has fewer fields than the header"
        return draft

    def _knows_list_prices_alone(self) -> bool:
        """Whether the file has no other price: then it is what the shop asks."""
        return not _ASKED & {*self._binder.present, *self._binder.used.values()}

    def _variant(self, entry: Json, key: str, line: int, product: Choices) -> Draft:
        if not isinstance(entry, dict):
            return Draft(line, id=key, options=[("Variant", as_fact(entry))])
        data = flat(entry)
        fields = self._binder.bind(Record(line, data))
        draft = self._draft(fields, data)
        draft.id = draft.id or key
        draft.options += chosen(fields.values.get("options", []), product)
        if not draft.options:
            draft.options = [(product.name_of(name), value) for name, value in own_options(entry, fields)]
        draft.group = ""
        return draft


# Where a vendor is who made the goods: Shopify's own JSON, and the XML of price comparisons.
_VENDOR_IS_BRAND = frozenset(
    (
        "body_html",
        "bodyHtml",
        "descriptionHtml",
        "product_type",
        "productType",
        "vendorCode",
        "typePrefix",
        "currencyId",
    )
)
_ASKED = frozenset(("price", "regular_price", "sale_price", "price_minor"))
_NO_GROUP = frozenset(("0", "-1", "none", "null", "n/a", "-", "false"))


def _model_name(data: dict[str, Json], brand: str) -> str:
    """The title of goods named by kind, brand and model: `Kettle`, `Acme`, `K-5`."""
    model = as_text(data.get("model"))
    return " ".join(filter(None, (as_text(data.get("typePrefix")), brand, model))) if model else ""


def _tell_apart(product: Draft) -> None:
    """Gives variants without options those that their attributes or titles tell; folds in an only one without any."""
    variants = product.variants
    bare = [row for row in variants if not row.options]
    if len(variants) == 1 and bare:
        _fold(product, variants.pop())
    elif bare:
        parting = differing(variants)
        for row in bare:
            row.options = [pair for pair in row.attributes if pair[0] in parting]
            if not row.options and row.title and row.title not in (product.title, "Default Title"):
                row.options = [("Variant", row.title)]
    for row in variants:
        row.attributes = []


def _fold(draft: Draft, only: Draft) -> None:
    """Takes over what stands in the only variant of a product without options."""
    if draft.price is None:
        draft.price, draft.list_price, draft.sale_price = only.price, only.list_price, only.sale_price
        draft.minor, draft.currency = only.minor, draft.currency or only.currency
        draft.unit_open = only.unit_open
    draft.quantity = only.quantity if draft.quantity is None else draft.quantity
    draft.availability = draft.availability or only.availability
    draft.sku, draft.gtin = draft.sku or only.sku, draft.gtin or only.gtin
    draft.images += only.images


def _fill_names(draft: Draft, fields: Fields) -> None:
    draft.id = fields.text("id")
    draft.title = fields.text("title")
    draft.description = [
        block_text(text) for name in ("short_description", "description") if (text := "\n".join(fields.texts(name)))
    ]
    draft.brand = fields.text("brand")
    draft.supplier = fields.text("supplier") or fields.text("vendor")
    draft.category = _categories(fields)
    draft.sku, draft.gtin, draft.mpn = fields.text("sku"), fields.text("gtin"), fields.text("mpn")
    draft.added_at = fields.text("added_at")
    draft.other_amounts = fields.texts("shipping")
    draft.group = fields.text("group")


def _fill_offer(draft: Draft, fields: Fields) -> None:
    price, regular = fields.raw("price"), fields.raw("regular_price")
    draft.price, draft.currency = regular if price is None else price, fields.text("currency")
    if draft.price is None and (minor := fields.raw("price_minor")) is not None:
        draft.price, draft.minor = minor, True
    draft.sale_price = fields.raw("sale_price")
    draft.list_price = fields.raw("list_price")
    if draft.list_price is None and price is not None:
        draft.list_price = regular
    begin, _, end = fields.text("sale_dates").partition("/")
    draft.sale_dates = (begin, end)
    draft.rating, draft.rating_count = fields.raw("rating"), fields.raw("rating_count")


def _fill_stock(draft: Draft, fields: Fields) -> None:
    draft.availability = fields.text("availability")
    draft.quantity = fields.raw("quantity")
    if isinstance(draft.quantity, str) and not draft.quantity.lstrip("-").replace(".", "", 1).isdigit():
        if availability(draft.quantity) is not None:
            draft.availability = draft.availability or draft.quantity
        else:
            draft.attributes.append(("Quantity", draft.quantity))
        draft.quantity = None
    if policy := fields.text("backorder").casefold():
        draft.backorder = policy in ("continue", "notify") or yes(policy, default=False)
    if draft.quantity is None and (tracked := fields.text("tracked")):
        draft.untracked = tracked == "none" or not yes(tracked, default=True)
    status = fields.text("status")
    if (
        not draft.availability
        and availability(status) is not None
        and yes(status, default=True) is yes(status, default=False)
    ):
        draft.availability = status if len(status) > 1 else ""


def _hidden(fields: Fields) -> str:
    for name in ("published", "status"):
        text = fields.text(name)
        if text and not yes(text, default=True):
            return f"not shown by the shop ({name})"
    if (text := fields.text("hidden")) and yes(text, default=False):
        return "not shown by the shop (hidden)"
    if normal(fields.text("visibility")) in ("hidden", "not visible individually", "none", "versteckt", "private"):
        return "not shown by the shop (visibility)"
    return ""


def _categories(fields: Fields) -> list[str]:
    """Paths or levels, without numbers of a database and without words for the kind of record."""
    named = [as_text(v.get("name") or v.get("title")) for v in fields.values.get("category", ()) if isinstance(v, dict)]
    found = [*fields.texts("category"), *filter(None, named), *fields.texts("subcategory")]
    parts = [part for text in found for part in (text.split("|") if ">" in text else [text])[:1]]
    return [part for part in parts if not part.isdigit() and part.casefold() not in _KINDS_OF_RECORD]


_KINDS_OF_RECORD = frozenset(
    listed(
        "product|products|simple|variable|variation|variant|configurable|physical|digital|item|consu|service|goods|p"
    )
)


def _attributes(fields: Fields) -> Iterator[tuple[str, str]]:
    for name in ("color", "size", "material", "gender", "age_group"):
        for text in fields.texts(name):
            yield label(name), text
    pairs = [pair for value in fields.values.get("attributes", []) for pair in named_values(value, 0)]
    pairs += zip(fields.texts("detail_name"), fields.texts("detail_value"), strict=False)
    for name, value in pairs:
        if not is_private(name) and not is_ignored(name):
            yield from ((label(name), text) for each in as_list(value) if (text := as_fact(each)))
    yield from fields.facts()


def _variants(fields: Fields) -> Iterator[tuple[str, Json]]:
    """Variants as a list, or by id."""
    for value in fields.values.get("variants", []):
        if not isinstance(value, dict):
            continue
        inner = list(value.values())
        if inner and all(isinstance(each, dict) for each in inner):
            yield from value.items()
        elif "edges" in value or "nodes" in value:
            yield from (("", node_of(each)) for each in as_list(value.get("edges") or value.get("nodes")))
        else:
            yield "", value


def _images(fields: Fields) -> Iterator[str]:
    found = [*fields.values.get("image", []), *fields.values.get("images", [])]
    for name in _MORE_IMAGES:
        if name in fields.values:
            found += fields.values[name]
    for value in found or fields.values.get("thumbnail", []):
        if isinstance(value, dict):
            value = next(
                (value[key] for key in ("url", "src", "href", "link", "original", "large") if key in value), None
            )
        if text := as_text(value):
            yield text
