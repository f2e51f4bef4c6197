"""JSON objects within a record opened: prices with currency, ratings, stock and names become our plain columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache

from search_client.feeds.columns import as_list, as_text
from search_client.feeds.currency import choose
from search_client.feeds.draft import Json
from search_client.feeds.names import is_private, normal
from search_client.feeds.synonyms import COLUMNS
from search_client.feeds.wordlist import listed
from search_client.models import currency_exponent

OPEN_UNIT = "\0open unit"
"""Marks a record whose whole prices may be cents: Medusa's first version counted so, its second does not."""
_LANGUAGES = frozenset(
    listed(
        "en|de|fr|es|it|nl|pt|ar|pl|ru|uk|zh|ja|ko|tr|sv|da|fi|no|nb|cs|sk|hu|ro|el|he|en us|en gb|en au|en ca|de de|"
        "de at|de ch|fr fr|fr ca|es es|es mx|it it|nl nl|nl be|pt br|pt pt|zh cn|zh tw|ja jp|ko kr|pl pl|ru ru|tr tr|"
        "sv se|default"
    )
)
_AMOUNTS = listed(
    "unit amount|cent amount|calculated amount|amount|value|price|current|current price|sale price|gross|min|from|"
    "cents|regular|regular price"
)
_MINOR = frozenset(("unit amount", "cents"))
_MAJOR_SIGNS = frozenset(("raw amount", "price set id", "rules count"))
"""What prices of Medusa's second version have, which count in major units."""
_CURRENCIES = ("currency", "currency code", "currencycode", "currency id")
_HIGHER = listed(
    "original|original amount|original price|list|list price|was|compare at|compare at price|regular price|msrp|old|"
    "old price|retail|retail price|undiscounted"
)
_HIGHER_WORDS = frozenset(("compare", "undiscounted", "original", "list", "was", "old", "retail", "msrp", "rrp"))
_NOT_THE_PRICE = frozenset(("max", "stop", "highest", "high", "to", "tax", "discount", "shipping", "unit", "tier"))
_PRICE_NAMES = frozenset(("price", "prices", "pricing", "price range", "calculated price", "offer price"))
_STOCK = frozenset(("availability", "inventory", "stock", "stock info", "stock status"))
_STARS = ("rate", "average", "average rating", "avg", "stars", "value", "score")
_VOTES = ("count", "review count", "reviews count", "rating count", "total", "total reviews", "num reviews", "votes")
_MAX_DEPTH = 4


def flat(data: dict[str, Json]) -> dict[str, Json]:
    """Nested objects as `outer.inner`; those that mean one of our fields as that field. Other lists stay."""
    kinds = set(map(type, data.values()))
    if dict in kinds or (list in kinds and not _LISTS.isdisjoint(data)):
        result: dict[str, Json] = {}
        inferred: dict[str, Json] = {}
        for name, value in _with_master(data).items():
            if isinstance(value, dict) and normal(name) not in _KEPT:
                for key, inner in _opened(name, value, 0):
                    (inferred if key in _INFERRED else result).setdefault(key, inner)
            elif isinstance(value, list) and name in _LISTS and (found := _offers(value)):
                inferred.update(found)
            else:
                result[name] = value
        for key, inner in inferred.items():
            result.setdefault(key, inner)
        data = result
    return _in_one_language(data) if any(map(_language_of, data)) else data


_INFERRED = frozenset(("price", "list price", "currency", "rating", "rating count", "availability", "quantity"))
"""Fields that a nested object gives only where the record does not state them itself."""
_LISTS = frozenset(("prices", "pricing", "price_list", "priceList", "price_lists"))
_KEPT = frozenset(normal(column) for field in ("variants", "options", "attributes") for column in COLUMNS[field]) | {
    "edges"
}


def _with_master(data: dict[str, Json]) -> dict[str, Json]:
    """A record whose first variant stands apart, with all in one list."""
    master = data.get("masterVariant") or data.get("master_variant")
    if not isinstance(master, dict):
        return data
    rest = {name: value for name, value in data.items() if name not in ("masterVariant", "master_variant")}
    return {**rest, "variants": [master, *as_list(data.get("variants"))]}


def _opened(name: str, value: dict[str, Json], depth: int) -> Iterator[tuple[str, Json]]:
    kind = _kind(name, tuple(value)) if depth <= _MAX_DEPTH else "private"
    if kind == "private":
        return
    if kind in ("money", "stars", "stock", "named"):
        keys = {normal(key): inner for key, inner in value.items()}
        if kind != "money" or _amount(keys)[1]:
            yield from _meant(kind, name, keys)
            return
    if kind == "nodes":
        yield name, [node_of(each) for each in as_list(value.get("edges") or value.get("nodes"))]
    elif kind == "languages":
        yield name, next((inner for inner in value.values() if as_text(inner)), None)
    else:
        for key, inner in value.items():
            path = f"{name}.{key}"
            if isinstance(inner, dict):
                yield from _opened(path, inner, depth + 1)
            else:
                yield path, inner


