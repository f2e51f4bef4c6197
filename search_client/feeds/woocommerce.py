"""WooCommerce product CSV: variations name their parent by SKU or id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache

from search_client.feeds.columns import Binder, Fields, as_text
from search_client.feeds.draft import Draft, Record
from search_client.feeds.names import is_private, label, normal
from search_client.feeds.wordlist import listed
from search_client.feeds.words import availability, yes

_SHOWN = frozenset(("visible", "catalog", "search", ""))
_MEASURE = re.compile(r"\((?:mm|cm|m|in|yd|kg|g|lbs|oz)\)$")
_UNESCAPED_COMMA = re.compile(r"(?<!\\),\s*")
_MAX_ATTRIBUTES = 60
_FORMULA = ("'=", "'+", "'-", "'@")


_META = re.compile(r"^m[eé]ta\w*\s?:\s*(?P<key>.+)$", re.IGNORECASE)
# Settings of plugins rather than facts about goods: flags, names of templates, serialised data.
_SETTING = re.compile(
    r"[-+\d.,:/\s]*|[a-z\d]+(?:[_-][a-z\d]+)+|\w:\d+:.*|id:\d+.*|[\[{<].*|(?:https?:)?//.*|"
    r"yes|no|on|off|true|false|none|auto|array|default|inherit|standard|stock|disabled?|enabled?|taxable|shipping|"
    r"parent|simple|open|closed|block-editor|classic-editor|instock|outofstock|publish|null|template",
    re.IGNORECASE | re.DOTALL,
)
_MAX_META_CHARS = 300
_BRANDS = frozenset(listed("brand|brands|marke|marca|marque|merk|manufacturer|hersteller|fabricante|marka|značka"))


class WooCommerceFormat:
    """Parents claim the variations that name them, wherever in the file those are."""

    name = "woocommerce"

    def __init__(self, binder: Binder, now: datetime) -> None:
        self._binder = binder

    def keeps(self, column: str) -> bool:
        return bool(_key_of(column))

    def drafts(self, record: Record) -> Iterable[Draft]:
        fields = self._binder.bind(record)
        kinds = {kind.strip().lower() for kind in fields.text("type").split(",")}
        number, sku = fields.text("id"), fields.text("sku")
        draft = Draft(record.line, id=number or sku, sku=sku, title=_text(fields, "title"))
        draft.description = [text for name in ("short_description", "description") if (text := _text(fields, name))]
        draft.category, other = _categories(_text(fields, "category"))
        draft.tags = [*other, *_listed(_text(fields, "tags"))]
        draft.brand = next(iter(_listed(fields.text("brand"))), "").rpartition(">")[2].strip()
        draft.images = fields.texts("images")
        draft.price, draft.sale_price = fields.raw("price"), fields.raw("sale_price")
        draft.sale_dates = (fields.text("sale_begins"), fields.text("sale_ends"))
        draft.gtin, draft.url = fields.text("gtin"), fields.text("url")
        _fill_stock(draft, fields)
        draft.hidden = _hidden(fields)
        pairs = list(_attributes(fields))
        if "variation" in kinds:
            draft.child_of = _reference(fields.text("parent")) or f"\0{record.line}"
            draft.options = [(name, values[0]) for name, values, _ in pairs if values]
        else:
            draft.attributes = [(name, value) for name, values, visible in pairs if visible for value in values]
            if kinds & {"variable", "variable-subscription"}:
                draft.option_values = [(name, values) for name, values, _ in pairs if values]
                draft.claims = [ref for ref in (_reference(sku), f"id:{number}" if number else "", number) if ref]
        for name, value in fields.extras:
            draft.attributes += _fact(name, as_text(value))
        draft.brand = draft.brand or next((value for name, value in draft.attributes if normal(name) in _BRANDS), "")
        draft.mpn = fields.text("mpn")
        draft.rating, draft.rating_count = fields.raw("rating"), fields.raw("rating_count")
        if fields.missing & {"title", "price", "type"}:
            draft.invalid = "the row has fewer fields than the header"
        elif not draft.id:
            draft.invalid = "no id"
        return (draft,)

    def merge(self, rows: list[Draft]) -> Draft:
        product = rows[0]
        if product.child_of:  # its parent is not in the file
            return _alone(product)
        shown = [row for row in rows[1:] if not row.hidden]
        chosen = {normal(name) for row in shown for name, _ in row.options}
        product.option_values = [(name, values) for name, values in product.option_values if normal(name) in chosen]
        product.attributes = [(name, value) for name, value in product.attributes if normal(name) not in chosen]
        product.variants = shown
        if any(row.price is not None for row in shown):
            product.price = product.sale_price = None
        return product


def _alone(row: Draft) -> Draft:
    if row.title:
        row.repairs.append(("a variation without its parent became a product", row.child_of.strip("\0")))
        row.attributes = [*row.options, *row.attributes]
        row.options = []
    else:
        row.invalid = "a variation without its parent"
    return row


def _text(fields: Fields, name: str) -> str:
    """A cell as WooCommerce meant it: it writes an apostrophe before what a spreadsheet would take for a formula."""
    text = fields.text(name)
    return text[1:] if text.startswith(_FORMULA) else text


def _reference(text: str) -> str:
    return text.strip().casefold() if not text.lower().startswith("id:") else "id:" + text[3:].strip()


@lru_cache(maxsize=10_000)
def _key_of(column: str) -> str:
    """The name of a column that may state a fact, without `Meta:`; empty: a flag, or a field that WordPress hides."""
    meta = _META.match(column)
    key = meta["key"] if meta else column
    return "" if column.endswith("?") or (meta and key.startswith("_")) else key


@lru_cache(maxsize=10_000)
def _is_measure(column: str) -> bool:
    return bool(_MEASURE.search(column))


def _fact(name: str, text: str) -> Iterator[tuple[str, str]]:
    """What a column says of the goods, weight and size among it; none of what it says to the shop's software."""
    if _is_measure(name):
        if text.strip("0.,"):
            yield label(name), f"0{text}" if text.startswith((".", ",")) else text
    elif (key := _key_of(name)) and len(text) <= _MAX_META_CHARS and not _SETTING.fullmatch(text):
        yield label(key), text


