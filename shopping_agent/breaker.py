"""A model that keeps failing is left alone for a while, so that shoppers do not wait for it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from shopping_agent.errors import ModelError, ModelRefusedError, ModelReplyError, ModelUnavailableError
from shopping_agent.model import ActionModel, Decision, DecisionRequest

log = logging.getLogger(__name__)

FAILURES = 4
COOL_OFF_S = 20.0
# The operator must act on these: asking again soon only costs time. A refused request is a matter of that request.
_LASTING = frozenset(["key", "quota", "model"])
_NOT_TRIED = frozenset(["no_call_left", "stopped"])


class Breaker:
    """Opens after `failures` failures in a row, or one that lasts; then lets one probe through per `cool_off_s`.

    Thread-safe. An answer that cannot be read is the model's fault and not an outage: it neither opens nor closes.
    """

    def __init__(
        self,
        inner: ActionModel,
        *,
        failures: int = FAILURES,
        cool_off_s: float = COOL_OFF_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._inner = inner
        self._limit = failures
        self._cool_off_s = cool_off_s
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._closed_again_s: float | None = None
        self._reason = ""

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def is_open(self) -> bool:
        """Whether the model is being left alone."""
        return self._closed_again_s is not None

    def decide(self, request: DecisionRequest) -> Decision:
        """One action. Raises `ModelUnavailableError` without a call while open, else what the model raises."""
        self._enter()
        try:
            decision = self._inner.decide(request)
        except ModelReplyError:
            self._succeeded()
            raise
        except ModelError as error:
            self._failed(error)
            raise
        except BaseException:
            self._abandoned()
            raise
        self._succeeded()
        return decision

    def close(self) -> None:
        self._inner.close()

    def _enter(self) -> None:
        with self._lock:
            if self._closed_again_s is None:
                return
            if self._clock() < self._closed_again_s:
                message = f"{self._inner.name} is left alone after {self._reason}."
                raise ModelUnavailableError(message, reason=f"open_after_{self._reason}")
            # This call is the probe; the others wait for what becomes of it.
            self._closed_again_s = self._clock() + self._cool_off_s

    def _succeeded(self) -> None:
        with self._lock:
            if self._closed_again_s is not None:
                log.info("%s answers again", self._inner.name)
            self._failures, self._closed_again_s = 0, None

    def _failed(self, error: ModelError) -> None:
        if error.reason in _NOT_TRIED or (isinstance(error, ModelRefusedError) and error.reason not in _LASTING):
            self._abandoned()
            return
        with self._lock:
            self._failures += 1
            if self._failures >= self._limit or error.reason in _LASTING:
                if self._closed_again_s is None:
                    log.error("%s is left alone for %g s at a time: %s", self._inner.name, self._cool_off_s, error)
                self._closed_again_s = self._clock() + self._cool_off_s
                self._reason = error.reason

    def _abandoned(self) -> None:
        """A call that says nothing about the service: if it was the probe, the next one may be."""
        with self._lock:
            if self._closed_again_s is not None:
                self._closed_again_s = self._clock()
