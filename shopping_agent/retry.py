"""One bounded second try for what is safe to repeat: a service that said “later”, or a connection that broke."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from shopping_agent.errors import ModelUnavailableError
from shopping_agent.model import ActionModel, Decision, DecisionRequest

MAX_WAIT_S = 5.0  # longer than this the built-in model's answer now is worth more than a better one later
DEFAULT_WAIT_S = 0.3
ANSWER_S = 2.0  # what a call needs at least: no waiting into a deadline
REPEATABLE = frozenset(["rate_limit", "server_error", "unreachable", "interrupted"])


class Retry:
    """Waits as told by `Retry-After` and asks once more, within the request's calls and deadline."""

    def __init__(
        self,
        inner: ActionModel,
        *,
        max_wait_s: float = MAX_WAIT_S,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._inner = inner
        self._max_wait_s = max_wait_s
        self._sleep = sleep
        self._clock = clock

    @property
    def name(self) -> str:
        return self._inner.name

    def decide(self, request: DecisionRequest) -> Decision:
        """One action. Raises `ModelError` of the last try with the usage of both."""
        try:
            return self._inner.decide(request)
        except ModelUnavailableError as error:
            wait_s = self._wait_s(error, request)
            if wait_s is None:
                raise
            spent = error.usage
        self._sleep(wait_s)
        try:
            decision = self._inner.decide(replace(request, max_calls=request.max_calls - spent.calls))
        except ModelUnavailableError as error:
            error.usage = spent + error.usage
            raise
        return replace(decision, usage=spent + decision.usage)

    def close(self) -> None:
        self._inner.close()

    def _wait_s(self, error: ModelUnavailableError, request: DecisionRequest) -> float | None:
        """Seconds to wait; None where a second try is not safe, not allowed or too late."""
        if error.reason not in REPEATABLE or error.usage.calls >= request.max_calls:
            return None
        wait_s = DEFAULT_WAIT_S if error.retry_after_s is None else error.retry_after_s
        left_s = self._max_wait_s if request.deadline_s is None else request.deadline_s - self._clock() - ANSWER_S
        return wait_s if wait_s <= min(left_s, self._max_wait_s) else None
