"""How many steps are taken, and how the loop ends."""

from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Callable

import pytest

from shopping_agent.errors import ModelUnavailableError
from shopping_agent.steps.loop import MAX_REPEATS, Ended, StepDone, Stop, take_steps
from shopping_agent.steps.pad import MAX_CHARS, MAX_OBSERVATION_CHARS, MAX_OBSERVED, Scratchpad
from shopping_agent.steps.step import Chosen, FinalAnswer, Observation, Step, ToolCall

DONE = FinalAnswer("p1")


def chosen(step: Step) -> Chosen:
    return Chosen(step, "test")


def play(
    steps: list[Step], act: Callable[[Chosen], Observation] = lambda _: Observation("ok"), *, max_steps: int = 6
) -> tuple[list[StepDone], Ended]:
    """All steps, and how it ended; each decision takes the next of `steps`."""
    script = iter(steps)
    running = take_steps(lambda pad: chosen(next(script)), act, max_steps=max_steps)
    done = []
    while True:
        try:
            done.append(next(running))
        except StopIteration as end:
            return done, end.value


def test_steps_are_taken_until_there_is_an_answer() -> None:
    done, ended = play([ToolCall("a", {}), ToolCall("b", {}), DONE])
    assert [(each.number, each.observed.call.tool) for each in done] == [(1, "a"), (2, "b")]
    assert ended == Ended("answered", DONE)


def test_each_step_sees_what_came_of_those_before() -> None:
    seen: list[list[str]] = []

    def decide(pad: Scratchpad) -> Chosen:
        seen.append([each.observation.text for each in pad.observed])
        return chosen(ToolCall("t", {"n": len(seen)}) if len(seen) < 3 else DONE)

    list(take_steps(decide, lambda step: Observation(f"seen {len(seen)}"), max_steps=6))
    assert seen == [[], ["seen 1"], ["seen 1", "seen 2"]]


def test_one_step_is_one_decision_one_act_and_a_chance_to_answer() -> None:
    done, ended = play([ToolCall("a", {}), DONE], max_steps=1)
    assert len(done) == 1 and ended.reason == "answered"


def test_a_call_beyond_the_limit_is_not_made() -> None:
    acted: list[str] = []

    def act(step: Chosen) -> Observation:
        assert isinstance(step.step, ToolCall)
        acted.append(step.step.tool)
        return Observation("ok")

    _, ended = play([ToolCall(name, {}) for name in "abc"], act, max_steps=2)
    assert acted == ["a", "b"] and ended.reason == "step_limit"


def test_the_same_call_is_made_once_and_a_model_that_insists_is_stopped() -> None:
    acted: list[Chosen] = []

    def act(step: Chosen) -> Observation:
        acted.append(step)
        return Observation("ok")

    same = [ToolCall("a", {"x": 1, "y": 2}), ToolCall("a", {"y": 2, "x": 1})]
    done, ended = play([*same, *same, *same], act)
    assert len(acted) == 1 and ended.reason == "repeated"
    assert [each.observed.observation.is_error for each in done] == [False] + [True] * MAX_REPEATS


def test_an_act_that_needs_somebodys_word_ends_the_loop_before_it() -> None:
    def act(step: Chosen) -> Observation:
        raise Stop

    assert play([ToolCall("buy", {})], act) == ([], Ended("stopped"))


def test_a_model_that_does_not_answer_is_the_callers_to_handle() -> None:
    def decide(pad: Scratchpad) -> Chosen:
        raise ModelUnavailableError("down")

    with pytest.raises(ModelUnavailableError):
        next(take_steps(decide, lambda step: Observation(""), max_steps=3))


def test_a_model_that_never_ends_is_stopped_at_a_thousand_steps_in_bounded_memory() -> None:
    numbers = itertools.count()

    def decide(pad: Scratchpad) -> Chosen:
        assert sum(len(each.observation.text) for each in pad.observed) <= MAX_CHARS + MAX_OBSERVATION_CHARS
        return chosen(ToolCall("dig", {"n": next(numbers)}, thought="hm " * 10_000))

    tracemalloc.start()
    running = take_steps(decide, lambda step: Observation("x" * 200_000), max_steps=1_000)
    for _ in range(1_000):
        next(running)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    with pytest.raises(StopIteration) as end:
        next(running)
    assert end.value.value == Ended("step_limit")
    assert peak < 2_000_000


def test_the_pad_lets_the_oldest_go_and_says_how_many() -> None:
    pad = Scratchpad()
    for number in range(MAX_OBSERVED + 3):
        pad.add(ToolCall("t", {"n": number}), Observation("x"))
    assert len(pad.observed) == MAX_OBSERVED and pad.left_out == 3
    assert pad.observed[-1].call.arguments == {"n": MAX_OBSERVED + 2}
