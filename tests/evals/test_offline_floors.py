"""The offline model on labelled messages of real shoppers: floors under its accuracy, bounds on what noise costs it."""

from __future__ import annotations

import json
import re

import pytest

from tests.evals import decider, robustness
from tests.evals.decisions import FLOORS, WHOLE_FLOOR
from tests.evals.scoring import mark, shares
from tests.evals.transformations import TRANSFORMATIONS
from tests.shared_data import shared_data


def test_accuracy_stands_above_its_floors(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shared_data("utterances.jsonl").read_text(encoding="utf-8")
    rows = [row for row in map(json.loads, text.splitlines()) if not row.get("debatable")]
    told = shares(mark(row, decider.decide(row["utterance"], row["history"])) for row in rows)
    low = {group: told[group].action for group, floor in FLOORS.items() if told[group].action < floor}
    foreign = [share for group, share in told.items() if re.fullmatch("lang:(?!en).*", group)]
    assert low == {}
    assert told["all"].whole >= WHOLE_FLOOR
    assert sum(share.action * share.rows for share in foreign) / sum(share.rows for share in foreign) >= 0.80


def test_noise_costs_little() -> None:
    shared_data("utterances.jsonl")
    _, losses = robustness.measured()
    assert {name: loss for name, loss in losses.items() if loss > robustness.MAX_LOSS} == {}


@pytest.mark.parametrize("name", TRANSFORMATIONS)
def test_a_transformation_is_the_same_every_time_and_keeps_the_numbers(name: str) -> None:
    text = "I'd like a blue mug under $12.50, please!"
    changed = TRANSFORMATIONS[name](text, "en")
    assert changed == TRANSFORMATIONS[name](text, "en") != text
    assert "12.50" in changed
