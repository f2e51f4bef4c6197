"""What a model's tokens cost: a table of US dollars per million that an operator can replace by a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from shopping_agent.errors import AgentSettingsError
from shopping_agent.usage import Usage


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input_usd: float
    cached_usd: float
    output_usd: float


# List prices as published; a model that is not here costs None, never 0.
PRICES: Mapping[str, Price] = {
    "gpt-4o": Price(2.5, 1.25, 10.0),
    "gpt-4o-mini": Price(0.15, 0.075, 0.6),
    "gpt-4.1": Price(2.0, 0.5, 8.0),
    "gpt-4.1-mini": Price(0.4, 0.1, 1.6),
    "gpt-4.1-nano": Price(0.1, 0.025, 0.4),
    "gpt-5": Price(1.25, 0.125, 10.0),
    "gpt-5-mini": Price(0.25, 0.025, 2.0),
    "gpt-5-nano": Price(0.05, 0.005, 0.4),
}


def cost_usd(model: str, usage: Usage, prices: Mapping[str, Price] = PRICES) -> float | None:
    """The price of `usage`; None where the model's price or its tokens are not known. A dated name is its model."""
    price = prices.get(model) or prices.get(model[: -len("-2025-01-01")])
    if price is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    cached = min(usage.cached_tokens or 0, usage.input_tokens)
    fresh = usage.input_tokens - cached
    return (fresh * price.input_usd + cached * price.cached_usd + usage.output_tokens * price.output_usd) / 1e6


def read_prices(path: Path) -> dict[str, Price]:
    """The built-in table with the file's entries over it: `{"model": {"input": 0.4, "cached": 0.1, "output": 1.6}}`.

    Raises `AgentSettingsError` naming the entry.
    """
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        entries = {
            model: Price(float(row["input"]), float(row.get("cached", row["input"])), float(row["output"]))
            for model, row in told.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        example = '{"my-model": {"input": 0.4, "cached": 0.1, "output": 1.6}}'
        raise AgentSettingsError(
            f"The price table {str(path)!r} cannot be read ({error!r}): write {example}"
        ) from error
    return {**PRICES, **entries}
