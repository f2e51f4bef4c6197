"""Every word the shop front itself says, in the shopper's language; facts come from the catalog, never from here."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from babel import Locale
from babel.dates import format_datetime
from babel.numbers import UnknownCurrencyError, format_currency, format_decimal

from search_client.models import Money
from web.bidi import isolated, runs_right_to_left

FOLDER = Path(__file__).parent
DEFAULT_LANGUAGE = "en"
_RIGHT_TO_LEFT = {"ar", "fa", "he", "ur"}

Text = str | dict[str, str]


@functools.cache
def languages() -> tuple[str, ...]:
    """Languages that have a catalogue of strings, the default one first."""
    found = sorted(path.stem for path in FOLDER.glob("*.json"))
    return (DEFAULT_LANGUAGE, *(language for language in found if language != DEFAULT_LANGUAGE))


@functools.cache
def catalogue(language: str) -> Mapping[str, Text]:
    """All strings of `language` by key; plural forms by CLDR category."""
    texts: dict[str, Text] = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return texts


def choose_language(wanted: Iterable[str], *, default: str = DEFAULT_LANGUAGE) -> str:
    """The first of `wanted` (tags like `de-AT`) that has strings, else `default`."""
    for tag in wanted:
        language = tag.replace("_", "-").split("-")[0].lower()
        if language in languages():
            return language
    return default


@dataclass(frozen=True, slots=True)
class Strings:
    """Words, numbers and prices for one language."""

    language: str = DEFAULT_LANGUAGE

    @property
    def direction(self) -> str:
        """`rtl` or `ltr`, for the page's `dir`."""
        return "rtl" if self.language in _RIGHT_TO_LEFT else "ltr"

    @property
    def _locale(self) -> Locale:
        return _locale(self.language)

    def __call__(self, key: str, /, **values: object) -> str:
        """The text of `key` with `values` put in; `count` also chooses the plural form. Raises `KeyError`."""
        text = catalogue(self.language).get(key)
        if text is None:
            text = catalogue(DEFAULT_LANGUAGE)[key]
        if isinstance(text, dict):
            count = values.get("count")
            form = self._locale.plural_form(count) if isinstance(count, (int, float)) else "other"
            text = text.get(form, text["other"])
        shown = {name: self._put_in(value) for name, value in values.items()}
        return text.format(**shown) if shown else text

    def _put_in(self, value: object) -> object:
        if isinstance(value, (int, float)):
            return self.number(value)
        return self.apart(value) if isinstance(value, str) else value

    def apart(self, text: str) -> str:
        """`text` set apart where its direction and the sentence's may differ."""
        return isolated(text) if self.direction == "rtl" or runs_right_to_left(text) else text

    def known(self, key: str, fallback: str, /) -> str:
        """The text of `key`, or `fallback` where there is no such key."""
        return self(key) if key in catalogue(DEFAULT_LANGUAGE) else fallback

    def number(self, value: float) -> str:
        """`1,234.5` as this language writes it."""
        return _number(self.language, value)

    def money(self, money: Money) -> str:
        """A price as this language writes it; the currency decides the decimals (yen has none)."""
        return _money(self.language, money)

    def amount(self, amount: float, currency: str | None) -> str:
        """A shopper's own number as a price: `$100`, with decimals only where there are any."""
        if currency is None:
            return self.number(amount)
        if amount != int(amount):
            return _spaced(format_currency(amount, currency, locale=self._locale))
        short = self._short_format
        return _spaced(format_currency(amount, currency, locale=self._locale, currency_digits=False, format=short))

    @property
    def _short_format(self) -> str:
        """The language's currency pattern without decimals."""
        return str(self._locale.currency_formats["standard"].pattern).replace(".00", "")

    def time(self, seconds: float) -> str:
        """A moment (seconds since the epoch) as a short date and time, in UTC and saying so."""
        return format_datetime(datetime.fromtimestamp(seconds, UTC), "short", locale=self._locale) + " UTC"

    @staticmethod
    def moment(seconds: float) -> str:
        """The same for the page's script, which knows the shopper's own clock."""
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _spaced(price: str) -> str:
    """A currency code stands apart from its number, as CLDR has it and Babel forgets: `CHF 12.00`.

    And the sign after `US` stays after it where text runs from right to left.
    """
    price = re.sub(r"(?<=[A-Z]{3})(?=\d)", "\xa0", price)
    return re.sub(r"(?<=[A-Z])([^\w\s.,])$", "\\1\u200e", price)


# A shop has few prices, ratings and counts, and its pages are full of them: Babel takes 30 µs for each.
@functools.lru_cache(maxsize=10_000, typed=True)
def _number(language: str, value: float) -> str:
    return format_decimal(value, locale=_locale(language))


@functools.lru_cache(maxsize=10_000)
def _money(language: str, money: Money) -> str:
    try:
        return _spaced(format_currency(Decimal(money.decimal), money.currency, locale=_locale(language)))
    except UnknownCurrencyError:
        return str(money)


@functools.cache
def _locale(language: str) -> Locale:
    return Locale.parse({"en": "en_US"}.get(language, language))
