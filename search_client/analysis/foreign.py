"""Words of other languages as the English ones a catalog may carry: `mochila` as backpack, `Laufschuhe` as shoes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import resources

from search_client.analysis.fold import fold, transcribed

MIN_PART_CHARS = 4
"""Shorter ends of a compound are as often chance: `Lampe` does not end in `amp`."""


@functools.cache
def _table() -> dict[str, tuple[str, ...]]:
    text = (resources.files("search_client.analysis") / "foreign.txt").read_text(encoding="utf-8")
    table: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        english, colon, foreign = line.partition(":")
        if not colon or line.startswith("#"):
            continue
        for word in foreign.replace("|", " ").split():
            for spelling in {fold(word), transcribed(word) or fold(word)}:
                table[spelling] = (*table.get(spelling, ()), english.strip())
    return table


def translations(word: str) -> tuple[str, ...]:
    """English words for folded `word`, likeliest first; empty for a word not in the table.

    A German compound is read by its parts where both are known, else by its end, which says what it is.
    """
    table = _table()
    if word in table:
        return table[word]
    for start in range(MIN_PART_CHARS, len(word) - MIN_PART_CHARS + 1):
        ends = table.get(word[start:], ())
        if ends:
            begins = table.get(word[:start]) or table.get(word[: start - 1]) or ()
            return tuple(f"{begins[0]} {end}" for end in ends if begins) + ends
    return ()


def translated(word: str, *, known: Callable[[str], bool]) -> str | None:
    """The first translation whose words are all `known` to a catalog; None where there is none."""
    return next((english for english in translations(word) if all(known(part) for part in english.split())), None)
