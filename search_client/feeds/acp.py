"""Product feeds of the Agentic Commerce Protocol: flat (CSV, JSON lines), or nested with variants and cents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from search_client.feeds.columns import Binder, Columns, Fields, as_list, as_text
from search_client.feeds.draft import Draft, Json, Record
from search_client.feeds.merging import merged_group
from search_client.feeds.names import label
from search_client.feeds.words import yes

COLUMNS: Columns = {
    "id": ("id", "item_id", "product_id", "offer_id"),
    "title": ("title", "name"),
    "group_title": ("item_group_title", "group_title"),
    "description": ("description",),
    "url": ("link", "url", "product_url"),
    "image": ("image_link", "image_url"),
    "images": ("additional_image_link", "additional_image_urls", "additional_image_links"),
    "price": ("price",),
    "sale_price": ("sale_price",),
    "sale_dates": ("sale_price_effective_date",),
    "currency": ("currency",),
    "availability": ("availability",),
    "quantity": ("inventory_quantity", "inventory", "quantity", "stock_quantity"),
    "brand": ("brand",),
    "category": ("product_category", "category", "product_type"),
    "gtin": ("gtin",),
    "mpn": ("mpn",),
    "sku": ("sku",),
    "group": ("item_group_id", "group_id"),
    "search": ("enable_search", "is_eligible_search"),
    "condition": ("condition",),
    "color": ("color",),
    "size": ("size",),
    "material": ("material",),
    "gender": ("gender",),
    "age_group": ("age_group",),
    "dimensions": ("dimensions",),
    "weight": ("weight", "item_weight"),
    "rating": ("product_review_rating", "star_rating", "average_rating"),
    "rating_count": ("product_review_count", "review_count"),
    "variant_options": ("variant_dict", "variant_options"),
    "custom_name": ("custom_variant#_category",),
    "custom_value": ("custom_variant#_option",),
    "age_restriction": ("age_restriction",),
    "warning": ("warning",),
    "unused": (
        "enable_checkout",
        "is_eligible_checkout",
        "video_link",
        "video_url",
        "model_3d_link",
        "model_3d_url",
        "applicable_taxes_fees",
        "unit_pricing_measure",
        "base_measure",
        "pricing_trend",
        "availability_date",
        "expiration_date",
        "pickup_method",
        "pickup_sla",
        "shipping",
        "delivery_estimate",
        "is_digital",
        "seller_name",
        "seller_url",
        "seller_privacy_policy",
        "seller_tos",
        "store_name",
        "store_country",
        "target_countries",
        "return_policy",
        "return_window",
        "returns",
        "accepts_returns",
        "accepts_exchanges",
        "return_deadline_in_days",
        "popularity_score",
        "return_rate",
        "warning_url",
        "store_review_count",
        "store_review_rating",
        "store_star_rating",
        "q_and_a",
        "raw_review_data",
        "reviews",
        "related_product_id",
        "relationship_type",
        "geo_price",
        "geo_availability",
        "listing_has_variations",
        "offer_id",
        "size_system",
        "length",
        "width",
        "height",
        "last_update_id",
    ),
}
FLAT_SIGNS = frozenset(
    (
        "enable search",
        "enable checkout",
        "is eligible search",
        "is eligible checkout",
        "inventory quantity",
        "seller name",
    )
)
_FACTS = (
    "color",
    "size",
    "material",
    "gender",
    "age_group",
    "condition",
    "dimensions",
    "weight",
    "age_restriction",
    "warning",
)


class AcpFormat:
    """Flat records by `item_group_id`, or products that hold their variants."""

    name = "acp"

    def __init__(self, binder: Binder, now: datetime) -> None:
        self._binder = binder

    def keeps(self, column: str) -> bool:
        return True

    def drafts(self, record: Record) -> Iterable[Draft]:
        if isinstance(record.data.get("variants"), list):
            return (_nested(record),)
        fields = self._binder.bind(record)
        draft = Draft(record.line, id=fields.text("id"), title=fields.text("title"), group=fields.text("group"))
        draft.description = fields.texts("description")
        draft.url, draft.brand = fields.text("url"), fields.text("brand")
        draft.images = [*fields.texts("image"), *fields.texts("images")]
        draft.category = fields.texts("category")
        _fill_price(draft, fields)
        draft.availability, draft.quantity = fields.text("availability"), fields.raw("quantity")
        draft.gtin, draft.mpn, draft.sku = fields.text("gtin"), fields.text("mpn"), fields.text("sku")
        draft.rating, draft.rating_count = fields.raw("rating"), fields.raw("rating_count")
        draft.options = list(_options(fields))
        draft.attributes = [
            (label(name), fields.text(name)) for name in _FACTS if fields.text(name).lower() not in ("", "new")
        ]
        draft.attributes += fields.facts()
        if fields.text("search") and not yes(fields.text("search"), default=True):
            draft.hidden = "not meant for search"
        if fields.missing & {"id", "title", "price"}:
            draft.invalid = "the row has fewer fields than the header"
        draft.group_title = fields.text("group_title")
        return (draft,)

    def merge(self, rows: list[Draft]) -> Draft:
        if len(rows) == 1:
            return rows[0]
        title = next((row.group_title for row in rows if row.group_title), "")
        product = merged_group(rows)
        product.title = title or product.title
        return product


def _fill_price(draft: Draft, fields: Fields) -> None:
    draft.price, draft.sale_price = fields.raw("price"), fields.raw("sale_price")
    draft.currency = fields.text("currency")
    price, sale = (next(iter(fields.values.get(name, ())), None) for name in ("price", "sale_price"))
    if isinstance(price, dict):
        _fill_money(draft, price)
    if isinstance(sale, dict):
        draft.sale_price = _number(sale)
    begin, _, end = fields.text("sale_dates").partition("/")
    draft.sale_dates = (begin.strip(), end.strip())


def _fill_money(draft: Draft, price: dict[str, Json]) -> None:
    """A price object: whole amounts are minor units, as the protocol has it."""
    draft.price, draft.currency = _number(price), as_text(price.get("currency"))
    draft.minor = isinstance(price.get("amount"), int)


def _options(fields: Fields) -> Iterator[tuple[str, str]]:
    for value in fields.values.get("variant_options", ()):
        if isinstance(value, dict):
            yield from ((label(name), as_text(inner)) for name, inner in value.items())
    for number in range(1, 6):
        name, value_text = fields.text(f"custom_name{number}"), fields.text(f"custom_value{number}")
        if name and value_text:
            yield name, value_text


def _nested(record: Record) -> Draft:
    """A product of the protocol's feed API: prices in minor units, availability as an object, media as a list."""
    data = record.data
    draft = Draft(record.line, id=as_text(data.get("id")), title=as_text(data.get("title")))
    _fill_shared(draft, data)
    draft.category = _categories(data.get("categories") or data.get("category"))
    draft.brand = _named(data.get("brand"))
    draft.tags = [as_text(tag) for tag in as_list(data.get("tags"))]
    draft.variants = [
        _variant(entry, record.line) for entry in as_list(data.get("variants")) if isinstance(entry, dict)
    ]
    if not draft.title and draft.variants:
        draft.title = draft.variants[0].title
    return draft


