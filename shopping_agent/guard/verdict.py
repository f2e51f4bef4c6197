"""What the guard answers. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Decision(StrEnum):
    ALLOW = "allow"
    REFUSE = "refuse"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Reason:
    rule: str
    """The rule's name, for the log and `explain`; never for the shopper."""
    view: str
    """The reading of the text in which it was found: `plain`, `base64`, `leet`, ..."""
    points: float


@dataclass(frozen=True, slots=True)
class Verdict:
    decision: Decision
    score: float
    """0.0 is harmless; 1.0 and more is refused."""
    reasons: tuple[Reason, ...] = ()
    """Strongest first; empty where nothing was found."""


UNDECIDED = Verdict(Decision.UNSURE, 0.5, (Reason("guard failed", "none", 0.5),))
"""The verdict of a guard that failed: it never blocks a shopper, and is never recorded as safe."""
