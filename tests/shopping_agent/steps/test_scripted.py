"""The doubles are strict: a script must be played to its end, and not beyond."""

from __future__ import annotations

import pytest

from shopping_agent.steps.step import FinalAnswer, StepRequest
from shopping_agent.testing.scripted_steps import ScriptedCompleter, ScriptedSteps


def test_a_script_that_is_over_or_left_unplayed_fails() -> None:
    steps, texts = ScriptedSteps([FinalAnswer("x")]), ScriptedCompleter(["x"])
    for double in (steps, texts):
        with pytest.raises(AssertionError, match="never"):
            double.close()
    assert steps.choose(StepRequest("m")).step == FinalAnswer("x")
    assert texts.complete([]).text == "x"
    with pytest.raises(AssertionError, match="script is over"):
        steps.choose(StepRequest("m"))
    with pytest.raises(AssertionError, match="script is over"):
        texts.complete([])
    steps.close()
    texts.close()
