"""How much accuracy a decision loses when the same message is typed or said otherwise."""

from __future__ import annotations

import json

from tests.evals import decider
from tests.evals.scoring import mark
from tests.evals.transformations import TRANSFORMATIONS
from tests.shared_data import SHARED

ROWS = SHARED / "utterances.jsonl"
MAX_LOSS = 0.04


def main() -> int:
    """Print a line a transformation; 1 where one costs more than `MAX_LOSS` of the right actions."""
    if not ROWS.exists():
        print(f"no labelled messages: {ROWS.name} is not beside the project")
        return 0
    plain, losses = measured()
    print(f"{'as typed':<16}{plain:>8.3f}")
    for name, loss in losses.items():
        print(f"{name:<16}{plain - loss:>8.3f}{-loss:>+9.3f}")
    return int(max(losses.values()) > MAX_LOSS)


def measured() -> tuple[float, dict[str, float]]:
    """The share of right actions as typed, and how much of it each transformation costs."""
    rows = [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines() if line.strip()]
    firm = [row for row in rows if not row.get("debatable")]

    def share(name: str | None) -> float:
        change = TRANSFORMATIONS[name] if name else lambda text, _language: text
        told = (decider.decide(change(row["utterance"], row["lang"]), row["history"]) for row in firm)
        return sum("action" not in mark(row, action).wrong for row, action in zip(firm, told, strict=True)) / len(firm)

    plain = share(None)
    return plain, {name: plain - share(name) for name in TRANSFORMATIONS}
