"""The scratch-pad of a turn: what was done and seen, bounded in number and size."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from shopping_agent.steps.step import Observation, Observed, ToolCall

MAX_OBSERVED = 12
MAX_OBSERVATION_CHARS = 6_000
MAX_CHARS = 24_000
MAX_THOUGHT_CHARS = 500
SHORTENED = " … (shortened)"


class Scratchpad:
    """Keeps the latest steps; the oldest go first, and long observations are cut."""

    def __init__(self) -> None:
        self._observed: deque[Observed] = deque()
        self._chars = 0
        self.left_out = 0

    @property
    def observed(self) -> tuple[Observed, ...]:
        """Oldest first."""
        return tuple(self._observed)

    def add(self, call: ToolCall, observation: Observation) -> None:
        """Keep a step, and let go of older ones where there is no room."""
        call = replace(call, thought=call.thought[:MAX_THOUGHT_CHARS])
        if len(observation.text) > MAX_OBSERVATION_CHARS:
            observation = replace(observation, text=observation.text[:MAX_OBSERVATION_CHARS] + SHORTENED)
        self._observed.append(Observed(call, observation))
        self._chars += _size(self._observed[-1])
        while len(self._observed) > 1 and (len(self._observed) > MAX_OBSERVED or self._chars > MAX_CHARS):
            self._chars -= _size(self._observed.popleft())
            self.left_out += 1


def _size(observed: Observed) -> int:
    return len(observed.observation.text) + len(observed.call.thought) + len(observed.call.key)
