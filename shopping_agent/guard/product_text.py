"""Product text is data. That it speaks to a machine is counted at import, and changes nothing else."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from shopping_agent.guard.screen import default_guard

FLAG_AT = 0.8
"""Lower than what refuses a shopper: nobody is turned away by it."""
MIN_CHARS = 20
"""Shorter texts are names, colours and sizes."""
_TAG_LETTER = re.compile("[\U000e0000-\U000e007f]")


def flag_product_text(text: str) -> bool:
    """Whether product text carries instructions to a machine.

    Most texts are told at a glance, 0.01 ms; the others take what a message takes.
    """
    return len(text) >= MIN_CHARS and _is_worth_reading(text) and default_guard().screen(text).score >= FLAG_AT


def _is_worth_reading(text: str) -> bool:
    lower, ascii_only = text.lower(), text.isascii()
    for piece in _pieces(ascii_only=ascii_only):  # faster than `any`, and than one regular expression of all
        if piece in lower:
            return True
    return not ascii_only and _TAG_LETTER.search(text[-200:]) is not None


@cache
def _pieces(*, ascii_only: bool) -> tuple[str, ...]:
    """The pieces that such a text may hold; one that holds another one says no more than that."""
    lines = files("shopping_agent.guard").joinpath("product_words.txt").read_text(encoding="utf-8").splitlines()
    pieces = [piece.replace("_", " ") for line in lines if not line.startswith("#") for piece in line.split()]
    telling = [piece for piece in pieces if not any(other in piece for other in pieces if other != piece)]
    return tuple(piece for piece in telling if piece.isascii() or not ascii_only)
