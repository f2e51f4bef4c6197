"""Files of no known format, CSV, JSON or XML: columns are guessed by the names in `synonyms`, the guess is shown.

Nested JSON is read too: variants within a product (as a list or by id), options as an object, prices with their
currency, ratings with their count, images as objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache

from search_client.feeds.columns import Binder, Fields, as_fact, as_list, as_text
from search_client.feeds.currency import choose
from search_client.feeds.draft import Draft, Json, Record
from search_client.feeds.merging import kindred, merged_group
from search_client.feeds.names import is_ignored, is_private, label, normal
from search_client.feeds.synonyms import COLUMNS
from search_client.feeds.words import availability, yes

_LANGUAGES = (
    "en",
    "de",
    "fr",
    "es",
    "it",
    "nl",
    "pt",
    "ar",
    "pl",
    "ru",
    "zh",
    "ja",
    "ko",
    "tr",
    "sv",
    "en us",
    "en gb",
    "de de",
)
_PRICE_KEYS = frozenset(("amount", "value", "price", "currentPrice", "current", "unit_amount", "cents"))
_WORDS_OF_PRICE = (
    "unit amount",
    "amount",
    "value",
    "price",
    "current",
    "regular",
    "gross",
    "min",
    "from",
    "current price",
    "cents",
)
_LIST_OF_PRICE = ("original", "list", "was", "compare at", "regular price", "msrp", "old")
_MORE_IMAGES = tuple(f"image_more{number}" for number in range(1, 20))
_LIST_SEPARATORS = ("|", ";", "\n")


class PlainFormat:
    """Any table or list of objects."""

    name = "plain"
    keeps_unknown = True

    def __init__(self, binder: Binder, now: datetime) -> None:
        self._binder = binder

    def drafts(self, record: Record) -> Iterable[Draft]:
        data = _flat(record.data)
        fields = self._binder.bind(Record(record.line, data, record.missing))
        draft = self._draft(fields)
        draft.id = draft.id or as_text(record.data.get("\0key"))
        draft.group = draft.group or draft.id
        if not draft.brand and _SHOPIFY & record.data.keys():
            draft.brand = fields.text("vendor")
        draft.variants = [self._variant(entry, key, record.line) for key, entry in _variants(fields)]
        if len(draft.variants) == 1 and not draft.variants[0].options and not draft.variants[0].id:
            _fold(draft, draft.variants.pop())
        names = [name for name, _ in draft.option_values]
        for variant in draft.variants:
            variant.options = [(_numbered_option(name, names), value) for name, value in variant.options]
        return (draft,)

    def merge(self, rows: list[Draft]) -> Draft:
        first = rows[0]
        if len(rows) == 1 or not first.id or first.group != first.id:
            return merged_group(rows)
        kin, strangers = kindred(rows)
        product = merged_group(kin)
        product.duplicates = [row.line for row in strangers]
        return product

    def _draft(self, fields: Fields) -> Draft:
        draft = Draft(fields.line)
        _fill_names(draft, fields)
        _fill_offer(draft, fields)
        _fill_stock(draft, fields)
        draft.images = list(_images(fields))
        draft.url = fields.text("url")
        draft.tags = [tag for text in fields.texts("tags") for tag in split_list(text)]
        draft.attributes = list(_attributes(fields))
        for name, value in _pairs(fields.values.get("options", [])):
            if isinstance(value, list):
                draft.option_values.append((label(name), [as_fact(each) for each in value]))
            else:
                draft.options.append((label(name), as_fact(value)))
        draft.hidden = _hidden(fields)
        if fields.missing & {"id", "title", "price"}:
            draft.invalid = "the row has fewer fields than the header"
        return draft

    def _variant(self, entry: Json, key: str, line: int) -> Draft:
        if not isinstance(entry, dict):
            return Draft(line, id=key, options=[("Variant", as_fact(entry))])
        fields = self._binder.bind(Record(line, _flat(entry)))
        draft = self._draft(fields)
        draft.id = draft.id or key
        if not draft.options:
            draft.options = list(_own_options(entry, fields))
        draft.attributes = []
        draft.group = ""
        return draft


# Shopify's own JSON: there the vendor is the brand.
_SHOPIFY = frozenset(("body_html", "bodyHtml", "descriptionHtml", "product_type", "productType"))


def _numbered_option(name: str, names: list[str]) -> str:
    """The product's name for `Option 2`, where it has one."""
    number = name.removeprefix("Option ")
    return names[int(number) - 1] if number.isdigit() and name != number and int(number) <= len(names) else name


