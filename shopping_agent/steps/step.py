"""What a model may choose in a step, what comes of it, and the seam behind which it is chosen."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from shopping_agent.conversation import Conversation
from shopping_agent.usage import Usage


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """A tool as a model is told of it."""

    name: str
    description: str
    schema: Mapping[str, Any]
    """JSON schema of its arguments, as its server gave it."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Run one tool."""

    tool: str
    arguments: Mapping[str, Any]
    thought: str = ""
    """For operators; never shown to shoppers."""

    @property
    def key(self) -> str:
        """Equal for equal calls, whatever the order of the arguments."""
        return f"{self.tool} {json.dumps(self.arguments, sort_keys=True, default=str)}"


@dataclass(frozen=True, slots=True)
class FinalAnswer:
    """Nothing more needs to be done. The text is never shown: ids in it say which of what was found is meant."""

    text: str
    thought: str = ""


Step = ToolCall | FinalAnswer


@dataclass(frozen=True, slots=True)
class Observation:
    """What a model is told came of a call."""

    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Observed:
    """A call and what came of it."""

    call: ToolCall
    observation: Observation


@dataclass(frozen=True, slots=True)
class StepRequest:
    """Everything the choice of a step may rest on."""

    user_message: str
    conversation: Conversation = field(default_factory=Conversation)
    tools: tuple[ToolOffer, ...] = ()
    observed: tuple[Observed, ...] = ()
    """The steps of this turn so far, oldest first, already bounded."""
    left_out: int = 0
    """Older steps that are no longer among `observed`."""
    deadline_s: float | None = None
    """Instant on `time.monotonic()` at which the turn must have an answer."""
    stopped: Callable[[], bool] | None = None
    """Whether nobody wants the answer any more; asked now and then while a service thinks."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """One chosen step and how it came about."""

    step: Step
    model: str
    usage: Usage = field(default_factory=Usage)
    repairs: tuple[str, ...] = ()
    """What had to be mended in the reply, for operators."""


class StepModel(Protocol):
    """Chooses steps. Thread-safe; keeps nothing between calls."""

    @property
    def name(self) -> str:
        """Which model answers."""
        ...

    def choose(self, request: StepRequest) -> Chosen:
        """The next step. Raises `ModelError`."""
        ...

    def close(self) -> None:
        """Release connections; a second call does nothing."""
        ...
