"""Screening of what comes in, and of what a model may say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the guard thinks of a message."""

    decision: Literal["allow", "refuse", "unsure"]
    score: float = 0.0
    reasons: tuple[str, ...] = ()


class Guard:
    """Screens messages."""

    def screen(self, text: str) -> Verdict:
        """Allow, refuse, or unsure."""
        return Verdict("refuse" if "ignore previous instructions" in text.lower() else "allow")


def is_suspicious(text: str) -> bool:
    """Whether the guard refuses `text`."""
    return Guard().screen(text).decision == "refuse"


def check_question(text: str) -> str | None:
    """The question as it may be shown, or None."""
    stripped = " ".join(text.split())
    plain = len(stripped) <= 200 and stripped.endswith(("?", "？")) and not any(c.isdigit() for c in stripped)
    return stripped if plain else None
