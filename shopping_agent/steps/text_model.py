"""Steps from any model that completes text: the prompt, and the reader of what comes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from shopping_agent.errors import ModelReplyError
from shopping_agent.prompt import history_messages
from shopping_agent.steps.step import Chosen, StepRequest
from shopping_agent.steps.text_protocol import STOP, instructions, read_step, transcript
from shopping_agent.usage import Usage


@dataclass(frozen=True, slots=True)
class Completed:
    """What a model wrote, and what it cost."""

    text: str
    usage: Usage = field(default_factory=Usage)


class Completer(Protocol):
    """Writes text. Thread-safe."""

    @property
    def name(self) -> str:
        """Which model writes."""
        ...

    def complete(
        self,
        messages: list[dict[str, Any]],
        *,
        stop: Sequence[str] = (),
        deadline_s: float | None = None,
        stopped: Callable[[], bool] | None = None,
    ) -> Completed:
        """The assistant's next message, ended before any of `stop` where the service can. Raises `ModelError`."""
        ...

    def close(self) -> None:
        """Release connections; a second call does nothing."""
        ...


class TextStepModel:
    """A `StepModel` over a `Completer` by the text protocol: no tool calls and no JSON mode are needed."""

    def __init__(self, completer: Completer) -> None:
        self._completer = completer

    @property
    def name(self) -> str:
        """Which model answers."""
        return self._completer.name

    def choose(self, request: StepRequest) -> Chosen:
        completed = self._completer.complete(
            messages(request), stop=STOP, deadline_s=request.deadline_s, stopped=request.stopped
        )
        read = read_step(completed.text, request.tools)
        if read is None:
            raise ModelReplyError(
                "The model wrote neither a call nor an answer.", reason="empty_reply", usage=completed.usage
            )
        return Chosen(read.step, self.name, completed.usage, read.repairs)

    def close(self) -> None:
        self._completer.close()


def messages(request: StepRequest) -> list[dict[str, Any]]:
    """One system message, the conversation, and the task with the steps so far."""
    steps = transcript(request.observed, left_out=request.left_out)
    history = history_messages(request.conversation)
    task = f"Task: {request.user_message}" + (f"\n{steps}" if steps else "")
    if history and history[-1]["role"] == "user":
        task = f"{history.pop()['content']}\n{task}"
    return [
        {"role": "system", "content": instructions(request.tools)},
        *history,
        {"role": "user", "content": task},
    ]
