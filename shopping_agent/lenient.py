"""Values as models and people write them, read as what they mean. Pure; nothing here raises on bad input."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

MAX_TEXT_CHARS = 120
MAX_REFERENCE_CHARS = 200  # a product may be named by its whole title
MAX_LIST_VALUES = 12
MAX_AMOUNT = 1e9

# Words by which models say “no value”; a shop has no brand or colour of these names.
_NOTHING = frozenset(
    ["", "null", "none", "nil", "n/a", "na", "undefined", "not specified", "unspecified", "any", "-", "unknown", "all"]
)
_NUMBER = re.compile(r"\d[\d.,'’\u00a0\u202f ]*\d|\d|[.,]\d+")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_QUOTES = "\"'`<>“”‘’«»[](){} \t\r\n"
_TRUE = frozenset(["true", "yes", "1", "y", "on"])


def text(value: Any, *, max_chars: int = MAX_TEXT_CHARS) -> str | None:
    """One cleaned line of at most `max_chars` characters; None for every way of saying nothing."""
    if isinstance(value, bool) or value is None or isinstance(value, (Mapping, list, tuple, set)):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    line = clean_line(str(value)[: 8 * max_chars])
    return None if line.casefold() in _NOTHING else line[:max_chars].rstrip()


def clean_line(value: str) -> str:
    """Without control characters, lone surrogates and doubled spaces; an escape left over from JSON is its letter."""
    if "\\u" in value:
        value = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), value)
    if value.isascii() and value.isprintable():
        return " ".join(value.split())
    kept = ("" if _unwanted(char) else " " if _is_space(char) else char for char in value)
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split())


def _is_space(char: str) -> bool:
    category = unicodedata.category(char)
    return category == "Cc" or category[0] == "Z"


def _unwanted(char: str) -> bool:
    # Cf holds zero-width joiners, which emoji and Indic scripts need; bidi overrides and tags only mislead.
    return (
        "\ud800" <= char <= "\udfff"
        or "\u202a" <= char <= "\u202e"
        or "\u2066" <= char <= "\u2069"
        or char > "\U000dffff"
    )


def texts(value: Any) -> list[str]:
    """A list of lines, however it came: a list, one string with commas, nested lists, `{"value": "red"}`."""
    return list(dict.fromkeys(line for line in map(text, _flat(value)) if line))[:MAX_LIST_VALUES]


def _flat(value: Any) -> Iterable[Any]:
    if isinstance(value, str):
        stripped = value.strip()
        if stripped[:1] == "[" and stripped[-1:] == "]":
            stripped = stripped[1:-1]
        yield from (part.strip().strip("\"'") for part in re.split(r"[,;|\n]", stripped))
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _flat(inner)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for inner in value:
            # A comma within one element of a list is part of the phrase: ["mug, blue"].
            yield from [inner] if isinstance(inner, str) else _flat(inner)
    else:
        yield value


def number(value: Any) -> float | None:
    """A finite number, not negative: 50, "50", "$50", "under 50 USD", "1.299,00", "1k"; None where there is none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return _bounded(float(value)) if abs(value) < 1e300 else None
    if not isinstance(value, str):
        return None
    match = _NUMBER.search(value[:200])
    if match is None:
        return None
    amount = _plain(match[0])
    following = value[match.end() :].lstrip()[:2].casefold()
    if amount is not None and following[:1] == "k" and not following[1:].isalpha():
        amount *= 1000
    return None if amount is None else _bounded(amount)


def _plain(digits: str) -> float | None:
    """`1,299.00`, `1.299,00`, `1 299`, `12,5` as floats: the last mark is the decimal one unless 3 digits follow."""
    compact = re.sub(r"['’\u00a0\u202f ]", "", digits)
    last = max(compact.rfind("."), compact.rfind(","))
    if last >= 0 and len(compact) - last - 1 != 3:
        whole, decimals = re.sub(r"[.,]", "", compact[:last]), compact[last + 1 :]
    elif compact.count(".") == 1 and "," not in compact and compact.startswith("0"):
        whole, decimals = compact.split(".")
    else:
        whole, decimals = re.sub(r"[.,]", "", compact), ""
    try:
        return float(f"{whole or '0'}.{decimals or '0'}")
    except ValueError:
        return None


def _bounded(amount: float) -> float | None:
    return amount if math.isfinite(amount) and 0 <= amount <= MAX_AMOUNT else None


def flag(value: Any) -> bool:
    """Whether the value means yes."""
    return value is True or str(value).strip().casefold() in _TRUE


def reference(value: Any) -> str:
    """A product id or position without the quotes, brackets and labels that models put around it; `""` for nothing."""
    if isinstance(value, (list, tuple)):
        value = value[0] if value else None
    if isinstance(value, Mapping):
        value = next((value[key] for key in ("product_id", "id", "position") if key in value), None)
    line = text(value, max_chars=MAX_REFERENCE_CHARS)
    if line is None:
        return ""
    bare = line.strip(_QUOTES)
    return re.sub(r"^(?:product[ _]?)?id\s*[:=#]\s*", "", bare, flags=re.IGNORECASE).strip(_QUOTES)


def references(value: Any) -> list[str]:
    """The references in a list or in one string with commas, without doubles."""
    return list(dict.fromkeys(bare for bare in map(reference, _flat(value)) if bare))[:MAX_LIST_VALUES]
