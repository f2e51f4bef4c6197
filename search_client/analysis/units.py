"""Measures as one term: `27"`, `27 inch` and `27in` are the same, so are `2 m` and `200 cm`."""

from __future__ import annotations

import re

# Spellings → (canonical unit, factor). Metric prefixes are carried over; inches never become centimetres, since shops
# round them: 15.6 in is sold as 39.6 cm and as 40 cm.
_UNITS: dict[str, tuple[str, float]] = {}
for _spellings, _unit, _factor in (
    ("mm millimeter millimeters millimetre millimetres", "mm", 1),
    ("cm centimeter centimeters centimetre centimetres", "mm", 10),
    ("m meter meters metre metres mtr", "mm", 1000),
    ("km kilometer kilometers kilometre kilometres", "mm", 1e6),
    ("in inch inches zoll", "in", 1),
    ("ft foot feet", "ft", 1),
    ("yd yard yards", "yd", 1),
    ("mg milligram milligrams", "mg", 1),
    ("g gr gram grams gramm grammes", "g", 1),
    ("kg kgs kilo kilos kilogram kilograms", "g", 1000),
    ("oz ounce ounces", "oz", 1),
    ("lb lbs pound pounds", "lb", 1),
    ("ml milliliter milliliters millilitre millilitres", "ml", 1),
    ("cl", "ml", 10),
    ("l ltr liter liters litre litres", "ml", 1000),
    ("gal gallon gallons", "gal", 1),
    ("kb", "kb", 1),
    ("mb megabyte megabytes", "mb", 1),
    ("gb gig gigabyte gigabytes", "gb", 1),
    ("tb terabyte terabytes", "gb", 1000),
    ("mah", "mah", 1),
    ("ah", "mah", 1000),
    ("wh", "wh", 1),
    ("w watt watts", "w", 1),
    ("kw kilowatt kilowatts", "w", 1000),
    ("v volt volts", "v", 1),
    ("amp amps", "a", 1),
    ("hz", "hz", 1),
    ("khz", "khz", 1),
    ("mhz", "mhz", 1),
    ("ghz", "mhz", 1000),
    ("mp mpix megapixel megapixels", "mp", 1),
    ("dpi", "dpi", 1),
    ("rpm", "rpm", 1),
    ("lm lumen lumens", "lm", 1),
    ("bar", "bar", 1),
    ("psi", "psi", 1),
    ("pc pcs piece pieces pack packs ct count", "pc", 1),
    ("%", "%", 1),
):  # fmt: skip
    for _spelling in _spellings.split():
        _UNITS[_spelling] = (_unit, float(_factor))
del _spellings, _unit, _factor, _spelling

_NUMBER_WORDS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?(?:/\d+)?"
_WORDS = "|".join(sorted((re.escape(unit) for unit in _UNITS if unit != "%"), key=len, reverse=True))
_MEASURE = re.compile(
    rf"(?=[\dotfsen])(?<![a-z\d.,/])(?P<number>{_NUMBER}|{'|'.join(_NUMBER_WORDS)})"
    rf"(?:(?P<sign>\"|''|'(?!\w)|%)|(?P<gap>[ -]?)(?:fl\.? ?(?P<fluid>oz)|(?P<unit>{_WORDS}))(?:\(s\))?(?![\w'=]))"
)
_DIMENSIONS = re.compile(r"(?<![a-z\d.,])([a-z]{0,2}\d+(?:[.,]\d+)?) ?[x*] ?(?=\d)")
_DECIMAL_COMMA = re.compile(r"(?<![\w.,])(\d+),(\d{1,2})(?![\d,]|\.\d)")
_THOUSANDS = re.compile(r"(?<![\w.,])(\d{1,3})((?:,\d{3})+)(?![\d,])")
_HAS_DIGIT_OR_NUMBER_WORD = re.compile(r"\d|\b(?:" + "|".join(_NUMBER_WORDS) + r")[ -]")
_MERGED = re.compile(r"\d+(?:\.\d+)?(?:" + "|".join({unit for unit, _ in _UNITS.values()} | {"floz"}) + ")")
_SIGNS = {'"': "in", "''": "in", "'": "ft", "%": "%"}


def amount(text: str) -> float | None:
    """The value of `5,5`, `5.5`, `1,000`, `1/4` or `five`; None for anything else."""
    text = _NUMBER_WORDS.get(text, text)
    if "," in text:
        text = text.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", text) else text.replace(",", ".")
    top, _, bottom = text.partition("/")
    try:
        return float(top) / float(bottom) if bottom else float(top)
    except (ValueError, ZeroDivisionError):
        return None


def merge_measures(folded: str, *, keep_typed: bool = False) -> str:
    """`folded` text with every number and its unit written as one term: `27 inch hdmi` gives `27in hdmi`.

    Decimal commas become points, thousands lose theirs, and `m8 x 20` becomes `m8x20`. With `keep_typed` the number
    follows as it was typed: `2.5 cm` gives `25mm=2.5`.
    """
    if not _HAS_DIGIT_OR_NUMBER_WORD.search(folded):
        return folded
    folded = _MEASURE.sub(_canonical_and_typed if keep_typed else _canonical, folded)
    if "x" in folded or "*" in folded:
        folded = _DIMENSIONS.sub(r"\1x", folded)
    if "," not in folded:
        return folded
    folded = _DECIMAL_COMMA.sub(r"\1.\2", folded)
    return _THOUSANDS.sub(lambda match: match[1] + match[2].replace(",", ""), folded)


def is_measure(term: str) -> bool:
    """Whether `term` is a number with its unit, as `merge_measures` writes them."""
    return _MERGED.fullmatch(term) is not None


def _canonical_and_typed(match: re.Match[str]) -> str:
    merged, value = _canonical(match), amount(match["number"])
    return merged if merged == match[0] or value is None else f"{merged.rstrip()}={value:.6g} "


def _canonical(match: re.Match[str]) -> str:
    value = amount(match["number"])
    unit, factor = ("floz", 1.0) if match["fluid"] else _UNITS[_SIGNS.get(match["sign"] or "") or match["unit"]]
    if value is None or _is_preposition(match):
        return match[0]
    return f"{value * factor:.6g}".replace("e+0", "e") + unit + " "


def _is_preposition(match: re.Match[str]) -> bool:
    """`2 in 1`, `one in black`: no inches; a written-out number makes a measure only with a real unit."""
    if match["unit"] == "in" and match["gap"]:
        return bool(re.match(r"(?:-| )(?:\d|a |the )", match.string[match.end() :])) or match["number"] in _NUMBER_WORDS
    return match["number"] in _NUMBER_WORDS and match["unit"] in {"g", "m", "l", "w", "v", "bar"}
