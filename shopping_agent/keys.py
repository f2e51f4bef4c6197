"""Whether a key that two sides share can be guessed. Pure."""

from __future__ import annotations

import re

MIN_TOKEN_CHARS = 16
_MIN_DISTINCT = 8
_GUESSED_FIRST = re.compile(
    "change|replace|please|default|example|sample|secret|passw(or)?d|token|operator|admin|shopper|shop|test|demo"
    "|develop(ment)?|production|insecure|letmein|qwerty|asdf|(?<![0-9])1234[0-9]*|your|this|here|key|me|my|the|dev",
    re.IGNORECASE,
)


def is_guessable(key: str, *, min_chars: int = MIN_TOKEN_CHARS) -> bool:
    """Short, or hardly more than the words that stand in examples and that everybody tries first."""
    return len(key) < min_chars or len(set(_GUESSED_FIRST.sub("", key))) < _MIN_DISTINCT
