"""A `StepModel` and a `Completer` that play a script."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from shopping_agent.errors import ModelError
from shopping_agent.steps.step import Chosen, Step, StepRequest
from shopping_agent.steps.text_model import Completed
from shopping_agent.usage import Usage

Planned = Step | ModelError | Callable[[StepRequest], Step]
"""A step, an error, or a function of what was observed so far."""


class ScriptedSteps:
    """A `StepModel` that plays a script; fails on a step too many, and on `close()` if a step was never played."""

    name = "scripted"

    def __init__(self, steps: Iterable[Planned]) -> None:
        self._steps = list(steps)
        self.requests: list[StepRequest] = []

    def choose(self, request: StepRequest) -> Chosen:
        """The next step. Raises it if it is an error, `AssertionError` if the script is over."""
        if not self._steps:
            raise AssertionError(f"the script is over, and yet a step was asked for: {request.user_message!r}")
        self.requests.append(request)
        step = self._steps.pop(0)
        if isinstance(step, ModelError):
            raise step
        return Chosen(step(request) if callable(step) else step, self.name, Usage(calls=1))

    def close(self) -> None:
        """Fail if a step was not played."""
        if self._steps:
            raise AssertionError(f"{len(self._steps)} scripted steps were never played, next: {self._steps[0]!r}")


class ScriptedCompleter:
    """A `Completer` that writes given texts, in order; `messages` keeps what it was asked."""

    name = "scripted"

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = list(texts)
        self.messages: list[list[dict[str, Any]]] = []

    def complete(
        self,
        messages: list[dict[str, Any]],
        *,
        stop: Sequence[str] = (),
        deadline_s: float | None = None,
        stopped: Callable[[], bool] | None = None,
    ) -> Completed:
        """The next text. Raises `AssertionError` if there is none."""
        if not self._texts:
            raise AssertionError("the script is over, and yet a text was asked for")
        self.messages.append(messages)
        return Completed(self._texts.pop(0), Usage(calls=1))

    def close(self) -> None:
        """Fail if a text was not written."""
        if self._texts:
            raise AssertionError(f"{len(self._texts)} texts were never written, next: {self._texts[0]!r}")
