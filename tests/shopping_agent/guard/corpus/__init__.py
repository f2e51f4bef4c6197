"""Texts written for this project: attacks of every kind, and honest texts with the same words. One a line.

`{a|b}` stands for one of the choices, nested or not; `[name]` opens a kind; `#` is a comment.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from importlib.resources import files

_CHOICE = re.compile(r"\{([^{}]*\|[^{}]*)\}")
_KIND = re.compile(r"\[([a-z]+)\]")


def texts(name: str, *, each: int = 3, seed: int = 1) -> Iterator[tuple[str, str]]:
    """(kind, text): up to `each` different texts of every line of `attacks` or `honest`, always the same."""
    chance = random.Random(seed)
    kind = ""
    for line in files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if opened := _KIND.fullmatch(line):
            kind = opened[1]
        elif line and not line.startswith("# "):
            yield from ((kind, text) for text in dict.fromkeys(_filled(line, chance) for _ in range(each)))


def _filled(line: str, chance: random.Random) -> str:
    while choice := _CHOICE.search(line):
        line = line[: choice.start()] + chance.choice(choice[1].split("|")) + line[choice.end() :]
    return line
