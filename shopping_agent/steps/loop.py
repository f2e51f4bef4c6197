"""The loop itself: decide, act, observe. Knows neither models nor tools; both are functions given to it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Literal

from shopping_agent.steps.pad import Scratchpad
from shopping_agent.steps.step import Chosen, FinalAnswer, Observation, Observed

REPEATED = Observation(
    "This very call was made before in this turn; its result stands above. Choose another call, or give the answer.",
    is_error=True,
)
MAX_REPEATS = 2  # told once; a model that repeats itself again has nothing more to say


@dataclass(frozen=True, slots=True)
class StepDone:
    """One step with what came of it, as it happens."""

    number: int
    chosen: Chosen
    observed: Observed


@dataclass(frozen=True, slots=True)
class Ended:
    """How the loop ended."""

    reason: Literal["answered", "step_limit", "repeated", "stopped"]
    answer: FinalAnswer | None = None


class Stop(Exception):
    """Raised by `decide` or `act`: nothing more is to happen in this turn, or not before somebody else decides."""


def take_steps(
    decide: Callable[[Scratchpad], Chosen],
    act: Callable[[Chosen], Observation],
    *,
    max_steps: int,
) -> Generator[StepDone, None, Ended]:
    """Each step as it is done; how it ended.

    At most `max_steps` calls are acted on, errors included, and one more decision may give the answer. A call made
    before in this turn is not made again. Whatever else `decide` and `act` raise ends the loop.
    """
    pad, made, repeats = Scratchpad(), set[bytes](), 0
    try:
        for number in range(1, max_steps + 2):
            chosen = decide(pad)
            if isinstance(chosen.step, FinalAnswer):
                return Ended("answered", chosen.step)
            if number > max_steps:
                break
            mark = hashlib.sha256(chosen.step.key.encode(errors="replace")).digest()  # a key may be long
            if mark in made:
                repeats += 1
                observation = REPEATED
            else:
                made.add(mark)
                observation = act(chosen)
            pad.add(chosen.step, observation)
            yield StepDone(number, chosen, pad.observed[-1])
            if repeats >= MAX_REPEATS:
                return Ended("repeated")
    except Stop:
        return Ended("stopped")
    return Ended("step_limit")
