"""A format's table of columns put to a record: our field for each column, what is left over, what is never read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeAlias

from search_client.errors import FeedError
from search_client.feeds.currency import candidates
from search_client.feeds.draft import Json, Record
from search_client.feeds.names import is_ignored, is_private, label, normal, numbered
from search_client.feeds.price import Raw

Columns: TypeAlias = Mapping[str, Sequence[str]]
"""Our field and the names of the columns that may fill it, the best first. `#` stands for a number."""

_MAX_FACT_CHARS = 1_000
_MAX_NAME_CHARS = 80
_MAX_FACTS = 50
_MAX_KEYS = 20_000  # records whose keys are ids of their own must not fill the memory
_MAX_KEY_CHARS = 300
_HINT_COST = 10  # an exact name is better than one with a remark
_PRICES = ("price", "sale_price", "list_price", "regular_price")
_HINT = re.compile(r"(?P<bare>[^()\[\]]+?)\s*[(\[](?P<hint>[^()\[\]]{1,90})[)\]]\s*\*?")
_HARMLESS_HINT = re.compile(
    r"x ?, ?y|0/1|1/0|optional|required|gross|brutto|incl|inkl|ttc|html|url|text|max|non editable|0 ?= ?no|\w:\w",
    re.IGNORECASE,
)
_GOODS = frozenset(("product", "item", "article", "produkt", "artikel", "producto", "produit", "prodotto", "produto"))
_VARIANT = frozenset(("variant", "variation", "sku"))
_OF_VARIANTS = frozenset(("sku", "gtin", "price", "list_price", "sale_price", "quantity", "image"))
_OF_GOODS = re.compile(
    r" (?:товара|товаров|du produit|del producto|del prodotto|do produto|van product|produktu|المنتج)$"
)
# Where two columns could fill one of these fields, the one that does not is still a fact worth showing.
_WORTH_KEEPING = frozenset(("title", "brand", "category", "size", "color", "material"))


def as_text(value: Json) -> str:
    """A scalar as text, verbatim; lists and objects give nothing."""
    if isinstance(value, str):
        return value.strip()
    if value is None or isinstance(value, list | dict):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def as_fact(value: Json) -> str:
    """A scalar as a shopper reads it: Yes and No, numbers without idle zeros."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, Decimal):
        text = format(value, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    text = as_text(value)
    return {"true": "Yes", "false": "No"}.get(text.lower(), text) if len(text) < 6 else text


def as_list(value: Json) -> list[Json]:
    """A list's entries, a single value as a list of one, nothing as none."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _hinted(name: str) -> tuple[str, str] | None:
    """The bare normal name and the currency of `Price (EUR)`, `price_usd`, `Preis in €` or `Categories (x,y,z...)`."""
    if is_private(name):
        return None
    if found := _HINT.match(name.strip()):
        if currency := next(iter(candidates(found["hint"])), ""):
            return normal(found["bare"]), currency
        return (normal(found["bare"]), "") if _HARMLESS_HINT.search(found["hint"]) else None
    words = name.replace("_", " ").split()
    currency = next(iter(candidates(words[-1])), "") if len(words) > 1 and len(words[-1]) in (1, 3) else ""
    return (normal(" ".join(words[:-1])).removesuffix(" in").removesuffix(" en"), currency) if currency else None


@dataclass(slots=True)
class Fields:
    """One record under our names."""

    line: int
    values: dict[str, list[Json]]
    extras: list[tuple[str, Json]]
    """Columns of no field, by their own names; private and useless ones are gone."""
    missing: frozenset[str] = frozenset()
    """Fields whose column a row too short does not have."""

    def text(self, name: str) -> str:
        """The first value as text; empty where there is none."""
        values = self.values.get(name)
        if values is None:
            return ""
        if isinstance(values[0], str):
            return values[0]
        return next((text for value in values if (text := as_text(value))), "")

    def texts(self, name: str) -> list[str]:
        """All values as text."""
        values = self.values.get(name)
        return [] if values is None else [text for value in values if (text := as_text(value))]

    def raw(self, name: str) -> Raw:
        """The first value as it stands: text or a JSON number."""
        values = self.values.get(name)
        if values is None:
            return None
        if isinstance(values[0], str):
            return values[0]
        for value in values:
            if isinstance(value, int | Decimal) and not isinstance(value, bool):
                return value
            if text := as_text(value):
                return text
        return None

    def facts(self) -> list[tuple[str, str]]:
        """What is left over and harmless, as attributes."""
        return [(label(name), fact) for name, value in self.extras for fact in _facts(value)]


def _facts(value: Json) -> list[str]:
    if isinstance(value, list):
        texts = [as_fact(entry) for entry in value[:_MAX_FACTS]]
        return texts if all(texts) and sum(map(len, texts)) <= _MAX_FACT_CHARS else []
    text = as_fact(value)
    plain = 0 < len(text) <= _MAX_FACT_CHARS and not text.startswith(("http://", "https://", "{", "[{", "//"))
    return [text] if plain else []


def _filled(value: Json) -> list[Json]:
    """What a value holds: text without blanks around it, objects, numbers; nothing that is empty."""
    if isinstance(value, str):
        text = value.strip()
        return [text] if text else []
    found = (each.strip() if isinstance(each, str) else each for each in as_list(value))
    return [each for each in found if isinstance(each, dict) or as_text(each)]


@dataclass(slots=True)
class Binder:
    """Puts a table of columns, and what the merchant said, to records."""

    columns: Columns
    mapping: tuple[tuple[str, str], ...] = ()
    nested: frozenset[str] = frozenset()
    """Fields that also match on the last part of a nested name: `meta.barcode`."""
    present: frozenset[str] = frozenset()
    """Fields that have a column in the table at all, filled or not."""
    group_is_sku: bool = False
    """The column that brings rows together names a SKU, not an id."""
    used: dict[str, str] = field(default_factory=dict)
    """Columns met so far and the field each fills."""
    unknown: dict[str, None] = field(default_factory=dict)
    private: dict[str, None] = field(default_factory=dict)
    ignored: dict[str, None] = field(default_factory=dict)
    _ranks: dict[str, tuple[str, int]] = field(default_factory=dict)
    _known: dict[str, tuple[str, int] | None] = field(default_factory=dict)
    _currencies: dict[str, str] = field(default_factory=dict)
    """Currencies that price columns name in their header: `Price (EUR)`."""
    _told: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, columns in self.columns.items():
            for rank, column in enumerate(columns):
                self._ranks.setdefault(
                    " ".join(normal(column.replace("#", "7")).replace("7", "#").split()), (name, rank)
                )
        for name, column in self.mapping:
            self._told[normal(column)] = name

    def count(self, names: Iterable[str]) -> int:
        """How many of the names are known."""
        return sum(self.field_of(name) is not None for name in names if name.strip())

    def field_of(self, name: str) -> tuple[str, int] | None:
        """The field a column fills and how good its name is (0: best)."""
        try:
            return self._known[name]
        except KeyError:
            found = self._find(name) if len(name) <= _MAX_KEY_CHARS else None
            if len(self._known) < _MAX_KEYS:
                self._known[name] = found
            return found

    def _find(self, name: str) -> tuple[str, int] | None:
        words = normal(name)
        if words in self._told:
            return self._told[words], -1
        found = self._ranks.get(words)
        if found is None and (pair := numbered(words)) and pair[0] in self._ranks:
            field_name, rank = self._ranks[pair[0]]
            found = f"{field_name}{pair[1]}", rank
        if found is None and (hint := _hinted(name)):
            bare = self._ranks.get(hint[0])
            if bare and (not hint[1] or bare[0] in _PRICES):
                found = bare[0], bare[1] + _HINT_COST
                self._currencies[name] = hint[1]
        if found is None and self.nested and not is_private(name):
            found = self._about_goods(words)
        if found is None and "." in name and not is_private(name):
            inner = self._ranks.get(normal(name.rpartition(".")[2]))
            found = (inner[0], inner[1] + 100) if inner and inner[0] in self.nested else None
        if found is not None and found[0] in self._told.values():
            return None  # the merchant named another column for this field
        return found

    def _about_goods(self, words: str) -> tuple[str, int] | None:
        """The field of `product brand`, `variant price` or `цена товара`: names that say what they are about."""
        first, _, rest = words.partition(" ")
        if first in _VARIANT and (found := self._ranks.get(rest)) and found[0] in _OF_VARIANTS:
            return found[0], found[1] + _HINT_COST
        bare = rest if first in _GOODS else _OF_GOODS.sub("", words)
        found = self._ranks.get(bare) if bare != words else None
        return (found[0], found[1] + _HINT_COST) if found and bare not in ("id", "type") else None

    def bind(self, record: Record) -> Fields:
        """The record under our names. Of several columns for one field the best filled one counts."""
        values: dict[str, list[Json]] = {}
        best: dict[str, tuple[int, str]] = {}
        extras: list[tuple[str, Json]] = []
        for name, value in record.data.items():
            found = self.field_of(name)
            if found is None:
                self._leave_over(name, value, extras)
                continue
            field_name, rank = found
            held = best.get(field_name)
            if not (filled := _filled(value)):
                continue
            if held is None or rank < held[0]:
                best[field_name] = (rank, name)
                values[field_name] = filled
                self.used.setdefault(name, field_name)
                name = held[1] if held else ""
            if name and field_name in _WORTH_KEEPING:
                self._leave_over(name, record.data[name], extras)
        for price in _PRICES:
            if "currency" not in values and price in best and (currency := self._currencies.get(best[price][1])):
                values["currency"] = [currency]
        missing = frozenset(found[0] for name in record.missing if (found := self.field_of(name)))
        return Fields(record.line, values, extras, missing)

    def _leave_over(self, name: str, value: Json, extras: list[tuple[str, Json]]) -> None:
        if name.startswith("\0") or len(name) > _MAX_KEY_CHARS:
            return
        if is_private(name):
            met = self.private
        elif is_ignored(name) or len(name) > _MAX_NAME_CHARS:
            met = self.ignored
        else:
            met = self.unknown
            extras.append((name, value))
        if len(met) < _MAX_KEYS:
            met.setdefault(name)


def shown_names(names: Sequence[str]) -> str:
    """Names for a message: the first forty, none longer than a line."""
    more = f", and {len(names) - 40:,} more" if len(names) > 40 else ""
    return ", ".join(name[:40] for name in names[:40]) + more


def check_mapping(mapping: tuple[tuple[str, str], ...], fields: Iterable[str], columns: Sequence[str]) -> None:
    """Raises `FeedError` where a mapping names a field or a column that does not exist."""
    known = sorted(fields)
    have = {normal(column) for column in columns}
    for name, column in mapping:
        if name not in known:
            raise FeedError(f"--map {name}={column}: no field {name!r}. Fields: {', '.join(known)}.")
        if have and normal(column) not in have:
            raise FeedError(
                f"--map {name}={column}: no column {column!r} in the file. Columns: {shown_names(columns)}."
            )