def _fold(draft: Draft, only: Draft) -> None:
    """Takes over what stands in the only variant of a product without options."""
    if draft.price is None:
        draft.price, draft.list_price, draft.sale_price = only.price, only.list_price, only.sale_price
        draft.minor, draft.currency = only.minor, draft.currency or only.currency
    draft.quantity = only.quantity if draft.quantity is None else draft.quantity
    draft.availability = draft.availability or only.availability
    draft.sku, draft.gtin = draft.sku or only.sku, draft.gtin or only.gtin
    draft.images += only.images


def _fill_names(draft: Draft, fields: Fields) -> None:
    draft.id = fields.text("id")
    draft.title = fields.text("title")
    draft.description = [
        text for name in ("short_description", "description") if (text := "\n".join(fields.texts(name)))
    ]
    draft.brand = fields.text("brand")
    draft.supplier = fields.text("supplier") or fields.text("vendor")
    draft.category = _categories(fields)
    draft.sku, draft.gtin, draft.mpn = fields.text("sku"), fields.text("gtin"), fields.text("mpn")
    draft.added_at = fields.text("added_at")
    draft.other_amounts = fields.texts("shipping")
    draft.group = fields.text("group")


def _fill_offer(draft: Draft, fields: Fields) -> None:
    draft.price, draft.currency = fields.raw("price"), fields.text("currency")
    if draft.price is None and (minor := fields.raw("price_minor")) is not None:
        draft.price, draft.minor = minor, True
    draft.sale_price = fields.raw("sale_price")
    draft.list_price = fields.raw("list_price")
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
    values = fields.texts("category")
    named = [as_text(v.get("name") or v.get("title")) for v in fields.values.get("category", ()) if isinstance(v, dict)]
    return [*values, *filter(None, named), *fields.texts("subcategory")]


def _attributes(fields: Fields) -> Iterator[tuple[str, str]]:
    for name in ("color", "size", "material", "gender", "age_group"):
        for text in fields.texts(name):
            yield label(name), text
    for name, value in _pairs(fields.values.get("attributes", [])):
        if not is_private(name) and not is_ignored(name):
            yield from ((label(name), text) for each in as_list(value) if (text := as_fact(each)))
    yield from fields.facts()


def _pairs(values: list[Json]) -> Iterator[tuple[str, Json]]:
    """Names and values out of `{"Size": "M"}`, `[{"name": "Size", "value": "M"}]` or `Size: M | Color: Red`."""
    for value in values:
        if isinstance(value, dict):
            name = next(
                (as_text(value[key]) for key in ("name", "key", "label", "attribute", "code") if key in value), ""
            )
            inner = next(
                (value[key] for key in ("value", "values", "text", "val", "option", "options") if key in value), None
            )
            if name and inner is not None:
                yield name, inner
            elif "name" not in value:
                yield from value.items()
        elif isinstance(value, str) and ":" in value:
            for part in split_list(value):
                name, colon, text = part.partition(":")
                if colon and 0 < len(name) <= 60 and "//" not in part[: len(name) + 3]:
                    yield name.strip(), text.strip()


def _own_options(entry: dict[str, Json], fields: Fields) -> Iterator[tuple[str, str]]:
    """A variant's options where they stand beside its price: `color`, `size`, `option1`."""
    for name in ("color", "size", "material"):
        if text := fields.text(name):
            yield label(name), text
    for number in (1, 2, 3):
        text = as_text(entry.get(f"option{number}"))
        if text and text != "Default Title":
            yield f"Option {number}", text


