"""Numbers with a meaning: price bounds and the least rating. Each reader takes the words it understood."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from shopping_agent.offline.sheet import Sheet

_NUMBER = re.compile(r"(?P<number>\d+(?:[.,]\d+)*)(?P<tail>[+]|[a-z]{1,4})?")
_JOINING = frozenset("and to und bis et a y 到 至 or -".split())  # noqa: SIM905 - a row of words reads better
MAX_STARS = 5.0
TEN = 10
_UNITS = (1000, 100, TEN)
MAX_IDLE = 3  # words between “under” and its number: “under the price of”


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a clause says of money and stars. None: nothing."""

    min_price: float | None = None
    max_price: float | None = None
    min_rating: float | None = None


@dataclass(frozen=True, slots=True)
class _Amount:
    start: int
    end: int
    value: float
    is_money: bool = False
    is_open: bool = field(default=False)
    """Whether a plus sign follows: `4+`."""


def to_number(digits: str) -> float:
    """`1,000` as 1000, `12,99` as 12.99, `1.299,00` as 1299: the last separator is decimal but before three digits."""
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return float(digits)
    whole, part = digits[:last], digits[last + 1 :]
    point = "" if len(part) == 3 and whole != "0" else "."
    return float(whole.replace(".", "").replace(",", "") + point + part)


def _value(sheet: Sheet, place: int) -> tuple[float, str] | None:
    """The number a word stands for and what is glued to it: `2k` is (2000, "k"), `50usd` is (50, "usd")."""
    match = _NUMBER.fullmatch(sheet.words[place])
    if match:
        tail = match["tail"] or ""
        if tail and tail != "+" and tail not in sheet.lexicon.currencies and tail not in sheet.lexicon.factors:
            return None
        return to_number(match["number"]) * sheet.lexicon.factors.get(tail, 1), tail
    named = sheet.lookup("numbers", sheet.words[place])
    return (float(named), "") if named is not None and named != 1 else None


def _amount_at(sheet: Sheet, place: int) -> _Amount | None:
    found = _value(sheet, place)
    if found is None:
        return None
    value, tail = found
    currencies = sheet.lexicon.currencies
    start, end, money = place, place + 1, tail in currencies
    if start and sheet.words[start - 1] in currencies:
        start, money = start - 1, True
    value, end = _said_on(sheet, value, end)
    if end < len(sheet.words) and sheet.words[end] in currencies:
        end, money = end + 1, True
    return _Amount(start, end, value, money, tail == "+")


def _said_on(sheet: Sheet, value: float, end: int) -> tuple[float, int]:
    """The number with what is said behind it: “two | hundred and fifty”, “forty | five”, “2 | thousand”."""
    factors, numeral = sheet.lexicon.factors, sheet.words[end - 1][0].isdigit()
    if end < len(sheet.words) and sheet.words[end] in factors:
        value, end = value * factors[sheet.words[end]], end + 1
    unit = next((unit for unit in _UNITS if value >= unit and not value % unit), 1)
    if numeral or unit == 1:
        return value, end
    joined = end + (unit > TEN and sheet.words[end : end + 1] in (["and"], ["und"], ["y"]))
    below = sheet.lookup("numbers", sheet.words[joined]) if joined < len(sheet.words) else None
    if not isinstance(below, int) or below >= unit:
        return value, end
    rest, stop = _said_on(sheet, float(below), joined + 1)
    return (value + rest, stop) if rest < unit else (value, end)


def _amounts(sheet: Sheet) -> list[_Amount]:
    found: list[_Amount] = []
    for place in range(len(sheet.words)):
        inside = bool(found) and place < found[-1].end
        amount = None if inside or sheet.takers[place] else _amount_at(sheet, place)
        if amount is not None:
            found.append(amount)
    return found


def _before(sheet: Sheet, start: int, *acts: str) -> int | None:
    """Where a phrase of `acts` begins that leads to `start` with only idle words between; the nearest one."""
    for match in reversed(sheet.of(*acts)):
        gap = sheet.words[match.end : start]
        if match.end <= start and len(gap) <= MAX_IDLE and all(_is_idle(sheet, word) for word in gap):
            return match.start
    return None


def _is_idle(sheet: Sheet, word: str) -> bool:
    cue = any(sheet.words[match.start] == word for match in sheet.of("price_cue", "price_word"))
    return cue or word in sheet.any_of("function") or word in sheet.lexicon.currencies