def _meant(kind: str, name: str, keys: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """What the object says under our names."""
    if kind == "money":
        yield from _money(name, normal(name), keys)
    elif kind == "stars":
        yield "rating", next((keys[key] for key in _STARS if key in keys), None)
        yield "rating count", next((keys[key] for key in _VOTES if key in keys), None)
    elif kind == "named":
        yield normal(name), keys["name"]
    else:
        for key, inner in keys.items():
            if not isinstance(inner, dict | list):
                yield _STOCK_NAMES.get(key, f"{normal(name)} {key}"), inner


@lru_cache(maxsize=10_000)
def _kind(name: str, names: tuple[str, ...]) -> str:
    """What an object of these keys under this name is."""
    if is_private(name):
        return "private"
    words, keys = normal(name), set(map(normal, names))
    last = words.rpartition(" ")[2]
    prices = {"price", "prices", "pricing"} & set(words.split())
    if not keys.isdisjoint(_AMOUNTS) and (prices or not keys.isdisjoint(_CURRENCIES)):
        return "money"
    if "edges" in keys or "nodes" in keys:
        return "nodes"
    stars = "rate" in keys or last in ("rating", "ratings", "reviews")
    if stars and not keys.isdisjoint(_STARS) and not keys.isdisjoint(_VOTES):
        return "stars"
    if words in _STOCK:
        return "stock"
    if "name" in keys and words in ("brand", "manufacturer", "category", "marke", "hersteller"):
        return "named"
    return "languages" if keys and keys <= _LANGUAGES else "object"


_STOCK_NAMES = {
    "status": "availability",
    "state": "availability",
    "available": "is available",
    "in stock": "in stock",
    "is in stock": "in stock",
    "quantity": "quantity",
    "qty": "quantity",
    "level": "quantity",
    "count": "quantity",
    "stock": "quantity",
    "on hand": "quantity",
}


def _money(name: str, words: str, keys: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """`{"amount": "19.99", "currency": "USD", "original": 24.99}` as a price, a list price and a currency."""
    parts = set(words.split())
    if parts & _NOT_THE_PRICE and words not in _PRICE_NAMES:
        return
    amount, key = _amount(keys)
    scale = _scale(keys)
    higher = next((keys[word] for word in _HIGHER if word in keys and word != key), None)
    field = "list price" if parts & _HIGHER_WORDS else "price" if words in _PRICE_NAMES or "." in name else name
    if key in _MINOR and scale is None:
        yield "price cents", amount
    elif amount is not None:
        yield field, _scaled(amount, scale)
    if higher is not None and not isinstance(higher, dict | list):
        yield "list price", _scaled(higher, scale)
    if currency := _currency(keys):
        yield "currency", currency


def _amount(keys: Mapping[str, Json]) -> tuple[Json, str]:
    return next(
        ((keys[word], word) for word in _AMOUNTS if not isinstance(keys.get(word), dict | list | None)), (None, "")
    )


def _currency(keys: Mapping[str, Json]) -> str:
    return next((text for key in _CURRENCIES if choose(text := as_text(keys.get(key)), None)), "")


def _scale(keys: Mapping[str, Json]) -> int | None:
    """The decimals that an amount in minor units has; None: it is in major units, or does not say."""
    for key in ("currency minor unit", "fraction digits"):
        if isinstance(places := keys.get(key), int) and 0 <= places <= 4:
            return places
    return currency_exponent(_currency(keys).upper() or "USD") if "cent amount" in keys else None


def _scaled(amount: Json, scale: int | None) -> Json:
    text = as_text(amount)
    return Decimal(text).scaleb(-scale) if scale is not None and text.isdigit() else amount


def _offers(values: list[Json]) -> dict[str, Json]:
    """A list of prices, one a currency, as one cell; nothing where it is none."""
    texts: list[str] = []
    open_unit = False
    for value in values[:20]:
        inner = value.get("value") if isinstance(value, dict) and isinstance(value.get("value"), dict) else value
        if not isinstance(inner, dict):
            continue
        keys = {normal(key): each for key, each in inner.items()}
        amount, key = _amount(keys)
        currency = _currency(keys).upper()
        scale = currency_exponent(currency or "USD") if key in _MINOR else _scale(keys)
        if currency and as_text(amount) and not any(text.endswith(currency) for text in texts):
            texts.append(f"{as_text(_scaled(amount, scale))} {currency}")
            open_unit = open_unit or (
                scale is None and isinstance(amount, int) and keys.keys().isdisjoint(_MAJOR_SIGNS)
            )
    if not texts:
        return {}
    return {"price": ", ".join(texts), **({OPEN_UNIT: True} if open_unit else {})}


def node_of(value: Json) -> Json:
    """The record within GraphQL's `{"node": {...}}`."""
    return value.get("node", value) if isinstance(value, dict) else value


@lru_cache(maxsize=10_000)
def _language_of(name: str) -> tuple[str, str] | None:
    """The bare name and the language of `title_ar`; None for any other name."""
    words = normal(name).split()
    for count in (2, 1):
        bare, language = " ".join(words[:-count]), " ".join(words[-count:])
        if bare in _TRANSLATED and language in _LANGUAGES:
            return bare, language
    return None


def _in_one_language(data: dict[str, Json]) -> dict[str, Json]:
    """Of `title`, `title_ar` and `title_en` the one without a language, else the first of them under its bare name."""
    result = dict(data)
    for name in data:
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
