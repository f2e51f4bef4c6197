"""What a record may measure at most: far above what shops have, far below what would hurt memory or a page."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from search_client.errors import InvalidRecordError
from search_client.models import Money, Product, Variant

MAX_ID_CHARS = 200
MAX_TITLE_CHARS = 1_000
MAX_DESCRIPTION_CHARS = 100_000
MAX_TEXT_CHARS = 5_000
"""Any other text: a name, a value, an address."""
MAX_CATEGORY_LEVELS = 20
MAX_LIST_LENGTH = 1_000
"""Images, attributes, tags, values of an option, groups."""
MAX_OPTIONS = 20
MAX_VARIANTS = 2_500  # Shopify allows 2,048
MAX_AMOUNT_MINOR = 10**15
MAX_QUANTITY = 10**12

# Control characters but tab and line breaks, and lone surrogates: PostgreSQL, XML and JSON readers refuse them.
_UNUSABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_UNUSABLE_IN_ID = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_CURRENCY = re.compile("[A-Z]{3}")


def check_product(product: Product) -> None:
    """Raises `InvalidRecordError` naming the field, its size and the bound where a product is out of bounds."""
    check_id(product.id)
    if not product.title.strip():
        raise InvalidRecordError("title is empty.")
    _check_text("title", product.title, MAX_TITLE_CHARS)
    _check_text("description", product.description, MAX_DESCRIPTION_CHARS)
    for field, text in _texts(product):
        _check_text(field, text, MAX_TEXT_CHARS)
    for field, length, most in _lengths(product):
        if length > most:
            raise InvalidRecordError(f"{field} has {length:,} entries; at most {most:,} are allowed.")
    _check_offer(product)
    if product.rating is not None and not (math.isfinite(product.rating) and 0 <= product.rating <= 5):
        raise InvalidRecordError(f"rating: {product.rating!r} is not within 0 to 5.")
    _check_count("rating_count", product.rating_count)
    for index, variant in enumerate(product.variants):
        _check_variant(variant, index)


def check_id(product_id: str, field: str = "id") -> None:
    """An id is 1 to 200 characters, none of them a control character, no blank at either end."""
    if not product_id or product_id != product_id.strip():
        raise InvalidRecordError(f"{field}: {product_id!r} is empty or has blanks at its ends.")
    if len(product_id) > MAX_ID_CHARS:
        raise InvalidRecordError(f"{field} has {len(product_id):,} characters; at most {MAX_ID_CHARS} are allowed.")
    if _UNUSABLE_IN_ID.search(product_id):
        raise InvalidRecordError(f"{field}: {product_id!r} has a control character.")


def _check_text(field: str, text: str, most: int) -> None:
    if len(text) > most:
        raise InvalidRecordError(f"{field} has {len(text):,} characters; at most {most:,} are allowed.")
    if found := _UNUSABLE.search(text):
        raise InvalidRecordError(f"{field} has the unusable character {found[0]!r}.")


def _texts(product: Product) -> Iterator[tuple[str, str]]:
    for field in ("brand", "url", "sku", "gtin", "mpn", "added_at"):
        text = getattr(product, field)
        if text is not None:
            yield field, text
    for field in ("category", "images", "tags", "visible_to"):
        for text in getattr(product, field):
            yield field, text
    for name, value in product.attributes:
        yield "attributes", name
        yield "attributes", value
    for name, values in product.options:
        yield "options", name
        for value in values:
            yield "options", value


def _lengths(product: Product) -> Iterator[tuple[str, int, int]]:
    yield "category", len(product.category), MAX_CATEGORY_LEVELS
    yield "options", len(product.options), MAX_OPTIONS
    yield "variants", len(product.variants), MAX_VARIANTS
    for field in ("images", "attributes", "tags", "visible_to"):
        yield field, len(getattr(product, field)), MAX_LIST_LENGTH
    for _, values in product.options:
        yield "options", len(values), MAX_LIST_LENGTH


def _check_offer(offer: Product | Variant) -> None:
    _check_money("price", offer.price)
    _check_money("list_price", offer.list_price)
    _check_count("quantity", offer.quantity)


def _check_variant(variant: Variant, index: int) -> None:
    try:
        check_id(variant.id)
        for field in ("sku", "gtin", "image"):
            _check_text(field, getattr(variant, field) or "", MAX_TEXT_CHARS)
        if len(variant.options) > MAX_OPTIONS:
            raise InvalidRecordError(f"options has {len(variant.options)} entries; at most {MAX_OPTIONS} are allowed.")
        for pair in variant.options:
            for text in pair:
                _check_text("options", text, MAX_TEXT_CHARS)
        _check_offer(variant)
    except InvalidRecordError as error:
        raise InvalidRecordError(f"variants[{index}]: {error}") from error


def _check_money(field: str, money: Money | None) -> None:
    if money is None:
        return
    if not 0 <= money.amount_minor <= MAX_AMOUNT_MINOR:
        raise InvalidRecordError(
            f"{field}: {money.amount_minor!r} is not within 0 to {MAX_AMOUNT_MINOR:,} minor units."
        )
    if not _CURRENCY.fullmatch(money.currency):
        raise InvalidRecordError(f"{field}: {money.currency!r} is not an ISO 4217 code such as 'USD'.")


def _check_count(field: str, count: int | None) -> None:
    if count is not None and not 0 <= count <= MAX_QUANTITY:
        raise InvalidRecordError(f"{field}: {count!r} is not within 0 to {MAX_QUANTITY:,}.")