def _listed(text: str) -> list[str]:
    """Entries parted by commas; a comma within one is escaped with a backslash."""
    return [part.replace("\\,", ",").strip() for part in _UNESCAPED_COMMA.split(text) if part.strip()]


def _categories(text: str) -> tuple[list[str], list[str]]:
    """The deepest path, and the leaves of the others."""
    paths = _listed(text)
    if not paths:
        return [], []
    deepest = max(paths, key=lambda path: path.count(">"))
    others = [path.rpartition(">")[2].strip() for path in paths if path != deepest]
    return [deepest], [name for name in others if name not in deepest]


def _fill_stock(draft: Draft, fields: Fields) -> None:
    word, allowed = fields.text("in_stock"), fields.text("backorders").lower()
    draft.quantity = _text(fields, "quantity") or None
    draft.backorder = allowed in ("1", "notify", "yes", "ja", "sí", "oui")
    if availability(word) is None and word:
        draft.availability = word
    elif word:
        draft.availability = word if word not in ("0", "1") else ("in stock" if word == "1" else "out of stock")


def _hidden(fields: Fields) -> str:
    published = _text(fields, "published")
    if published == "-1":
        return "draft"
    if published and not yes(published, default=True):
        return "not published"
    visibility = fields.text("visibility").lower()
    return "" if visibility in _SHOWN else f"visibility {visibility[:20]}"


def _attributes(fields: Fields) -> Iterator[tuple[str, list[str], bool]]:
    for number in range(1, _MAX_ATTRIBUTES + 1):
        name = _text(fields, f"attribute_name{number}")
        if not name:
            continue
        visible = yes(fields.text(f"attribute_visible{number}"), default=True)
        if not is_private(name):
            yield label(name.removeprefix("pa_")), _listed(_text(fields, f"attribute_value{number}")), visible
