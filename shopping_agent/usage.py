"""What a turn cost: calls, tokens, money, time."""

from __future__ import annotations

from dataclasses import dataclass


def _add(left: int | None, right: int | None) -> int | None:
    return None if left is None and right is None else (left or 0) + (right or 0)


@dataclass(frozen=True, slots=True)
class Usage:
    """Counted per decision and added up per turn. None means not told, which is never zero."""

    calls: int = 0
    """Requests sent to a model; 0 where none was asked."""
    input_tokens: int | None = None
    """Including the cached ones."""
    cached_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    model_ms: float = 0.0
    """Time spent waiting for and reading the model."""

    def __add__(self, other: Usage) -> Usage:
        cost = (
            None if self.cost_usd is None and other.cost_usd is None else (self.cost_usd or 0) + (other.cost_usd or 0)
        )
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=_add(self.input_tokens, other.input_tokens),
            cached_tokens=_add(self.cached_tokens, other.cached_tokens),
            output_tokens=_add(self.output_tokens, other.output_tokens),
            cost_usd=cost,
            model_ms=self.model_ms + other.model_ms,
        )


NOTHING_SPENT = Usage()
