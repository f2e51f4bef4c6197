"""Products as JSON: the native format of a catalog file (one object a line) and of everything that goes over a wire.

Reading is lenient about what is there too much (unknown fields are ignored, `null` equals absent) and strict about what
is there: a wrong type is refused with its field and value. Queries and answers have their JSON in `wire`; what a value
may measure at most stands in `bounds`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, TypeAlias

from search_client.bounds import check_product
from search_client.errors import InvalidRecordError
from search_client.models import Availability, Money, Product, Variant, currency_exponent

JsonObject: TypeAlias = dict[str, object]

_MONEY_TEXT = re.compile(r"(\d{1,15})(?:\.(\d{1,3}))? ([A-Z]{3})")
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_AVAILABILITIES = {each.value: each for each in Availability}
_SHOWN = 80  # characters of a refused value that are quoted


def product_to_json(product: Product) -> JsonObject:
    """The product as a JSON object: fields in the order of `Product`, those that say nothing left out."""
    record: JsonObject = {"id": product.id, "title": product.title}
    _put(record, "description", product.description)
    _put(record, "brand", product.brand)
    _put(record, "category", product.category)
    _put_money(record, "price", product.price)
    _put_money(record, "list_price", product.list_price)
    if product.availability is not Availability.UNKNOWN:
        record["availability"] = product.availability.value
    _put(record, "quantity", product.quantity)
    _put(record, "rating", product.rating)
    _put(record, "rating_count", product.rating_count)
    _put(record, "images", product.images)
    _put(record, "url", product.url)
    _put(record, "attributes", product.attributes)
    _put(record, "options", product.options)
    if product.variants:
        record["variants"] = [_variant_to_json(variant) for variant in product.variants]
    for name in ("tags", "sku", "gtin", "mpn", "added_at", "visible_to"):
        _put(record, name, getattr(product, name))
    return record


def product_from_json(data: object) -> Product:
    """The product a JSON object describes. Raises `InvalidRecordError` naming the field, the value and the bound."""
    product = read_product(data)
    check_product(product)
    return product


def dump_product(product: Product) -> str:
    """One line of a native file, without the line break. Equal products give equal text."""
    return _encode(product_to_json(product))


def load_product(line: str) -> Product:
    """Reads one line of a native file. Raises `InvalidRecordError`."""
    try:
        data = json.loads(line)
    except ValueError as error:
        raise InvalidRecordError(f"Not a JSON object: {error}.") from error
    except RecursionError as error:
        raise InvalidRecordError("Not a product: nested too deeply.") from error
    return product_from_json(data)


def dump_products(products: Iterable[Product]) -> Iterator[str]:
    """A native file, line by line, each with its line break."""
    return (dump_product(product) + "\n" for product in products)


def read_product(data: object) -> Product:
    """As `product_from_json` but for records that were checked when they were written: types only, no bounds."""
    record = _object(data, "product")
    stated = {name: _READERS[name](record, name) for name in record if name in _READERS}
    return Product(_required(record, "id"), _required(record, "title"), **stated)


def money_to_json(money: Money) -> JsonObject:
    return {"amount_minor": money.amount_minor, "currency": money.currency}


def money_from_json(value: object, field: str = "price") -> Money:
    """Reads `{"amount_minor": 1999, "currency": "USD"}` or the text `"19.99 USD"`."""
    if isinstance(value, str):
        return _money_from_text(value, field)
    record = _object(value, field)
    amount, currency = record.get("amount_minor"), record.get("currency")
    if isinstance(amount, bool) or not isinstance(amount, int):
        raise _refused(f"{field}.amount_minor", amount, "a whole number of minor units")
    if not isinstance(currency, str):
        raise _refused(f"{field}.currency", currency, "an ISO 4217 code such as 'USD'")
    return Money(amount, currency)


def _money_from_text(value: str, field: str) -> Money:
    found = _MONEY_TEXT.fullmatch(value)
    places = currency_exponent(found[3]) if found else 0
    if found is None or len(found[2] or "") > places:
        raise _refused(field, value, "an amount and its ISO 4217 currency such as '19.99 USD'")
    return Money(int(Decimal(f"{found[1]}.{found[2] or 0}").scaleb(places)), found[3])


def _variant_to_json(variant: Variant) -> JsonObject:
    record: JsonObject = {"id": variant.id}
    _put(record, "options", variant.options)
    _put(record, "sku", variant.sku)
    _put(record, "gtin", variant.gtin)
    _put_money(record, "price", variant.price)
    _put_money(record, "list_price", variant.list_price)
    if variant.availability is not Availability.UNKNOWN:
        record["availability"] = variant.availability.value
    _put(record, "quantity", variant.quantity)
    _put(record, "image", variant.image)
    return record


def _variants(record: Mapping[str, object], name: str) -> tuple[Variant, ...]:
    return tuple(_variant(entry, index) for index, entry in enumerate(_list(record, name)))


def _variant(data: object, index: int) -> Variant:
    try:
        record = _object(data, "variant")
        return Variant(
            id=_required(record, "id"),
            options=_pairs(record, "options"),
            sku=_text(record, "sku"),
            gtin=_text(record, "gtin"),
            price=_money(record, "price"),
            list_price=_money(record, "list_price"),
            availability=_availability(record, "availability"),
            quantity=_integer(record, "quantity"),
            image=_text(record, "image"),
        )
    except InvalidRecordError as error:
        raise InvalidRecordError(f"variants[{index}]: {error}") from error


def _put(record: JsonObject, name: str, value: object) -> None:
    if value is not None and value != "" and value != ():
        record[name] = value


def _put_money(record: JsonObject, name: str, money: Money | None) -> None:
    if money is not None:
        record[name] = money_to_json(money)


def _refused(field: str, value: object, expected: str) -> InvalidRecordError:
    shown = repr(value)
    shown = shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"
    return InvalidRecordError(f"{field}: {shown} is not {expected}.")


def _object(value: object, field: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise _refused(field, value, "a JSON object")
    return value


def _required(record: Mapping[str, object], name: str) -> str:
    value = record.get(name)
    if value is None:
        raise InvalidRecordError(f"{name} is missing.")
    if not isinstance(value, str):
        raise _refused(name, value, "text (ids and codes are text, so that zeros survive)")
    return value


def _text(record: Mapping[str, object], name: str) -> str | None:
    value = record.get(name)
    if value is None or isinstance(value, str):
        return value
    raise _refused(name, value, "text")


def _prose(record: Mapping[str, object], name: str) -> str:
    return _text(record, name) or ""


def _list(record: Mapping[str, object], name: str) -> list[object]:
    value = record.get(name)
    if value is None:
        return []
    if isinstance(value, list | tuple):
        return list(value)
    raise _refused(name, value, "a list")


def _texts(record: Mapping[str, object], name: str) -> tuple[str, ...]:
    return tuple(_entry(entry, name) for entry in _list(record, name))


def _entry(value: object, name: str) -> str:
    if isinstance(value, str):
        return value
    raise _refused(name, value, "text within a list")


def _pairs(record: Mapping[str, object], name: str) -> tuple[tuple[str, str], ...]:
    """Name and value pairs: `[["Size", "M"]]`, or an object `{"Size": "M", "Color": ["Red", "Blue"]}`."""
    given = record.get(name)
    if type(given) is list:  # as we write them: a record with many variants is read in two thirds of the time
        plain = [(each[0], each[1]) for each in given if _is_plain_pair(each)]
        if len(plain) == len(given):
            return tuple(plain)
    pairs: list[tuple[str, str]] = []
    for key, value in _entries(record, name):
        values = value if isinstance(value, list | tuple) else [value]
        pairs += [(key, _entry(each, f"{name}.{key}")) for each in values]
    return tuple(pairs)


def _is_plain_pair(value: object) -> bool:
    return type(value) is list and len(value) == 2 and type(value[0]) is str and type(value[1]) is str


def _options(record: Mapping[str, object], name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((key, _texts({f"{name}.{key}": value}, f"{name}.{key}")) for key, value in _entries(record, name))


def _entries(record: Mapping[str, object], name: str) -> Iterator[tuple[str, object]]:
    value = record.get(name)
    if isinstance(value, dict):
        yield from value.items()
        return
    for entry in _list(record, name):
        if not isinstance(entry, list | tuple) or len(entry) != 2 or not isinstance(entry[0], str):
            raise _refused(name, entry, 'a pair such as ["Size", "M"]')
        yield entry[0], entry[1]


def _money(record: Mapping[str, object], name: str) -> Money | None:
    value = record.get(name)
    return None if value is None else money_from_json(value, name)


def _availability(record: Mapping[str, object], name: str) -> Availability:
    value = _text(record, name)
    if value is None:
        return Availability.UNKNOWN
    found = _AVAILABILITIES.get(value)
    if found is None:
        raise _refused(name, value, f"one of {', '.join(Availability)}")
    return found


def _integer(record: Mapping[str, object], name: str) -> int | None:
    value = record.get(name)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise _refused(name, value, "a whole number")


def _number(record: Mapping[str, object], name: str) -> float | None:
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise _refused(name, value, "a number")


_READERS: dict[str, Callable[[Mapping[str, object], str], Any]] = {
    **dict.fromkeys(("brand", "url", "sku", "gtin", "mpn", "added_at"), _text),
    **dict.fromkeys(("category", "images", "tags", "visible_to"), _texts),
    **dict.fromkeys(("price", "list_price"), _money),
    **dict.fromkeys(("quantity", "rating_count"), _integer),
    "description": _prose,
    "availability": _availability,
    "rating": _number,
    "attributes": _pairs,
    "options": _options,
    "variants": _variants,
}
"""How each field but id and title is read: most records state half of them."""