def _variants(fields: Fields) -> Iterator[tuple[str, Json]]:
    """Variants as a list, or by id."""
    for value in fields.values.get("variants", []):
        if not isinstance(value, dict):
            continue
        inner = list(value.values())
        if inner and all(isinstance(each, dict) for each in inner):
            yield from value.items()
        elif "edges" in value or "nodes" in value:
            yield from (("", _node(each)) for each in as_list(value.get("edges") or value.get("nodes")))
        else:
            yield "", value


def _node(value: Json) -> Json:
    return value.get("node", value) if isinstance(value, dict) else value


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


def split_list(text: str) -> list[str]:
    """A cell's entries. A comma parts them only where no other separator does and none is a decimal comma."""
    for separator in _LIST_SEPARATORS:
        if separator in text:
            return [part.strip() for part in text.split(separator) if part.strip()]
    parts = text.split(", ") if ", " in text else text.split(",")
    if any(len(part.strip()) > 60 for part in parts):
        return [text]
    return [part.strip() for part in parts if part.strip()]


def _flat(data: dict[str, Json]) -> dict[str, Json]:
    """Nested objects as `outer.inner`; those that mean one of our fields as that field. Lists stay."""
    if any(isinstance(value, dict) for value in data.values()):
        flat: dict[str, Json] = {}
        for name, value in data.items():
            if isinstance(value, dict) and normal(name) not in _KEPT:
                flat.update(_opened(name, value, 0))
            else:
                flat[name] = value
        data = flat
    return _in_one_language(data) if any(map(_language_of, data)) else data


_KEPT = frozenset(normal(column) for field in ("variants", "options", "attributes") for column in COLUMNS[field]) | {
    "edges"
}


def _opened(name: str, value: dict[str, Json], depth: int) -> Iterator[tuple[str, Json]]:
    words = normal(name)
    if is_private(name) or depth > 3:
        return
    if _PRICE_KEYS & value.keys() and "price" in words.split():
        yield from _price(name, value)
        return
    if "rate" in value and "count" in value:  # {"rating": {"rate": 3.9, "count": 120}}
        yield from ((name, value["rate"]), ("rating count", value["count"]))
        return
    if "name" in value and words in ("brand", "manufacturer", "category", "marke", "hersteller"):
        yield name, value["name"]
        return
    if value.get("edges") or value.get("nodes"):
        yield name, [_node(each) for each in as_list(value.get("edges") or value.get("nodes"))]
        return
    for key, inner in value.items():
        path = f"{name}.{key}"
        if isinstance(inner, dict):
            yield from _opened(path, inner, depth + 1)
        else:
            yield path, inner


def _price(name: str, value: dict[str, Json]) -> Iterator[tuple[str, Json]]:
    """`{"amount": "19.99", "currency": "USD", "original": 24.99}` as a price, a list price and a currency."""
    by_words = {normal(key): inner for key, inner in value.items()}
    amount = next((by_words[word] for word in _WORDS_OF_PRICE if word in by_words), None)
    if any(word in by_words and amount is by_words[word] for word in ("cents", "unit amount")):
        yield "price cents", amount
    elif not isinstance(amount, dict | list):
        yield name, amount
    for word in _LIST_OF_PRICE:
        if word in by_words and not isinstance(by_words[word], dict | list):
            yield "list price", by_words[word]
            break
    for key in ("currency", "currency code", "currencycode"):
        if choose(as_text(by_words.get(key)), None):
            yield "currency", by_words[key]
            break


@lru_cache(maxsize=10_000)
def _language_of(name: str) -> tuple[str, str] | None:
    """The bare name and the language of `title_ar`; None for any other name."""
    bare, _, language = normal(name).rpartition(" ")
    return (bare, language) if bare in _TRANSLATED and language in _LANGUAGES else None


def _in_one_language(flat: dict[str, Json]) -> dict[str, Json]:
    """Of `title`, `title_ar` and `title_en` the one without a language, else the first of them under its bare name."""
    result = dict(flat)
    for name in flat:
        if found := _language_of(name):
            value = result.pop(name)
            if not any(normal(other) == found[0] for other in result):
                result[found[0]] = value
    return result


_TRANSLATED = frozenset(
    normal(column)
    for field in ("title", "description", "short_description", "category", "brand")
    for column in COLUMNS[field]
)
