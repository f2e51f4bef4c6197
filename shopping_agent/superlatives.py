"""The one of a list meant by a fact: its price, or the most or the least weight, size or battery that records state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from search_client.analysis import fold, stem
from search_client.models import Product
from shopping_agent.answers import words_about
from shopping_agent.conversation import FactsOf, ShownProduct
from shopping_agent.offline.lexicon import Lexicon

# What a phrase picks by, and whether the least of it is meant.
MEASURES: Mapping[str, tuple[str, bool]] = {
    "pick:lightest": ("weight", True),
    "pick:heaviest": ("weight", False),
    "pick:smallest": ("size", True),
    "pick:biggest": ("size", False),
    "pick:battery": ("battery", False),
}
_UNITS: Mapping[str, tuple[str, float]] = {
    **{unit: ("mass", grams) for unit, grams in (("g", 1), ("kg", 1000), ("oz", 28.35), ("lb", 453.6), ("lbs", 453.6))},
    **{unit: ("length", mm) for unit, mm in (("mm", 1), ("cm", 10), ("m", 1000), ("in", 25.4), ("ft", 304.8))},
    **{unit: ("volume", ml) for unit, ml in (("ml", 1), ("l", 1000), ("gal", 3785), ("qt", 946), ("cups", 237))},
    **{unit: ("time", minutes) for unit, minutes in (("minutes", 1), ("hours", 60), ("hour", 60), ("days", 1440))},
    "mah": ("charge", 1),
    "wh": ("energy", 1),
}
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d_]+")
_HEAD_ENDS = re.compile(r",|\(|\s[-–—]\s|\b(?:for|with|by|von|für|pour|para|de)\b", re.IGNORECASE)


def of_kind(shown: Sequence[ShownProduct], kind: frozenset[str], lexicon: Lexicon) -> tuple[ShownProduct, ...]:
    """Those whose title ends in what was wished for; all of them where none does: a phone case is no phone."""
    wished = {stem(word) for word in kind}
    fitting = tuple(product for product in shown if stem(_head(product.title, lexicon)) in wished)
    return fitting or tuple(shown)


def priced_at(words: Iterable[str], shown: Sequence[ShownProduct]) -> tuple[ShownProduct, ...]:
    """Those whose price is among the numbers said, with or without its cents."""
    said = {word for word in words if word.replace(".", "", 1).isdecimal()}
    return tuple(
        p for p in shown if p.price is not None and said & {f"{p.price:g}", f"{p.price:.2f}", f"{p.price:.0f}"}
    )


def _head(title: str, lexicon: Lexicon) -> str:
    """The word that says what a title names: `laptop` of “Corvid W3 2-in-1 Laptop 14", Silver”."""
    words = [fold(word) for word in _WORD.findall(_HEAD_ENDS.split(title, maxsplit=1)[0])]
    idle = {word for language in lexicon.languages.values() for word in (*language.colors, *language.size_words)}
    return next((word for word in reversed(words) if len(word) > 2 and word not in idle), "")


def extremes(
    shown: Sequence[ShownProduct], topic: str, *, lowest: bool, facts_of: FactsOf | None
) -> tuple[ShownProduct, ...]:
    """Those with the most or least of `topic`, of all whose records state it; empty where fewer than two do."""
    stated = {product: _measures(record, topic) for product in shown if (record := facts_of and facts_of(product.id))}
    common = Counter(key for measures in stated.values() for key in measures).most_common(1)
    if not common or common[0][1] < 2:
        return ()
    values = {product: measures[common[0][0]] for product, measures in stated.items() if common[0][0] in measures}
    edge = min(values.values()) if lowest else max(values.values())
    return tuple(product for product, value in values.items() if value == edge)


def _measures(record: Product, topic: str) -> dict[tuple[str, str], float]:
    """(attribute, what its unit measures) → amount, for the attributes that are about `topic`."""
    related = words_about(topic)
    found: dict[tuple[str, str], float] = {}
    for name, value in record.attributes:
        numbers = [float(number) for number in _NUMBER.findall(value)]
        units = [word for word in _WORD.findall(fold(value)) if word in _UNITS]
        if numbers and units and not related.isdisjoint(stem(word) for word in _WORD.findall(fold(name))):
            measured, factor = _UNITS[units[-1]]
            found.setdefault((fold(name), measured), max(numbers) * factor)
    return found
