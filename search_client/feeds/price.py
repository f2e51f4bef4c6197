"""Prices as merchants write them, read as exact amounts.

Whether a point or a comma stands before the cents is decided once for a file from all its prices (`DecimalEvidence`);
a cell that does not fit the decision is refused. No cell is ever read by its own looks alone: that is how prices become
a hundred times too high.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import NamedTuple, TypeAlias

from search_client.bounds import MAX_AMOUNT_MINOR
from search_client.errors import FeedError
from search_client.feeds.currency import choose
from search_client.feeds.wordlist import listed
from search_client.models import Money, currency_exponent

Raw: TypeAlias = str | int | Decimal | None
"""A price as it stands in a feed: text, a JSON number, or nothing."""

_MAX_CELL_CHARS = 120
_PLAIN = re.compile(r"\d{1,12}(?:\.\d{1,2})?")
_SPACES = dict.fromkeys(map(ord, "\u00a0\u202f\u2009\u2007\u3000"), " ") | dict.fromkeys(map(ord, "’´`ʼ＇"), "'")
_DIGITS = {0x0660 + n: str(n) for n in range(10)} | {0x06F0 + n: str(n) for n in range(10)}
_DIGITS |= {0xFF10 + n: str(n) for n in range(10)} | {0x066B: ".", 0x066C: "'"}
_TRANSLATE = _SPACES | _DIGITS
_SIGN = r"[^\W\d_]{1,6}\.?(?:[./][^\W\d_]{0,3}\.?)?|[^\w\s.,+'*-]{1,3}|[A-Za-z.]{1,4}\$"
_CELL = re.compile(
    rf"(?:(?:from|ab|nur|only|now|desde|da|vanaf|dès|à partir de)\s+)?(?P<minus>[-−])?\s*(?P<before>{_SIGN})?\s*"
    rf"(?P<minus2>[-−])?(?P<number>\d[\d., ']*\d|\d|[.,]\d+)(?:[.,][-–—]{{1,2}}|[.,])?\s*(?P<after>{_SIGN})?\s*[*]?",
    re.IGNORECASE,
)
_NONE = frozenset(
    listed(
        "-|--|–|—|n/a|na|none|null|nan|nil|tba|tbd|tbc|poa|p.o.a.|call|ask|quote|unknown|unavailable|on request|"
        "price on request|price on application|call for price|call for pricing|contact us|ask for price|"
        "request a quote|auf anfrage|preis auf anfrage|sur demande|prix sur demande|a consultar|consultar|"
        "su richiesta|op aanvraag"
    )
)
_LISTED = re.compile(r"\s*[\n|;]\s*")
_RANGE = re.compile(r"\s+[-–—]\s+|(?<=\d)[-–—](?=\D?\d)")
_GROUPED = {
    ".": re.compile(r"\d{1,3}(?:(?:,\d{3})+|(?: \d{3})+|(?:'\d{3})+)(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?"),
    ",": re.compile(r"\d{1,3}(?:(?:\.\d{3})+|(?: \d{3})+|(?:'\d{3})+)(?:,\d+)?"),
}
_UNGROUPED = {".": re.compile(r"\d*(?:\.\d+)?"), ",": re.compile(r"\d*(?:,\d+)?")}


class PriceText(NamedTuple):
    """One amount of a cell: its digits and separators, and the currency it names."""

    number: str
    currency: str | None


def split_price(text: str, hint: str | None = None) -> PriceText | None:
    """The amount and currency of a cell such as `$1,299.00`; None: it is no price.

    Of several amounts in several currencies (`88,40 EUR, 95 USD`) the one in `hint` is taken, else the first.
    """
    return next(iter(prices_in(text, hint)), None)


def prices_in(text: str, hint: str | None = None) -> list[PriceText]:
    """All amounts of a cell, the one in the currency `hint` first; empty: it is no price."""
    text = text.strip()
    if _PLAIN.fullmatch(text):
        return [PriceText(text, None)]
    if len(text) > _MAX_CELL_CHARS:
        return []
    text = text.translate(_TRANSLATE).strip()
    if price := _one_price(text, hint):
        return [price]
    parts = re.split(r"[,;|/]\s+|[;|]", text)
    named = [price for part in parts if (price := _one_price(part.strip(), hint)) and price.currency]
    if not 1 < len(parts) == len(named):
        return []
    return sorted(named, key=lambda price: price.currency != hint)


def _one_price(text: str, hint: str | None) -> PriceText | None:
    found = _CELL.fullmatch(text)
    if found is None:
        return None
    currencies = [choose(sign, hint) for sign in (found["before"], found["after"]) if sign]
    if None in currencies or len(set(currencies)) > 1:
        return None
    sign = "-" if found["minus"] or found["minus2"] else ""
    return PriceText(sign + found["number"], currencies[0] if currencies else None)


def lowest_of(text: str, hint: str | None = None) -> list[PriceText]:
    """The amounts of a cell that lists several, or a range: `25 | 50 | 100`, `19.99 - 29.99`; empty: it does not."""
    text = text.strip()[:_MAX_CELL_CHARS]
    parts = [part for part in _LISTED.split(text) if part.strip()]
    is_range = len(parts) == 1
    parts = _RANGE.split(text) if is_range else parts
    prices = [price for part in parts if (price := _one_price(part.translate(_TRANSLATE).strip(), hint))]
    if len(prices) < 2 or len({price.currency for price in prices} - {None}) > 1:
        return []
    return [] if is_range and len(parts) != 2 else prices


def says_no_price(text: str) -> bool:
    """Whether a cell says in words that there is no price: `N/A`, `on request`."""
    return text.strip().casefold() in _NONE


def shape(number: str) -> str:
    """What the separators of a number prove: `plain`, `.` or `,` is the decimal sign, `.?` or `,?` may be, `bad`."""
    bare = number.lstrip("-")
    points, commas = bare.count("."), bare.count(",")
    if not points and not commas:
        return "plain" if bare.isdigit() or _GROUPED["."].fullmatch(bare) else "bad"
    if points and commas:
        sign = "." if bare.rindex(".") > bare.rindex(",") else ","
        return sign if _GROUPED[sign].fullmatch(bare) else "bad"
    sign, other = (".", ",") if points else (",", ".")
    if points + commas > 1:
        return other if _GROUPED[other].fullmatch(bare) else "bad"
    if " " in bare or "'" in bare:
        return sign if _GROUPED[sign].fullmatch(bare) else "bad"
    whole, cents = bare.split(sign)
    return f"{sign}?" if len(cents) == 3 and 1 <= len(whole) <= 3 and whole[0] != "0" else sign


@dataclass(slots=True)
class DecimalEvidence:
    """What the prices of a file say about its decimal sign."""

    shapes: Counter[str] = field(default_factory=Counter)
    examples: dict[str, tuple[str, int]] = field(default_factory=dict)
    """The first price of each shape and its line."""
    thirds: int = 0
    """Prices that certainly have three decimals: only then may `1.250` be one."""

    def add(self, price: PriceText, line: int, currency: str | None) -> None:
        """Takes one price into account."""
        found = shape(price.number)
        exponent = currency_exponent(currency) if currency else 2
        if found in (".?", ",?") and exponent == 0:
            found = "," if found == ".?" else "."  # a yen has no decimals: the sign parts thousands
        elif found == ".?" and exponent == 3:
            found = "."
        if found in (".", ",") and len(price.number.rpartition(found)[2]) == 3:
            self.thirds += 1
        self.shapes[found] += 1
        self.examples.setdefault(found, (price.number, line))

    @property
    def proven(self) -> str:
        """The sign that prices prove; empty: none does, or they contradict each other."""
        signs = [sign for sign in (".", ",") if self.shapes[sign]]
        return signs[0] if len(signs) == 1 else ""

    @property
    def is_open(self) -> bool:
        """Whether prices can be read in two ways and no other proves one."""
        return not (self.shapes["."] or self.shapes[","]) and bool(self.shapes[".?"] or self.shapes[",?"])

    def decide(self, told: str | None) -> tuple[str, str]:
        """The decimal sign and the evidence for it. Raises `FeedError` where the prices leave it open."""
        if told is not None:
            return told, "told"
        point, comma = self.shapes["."], self.shapes[","]
        if min(point, comma) * 10 > max(point, comma):
            raise FeedError(
                f"Prices contradict each other: {self._example('.')} and {self._example(',')}. "
                "Say which sign stands before the cents: --decimal . or --decimal ,"
            )
        if point or comma:
            sign = "." if point > comma else ","
            return sign, f"{max(point, comma):,} prices such as {self._example(sign)}"
        unsure = next((found for found in (".?", ",?") if self.shapes[found]), None)
        if unsure:
            raise FeedError(
                f"Prices such as {self._example(unsure)} can be read in two ways, and nothing else in the file settles "
                "it. Say which sign stands before the cents: --decimal . or --decimal ,"
            )
        return ".", "no price has a separator"

    def _example(self, found: str) -> str:
        number, line = self.examples[found]
        return f"{number!r} (line {line})"


def parse_number(number: str, decimal: str, *, three_decimals: bool = False) -> Decimal | None:
    """The value of a number under the file's decimal sign; None where it does not fit it.

    Without `three_decimals` a number like `1.250` is refused under `.`: in a file of two decimals it is 1250 as likely.
    """
    bare = number.lstrip("-")
    if not (_UNGROUPED[decimal].fullmatch(bare) or _GROUPED[decimal].fullmatch(bare)):
        return None
    if not three_decimals and shape(bare) == f"{decimal}?":
        return None
    other = "," if decimal == "." else "."
    digits = bare.replace(" ", "").replace("'", "").replace(other, "").replace(decimal, ".")
    value = Decimal(digits)
    return -value if number.startswith("-") else value


class Rounded(NamedTuple):
    """An amount of money, and whether decimals beyond the currency's own were rounded away."""

    money: Money
    rounded: bool


def to_money(amount: Decimal | int, currency: str, *, minor: bool = False) -> Rounded | None:
    """The amount in minor units; None where it is below zero, endless or beyond every price."""
    try:
        exact = Decimal(amount) if minor else Decimal(amount).scaleb(currency_exponent(currency))
        whole = exact.quantize(Decimal(1), ROUND_HALF_UP)
    except InvalidOperation:
        return None
    if not 0 <= whole <= MAX_AMOUNT_MINOR:
        return None
    return Rounded(Money(int(whole), currency), abs(exact - whole) > Decimal("0.001"))