def _variant(data: dict[str, Json], line: int) -> Draft:
    variant = Draft(line, id=as_text(data.get("id")), sku=as_text(data.get("sku")), title=as_text(data.get("title")))
    _fill_shared(variant, data)
    for option in as_list(data.get("variant_options") or data.get("options")):
        if isinstance(option, dict):
            variant.options.append((as_text(option.get("name")), as_text(option.get("value"))))
    return variant


def _fill_shared(draft: Draft, data: dict[str, Json]) -> None:
    draft.description = [text for text in _texts(data.get("description")) if text]
    draft.url = as_text(data.get("url"))
    draft.images = [
        as_text(entry.get("url"))
        for entry in as_list(data.get("media"))
        if isinstance(entry, dict) and as_text(entry.get("type")) in ("image", "")
    ]
    codes = [as_text(each.get("value")) for each in as_list(data.get("barcodes")) if isinstance(each, dict)]
    draft.gtin = next(filter(None, codes), "") or as_text(data.get("gtin"))
    price, listed = data.get("price"), data.get("list_price") or data.get("compare_at_price")
    if isinstance(price, dict):
        _fill_money(draft, price)
    if isinstance(listed, dict):
        draft.list_price = _number(listed)
    state = data.get("availability")
    if isinstance(state, dict):
        status, available = as_text(state.get("status")), state.get("available")
        draft.availability = status or ("" if available is None else as_text(available))
        draft.quantity = _plain(state.get("quantity"))
    else:
        draft.availability = as_text(state)
    rating = data.get("rating")
    if isinstance(rating, dict):
        draft.rating, draft.rating_count = _plain(rating.get("value")), _plain(rating.get("count"))
        draft.rating_scale = _plain(rating.get("scale_max"))


def _number(price: dict[str, Json]) -> str | int | None:
    amount = price.get("amount")
    return amount if isinstance(amount, int) and not isinstance(amount, bool) else as_text(amount) or None


def _plain(value: Json) -> str | None:
    return as_text(value) or None


def _texts(value: Json) -> list[str]:
    """A description as text or as `{"plain": ..., "html": ..., "markdown": ...}`."""
    if isinstance(value, dict):
        return [next((text for name in ("plain", "html", "markdown") if (text := as_text(value.get(name)))), "")]
    return [as_text(value)]


def _named(value: Json) -> str:
    return as_text(value.get("name")) if isinstance(value, dict) else as_text(value)


def _categories(value: Json) -> list[str]:
    found = []
    for entry in as_list(value):
        if isinstance(entry, dict):
            found.append(as_text(entry.get("value")) or as_text(entry.get("name")) or as_text(entry.get("path")))
        else:
            found.append(as_text(entry))
    return found[:1]
