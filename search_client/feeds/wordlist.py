"""Word lists as they are kept in this package: one text, parted by `|`, so that a long table stays readable."""

from __future__ import annotations


def listed(text: str) -> list[str]:
    """The words of a list."""
    return [word.strip() for word in text.split("|") if word.strip()]
