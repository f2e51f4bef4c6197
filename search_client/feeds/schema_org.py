"""schema.org `Product` as JSON-LD: single, in a list or graph, with variants in a `ProductGroup`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from search_client.feeds.columns import Binder, Columns, as_fact, as_list, as_text
from search_client.feeds.draft import Draft, Json, Record
from search_client.feeds.merging import merged_group
from search_client.feeds.names import is_private, label
from search_client.feeds.price import Raw
from search_client.feeds.wordlist import listed

COLUMNS: Columns = {
    "id": ("productID", "sku", "@id", "identifier", "url"),
    "title": ("name",),
    "description": ("description",),
    "image": ("image",),
    "brand": ("brand", "manufacturer"),
    "category": ("category",),
    "offers": ("offers",),
    "rating": ("aggregateRating",),
    "gtin": ("gtin13", "gtin", "gtin14", "gtin12", "gtin8", "isbn"),
    "mpn": ("mpn", "model"),
    "sku": ("sku",),
    "attributes": ("additionalProperty",),
    "variants": ("hasVariant",),
    "group": ("inProductGroupWithID", "isVariantOf"),
    "added_at": ("releaseDate", "productionDate"),
    "tags": ("keywords",),
}
_FACTS = listed("color|size|material|pattern|weight|width|height|depth|audience|award|countryOfOrigin")
_PRODUCTS = frozenset(listed("Product|ProductGroup|ProductModel|IndividualProduct|SomeProducts|Vehicle|Book|Car"))


def types_of(data: dict[str, Json]) -> set[str]:
    """The schema.org types of an object, without prefix."""
    names = [as_text(each) for each in as_list(data.get("@type"))]
    return {name.rpartition("/")[2].removeprefix("schema:") for name in names}


def is_product(data: dict[str, Json]) -> bool:
    """Whether an object is a product."""
    return bool(types_of(data) & _PRODUCTS)


class SchemaOrgFormat:
    """Every product of an object, however deep in a graph, a list or an item list."""

    name = "schema.org"

    def __init__(self, binder: Binder, now: datetime) -> None:
        self._binder = binder

    def keeps(self, column: str) -> bool:
        return False

    def drafts(self, record: Record) -> Iterable[Draft]:
        for data in products_in(record.data, 0):
            for name in data:
                if found := self._binder.field_of(name):
                    self._binder.used.setdefault(name, found[0])
            yield _draft(data, record.line)

    def merge(self, rows: list[Draft]) -> Draft:
        return merged_group(rows)


def products_in(data: Json, depth: int) -> Iterator[dict[str, Json]]:
    """Products within `@graph`, `itemListElement`, `item`, `mainEntity` or a list."""
    if depth > 6:
        return
    if isinstance(data, list):
        for entry in data:
            yield from products_in(entry, depth + 1)
    elif isinstance(data, dict):
        if is_product(data):
            yield data
            return
        for name in ("@graph", "itemListElement", "item", "mainEntity", "mainEntityOfPage"):
            if name in data:
                yield from products_in(data[name], depth + 1)


def _draft(data: dict[str, Json], line: int) -> Draft:
    draft = Draft(line, title=_value(data.get("name")), sku=_value(data.get("sku")), mpn=_value(data.get("mpn")))
    draft.url = _value(data.get("url")) or _value(data.get("@id"))
    draft.id = _identity(data)
    draft.description = [_value(data.get("description"))]
    draft.brand = _value(data.get("brand")) or _value(data.get("manufacturer"))
    draft.category = [_value(each) for each in as_list(data.get("category"))]
    draft.images = [_address(each) for each in as_list(data.get("image"))]
    draft.gtin = next((text for name in COLUMNS["gtin"] if (text := _value(data.get(name)))), "")
    draft.added_at = _value(data.get("releaseDate"))
    draft.tags = [tag.strip() for each in as_list(data.get("keywords")) for tag in _value(each).split(",")]
    draft.group = _group(data)
    draft.attributes = list(_attributes(data))
    _fill_offer(draft, data.get("offers"))
    _fill_rating(draft, data.get("aggregateRating"))
    draft.variants = [_variant(each, draft, line) for each in as_list(data.get("hasVariant")) if isinstance(each, dict)]
    return draft


def _identity(data: dict[str, Json]) -> str:
    if "ProductGroup" in types_of(data) and (group := _value(data.get("productGroupID"))):
        return group
    return next(
        (text for name in ("productID", "sku", "identifier", "@id", "url") if (text := _value(data.get(name)))), ""
    )[:200]


def _group(data: dict[str, Json]) -> str:
    parent = data.get("isVariantOf")
    if isinstance(parent, dict):
        return _value(parent.get("productGroupID")) or _value(parent.get("@id"))
    return _value(data.get("inProductGroupWithID"))


def _variant(data: dict[str, Json], product: Draft, line: int) -> Draft:
    variant = _draft(data, line)
    variant.options = [pair for pair in variant.attributes if pair not in product.attributes]
    return variant


def _fill_offer(draft: Draft, offers: Json) -> None:
    """The cheapest of several offers; of an aggregate its low price."""
    found = [offer for offer in as_list(offers) if isinstance(offer, dict)]
    nested = [inner for offer in found for inner in as_list(offer.get("offers")) if isinstance(inner, dict)]
    for offer in [*found, *nested]:
        specification = next((each for each in as_list(offer.get("priceSpecification")) if isinstance(each, dict)), {})
        price = _raw(offer.get("price")) or _raw(offer.get("lowPrice")) or _raw(specification.get("price"))
        currency = _value(offer.get("priceCurrency")) or _value(specification.get("priceCurrency"))
        if price is not None and draft.price is None:
            draft.price, draft.currency = price, currency
        draft.availability = draft.availability or _value(offer.get("availability"))
        draft.list_price = draft.list_price or _list_price(offer)
        draft.url = draft.url or _value(offer.get("url"))
        level = offer.get("inventoryLevel")
        draft.quantity = draft.quantity or (_raw(level.get("value")) if isinstance(level, dict) else _raw(level))


def _list_price(offer: dict[str, Json]) -> Raw:
    for each in as_list(offer.get("priceSpecification")):
        if isinstance(each, dict) and _value(each.get("priceType")).rpartition("/")[2] in (
            "ListPrice",
            "StrikethroughPrice",
            "SRP",
            "MSRP",
        ):
            return _raw(each.get("price"))
    return None


def _fill_rating(draft: Draft, rating: Json) -> None:
    if isinstance(rating, dict):
        draft.rating, draft.rating_scale = _raw(rating.get("ratingValue")), _raw(rating.get("bestRating"))
        draft.rating_count = _raw(rating.get("reviewCount")) or _raw(rating.get("ratingCount"))


def _attributes(data: dict[str, Json]) -> Iterator[tuple[str, str]]:
    for name in _FACTS:
        value = data.get(name)
        text = _measure(value) if isinstance(value, dict) else ", ".join(filter(None, map(as_fact, as_list(value))))
        if text:
            yield label(name), text
    for each in as_list(data.get("additionalProperty")):
        if isinstance(each, dict):
            name, text = _value(each.get("name")), _measure(each)
            if name and text and not is_private(name):
                yield label(name), text


def _measure(value: dict[str, Json]) -> str:
    """`{"value": 2.5, "unitText": "kg"}` as `2.5 kg`; else the name."""
    text = as_fact(value.get("value")) or as_fact(value.get("name")) if "value" in value or "name" in value else ""
    unit = as_fact(value.get("unitText"))
    return f"{text} {unit}".strip() if text else ""


def _value(value: Json) -> str:
    """Text out of a scalar, the first of a list, or an object's `@value`, `name` or `url`."""
    if isinstance(value, list):
        return next((text for each in value if (text := _value(each))), "")
    if isinstance(value, dict):
        return next(
            (
                text
                for name in ("@value", "name", "url", "contentUrl", "value", "@id")
                if (text := as_text(value.get(name)))
            ),
            "",
        )
    return as_text(value)


def _address(value: Json) -> str:
    """An image's address: itself, or an `ImageObject`'s."""
    if isinstance(value, dict):
        return next((text for name in ("url", "contentUrl", "@id") if (text := as_text(value.get(name)))), "")
    return as_text(value)


def _raw(value: Json) -> Raw:
    if isinstance(value, list):
        return next((found for each in value if (found := _raw(each)) is not None), None)
    if isinstance(value, bool | dict):
        return None
    return value if not isinstance(value, str) else value.strip() or None
