"""Product text is data. That it speaks to a machine is counted at import, and changes nothing else."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from shopping_agent.guard.screen import default_guard

FLAG_AT = 0.8
"""Lower than what refuses a shopper: nobody is turned away by it."""
MIN_CHARS = 20
"""Shorter texts are names, colours and sizes."""


def flag_product_text(text: str) -> bool:
    """Whether product text carries instructions to a machine.

    Most texts are told at a glance, 0.01 ms; the others take what a message takes.
    """
    return len(text) >= MIN_CHARS and _is_worth_reading(text) and default_guard().screen(text).score >= FLAG_AT


def _is_worth_reading(text: str) -> bool:
    lower = text.lower()
    return any(piece in lower for piece in _pieces()) or any(0xE0000 <= ord(char) <= 0xE007F for char in text[-200:])


@cache
def _pieces() -> tuple[str, ...]:
    lines = files("shopping_agent.guard").joinpath("product_words.txt").read_text(encoding="utf-8").splitlines()
    return tuple(piece.replace("_", " ") for line in lines if not line.startswith("#") for piece in line.split())