def _after(sheet: Sheet, end: int, *acts: str) -> int | None:
    """Where a phrase of `acts` ends that follows `end`, one small word between at most; the longest one."""
    ends = [
        match.end
        for match in sheet.of(*acts)
        if match.start >= end
        and len(gap := sheet.words[end : match.start]) <= 1
        and all(word in sheet.any_of("function") for word in gap)
    ]
    return max(ends, default=None)


def read_rating(sheet: Sheet) -> Bounds:
    """`at least 4.4 stars`, `4+ stars`, `rated above 3.7`: the least rating. Counts of reviews are dropped."""
    for amount in _amounts(sheet):
        if amount.is_money:
            continue
        reviews = _after(sheet, amount.end, "review_cue")
        if amount.value > MAX_STARS:
            if reviews is not None:
                start = _before(sheet, amount.start, "price:min_before", "price:max_before")
                sheet.take("reviews", range(amount.start if start is None else start, reviews))
            continue
        least = _before(sheet, amount.start, "price:min_before")
        led = _before(sheet, amount.start if least is None else least, "rating_cue")
        after = _after(sheet, amount.end, "rating_cue")
        if after is None and led is None:
            continue
        start = min(place for place in (least, led, amount.start) if place is not None)
        end = amount.end if after is None else after
        tail = _after(sheet, end, "price:min_after", "rating_cue")
        sheet.take("rating", range(start, end if tail is None else tail))
        return Bounds(min_rating=amount.value)
    return Bounds()


def read_price(sheet: Sheet, *, asked_price: bool = False) -> Bounds:
    """Price bounds: under, up to, between, around, at least; a bare number too where the price was asked for."""
    amounts = [amount for amount in _amounts(sheet) if not _measures(sheet, amount)]
    pair = _range(sheet, amounts)
    if pair:
        return pair
    low: float | None = None
    high: float | None = None
    for amount in amounts:
        side, start, end = _side(sheet, amount, asked_price=asked_price)
        if side == "min":
            low = amount.value
        elif side == "max":
            high = amount.value
        else:
            continue
        sheet.take("price", range(start, end))
    for match in sheet.of("price:min_before", "price:max_before"):
        if match.end < len(sheet.words) and sheet.words[match.end][0].isdigit():
            sheet.take("measure", range(match.start, match.end))  # “at least 16gb”: nobody looks for “least”
    return Bounds(min_price=low, max_price=high)


def _side(sheet: Sheet, amount: _Amount, *, asked_price: bool) -> tuple[str, int, int]:
    """Whether an amount is the least or the most to pay, or neither, and the words that say so."""
    least, most = _before(sheet, amount.start, "price:min_before"), _before(sheet, amount.start, "price:max_before")
    least_after = _after(sheet, amount.end, "price:min_after")
    most_after = _after(sheet, amount.end, "price:max_after")
    cue = _before(sheet, amount.start, "price_cue")
    start = min(place for place in (least, most, cue, amount.start) if place is not None)
    end = max(place for place in (least_after, most_after, amount.end) if place is not None)
    # “no more than 50” holds “more than”: of two phrases the one that begins first has the whole sense.
    if least_after is not None or (least is not None and (most is None or least < most)):
        return "min", start, end
    if amount.is_open and amount.is_money:
        return "min", start, end
    told = most is not None or most_after is not None or cue is not None
    return ("max" if told or amount.is_money or asked_price else ""), start, end


def _range(sheet: Sheet, amounts: list[_Amount]) -> Bounds | None:
    """`between 15 and 30`, `$15-25`, `20 to 79 pesos`."""
    for first, second in pairwise(amounts):
        joined = all(word in _JOINING for word in sheet.words[first.end : second.start])
        if not joined or second.start > first.end + 1 or first.value >= second.value:
            continue
        led = _before(sheet, first.start, "price:between")
        cue = _before(sheet, first.start, "price_cue")
        after = _after(sheet, second.end, "price:max_after")
        if led is None and cue is None and after is None and not (first.is_money or second.is_money):
            continue
        start = min(place for place in (led, cue, first.start) if place is not None)
        sheet.take("price", range(start, second.end if after is None else after))
        return Bounds(min_price=first.value, max_price=second.value)
    return None


def _measures(sheet: Sheet, amount: _Amount) -> bool:
    """Whether the number counts or measures something other than money."""
    if amount.is_money:
        return False
    following = sheet.words[amount.end] if amount.end < len(sheet.words) else ""
    if following in sheet.lexicon.units:
        return True
    nouns = sheet.any_of("nouns")
    return amount.start > 0 and sheet.words[amount.start - 1] in nouns and following in nouns
