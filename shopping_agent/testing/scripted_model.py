"""An `ActionModel` that plays a script."""

from __future__ import annotations

from collections.abc import Iterable

from shopping_agent.actions import Action
from shopping_agent.errors import ModelError
from shopping_agent.model import Decision, DecisionRequest
from shopping_agent.usage import Usage


class ScriptedModel:
    """An `ActionModel` that plays a script: one action or error a decision; fails on one too many.

    `requests` keeps what was asked. `close()` fails on steps that were never played.
    """

    name = "scripted"

    def __init__(self, steps: Iterable[Action | ModelError]) -> None:
        self._steps = list(steps)
        self.requests: list[DecisionRequest] = []

    def decide(self, request: DecisionRequest) -> Decision:
        """The next step. Raises it if it is an error, `AssertionError` if the script is over."""
        if not self._steps:
            raise AssertionError(f"the script is over, and yet a decision was asked for: {request.user_message!r}")
        self.requests.append(request)
        step = self._steps.pop(0)
        if isinstance(step, ModelError):
            raise step
        return Decision(action=step, model=self.name, usage=Usage(calls=1))

    def close(self) -> None:
        """Fail if a step was not played."""
        if self._steps:
            raise AssertionError(f"{len(self._steps)} scripted steps were never played, next: {self._steps[0]!r}")
