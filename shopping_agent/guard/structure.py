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
    shape: re.Pattern[str]
    caught: str
    passes: str


@cache
def load_marks() -> tuple[Mark, ...]:
    """The marks that ship with the guard."""
    text = files("shopping_agent.guard").joinpath("marks.toml").read_text(encoding="utf-8")
    return tuple(
        Mark(**{**row, "shape": re.compile(row["shape"], re.IGNORECASE)}) for row in tomllib.loads(text)["mark"]
    )


def find_marks(text: str) -> list[tuple[str, float]]:
    """(name, points) of each mark in the text as it was sent."""
    found = [(mark.name, mark.points) for mark in load_marks() if mark.shape.search(text)]
    words = text.split()
    if len(words) >= MIN_REPEATED_WORDS and Counter(words).most_common(1)[0][1] >= REPEATED_SHARE * len(words):
        found.append(("endless repetition", 1.0))
    return found
