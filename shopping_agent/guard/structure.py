"""Marks of an attack that are not words: role markup, chat-template tokens, script, shell, SQL, endless repetition."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

MIN_REPEATED_WORDS = 60
REPEATED_SHARE = 0.7


@dataclass(frozen=True, slots=True)
class Mark:
    name: str
    points: float
    needs: tuple[str, ...]
    """Lower-case strings of which the text must hold one for the shape to be tried: ten times faster than trying."""
    shape: re.Pattern[str]
    caught: str
    passes: str


@cache
def load_marks() -> tuple[Mark, ...]:
    """The marks that ship with the guard."""
    text = files("shopping_agent.guard").joinpath("marks.toml").read_text(encoding="utf-8")
    return tuple(
        Mark(**{**row, "needs": tuple(row["needs"]), "shape": re.compile(row["shape"], re.IGNORECASE)})
        for row in tomllib.loads(text)["mark"]
    )


def find_marks(text: str, marks: tuple[Mark, ...]) -> list[tuple[str, float]]:
    """(name, points) of each mark in the text as it was sent."""
    lower = text.lower()
    found = [
        (mark.name, mark.points)
        for mark in marks
        if any(need in lower for need in mark.needs) and mark.shape.search(text)
    ]
    words = text.split()
    if len(words) >= MIN_REPEATED_WORDS and Counter(words).most_common(1)[0][1] >= REPEATED_SHARE * len(words):
        found.append(("endless repetition", 1.0))
    return found
