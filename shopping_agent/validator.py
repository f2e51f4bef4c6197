"""A second opinion on a message the guard is unsure about: asked beside the decision, joined before anything runs."""

from __future__ import annotations

import logging
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from typing import Literal, Protocol

from shopping_agent.errors import ModelError
from shopping_agent.usage import NOTHING_SPENT, Usage

log = logging.getLogger(__name__)

When = Literal["off", "gated", "always"]
MAX_THREADS = 32


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the validator says. `unknown` is no verdict, and never counts as safe in any record."""

    verdict: Literal["safe", "unsafe", "unknown"]
    usage: Usage = NOTHING_SPENT


class MessageValidator(Protocol):
    """Judges one message. Thread-safe."""

    def judge(self, message: str, *, deadline_s: float) -> Judgement:
        """The verdict, by one request at most. Raises `ModelError`."""
        ...

    def close(self) -> None:
        """Release connections; a second call does nothing."""
        ...


class Validation:
    """Starts judgements in threads of its own."""

    def __init__(self, validator: MessageValidator, *, when: When = "gated") -> None:
        self._validator = validator
        self._when = when
        self._threads = ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="validator")

    def needed(self, *, unsure: bool) -> bool:
        """Whether a message is judged, given whether the guard is unsure about it."""
        return self._when == "always" or (self._when == "gated" and unsure)

    def start(self, message: str, *, deadline_s: float) -> Future[Judgement]:
        """Judge beside whatever the caller does meanwhile."""
        return self._threads.submit(self._judge, message, deadline_s)

    def _judge(self, message: str, deadline_s: float) -> Judgement:
        try:
            return self._validator.judge(message, deadline_s=deadline_s)
        except ModelError as error:
            log.warning("no verdict on a message (%s): %s", error.reason, error)
            return Judgement("unknown", error.usage)

    def close(self) -> None:
        """Stop the threads and close the validator."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._validator.close()


def joined(pending: Future[Judgement], *, left_s: float) -> Judgement:
    """The judgement if it is there within `left_s`; else `unknown`, with the one call counted."""
    try:
        return pending.result(timeout=max(0.0, left_s))
    except FutureTimeoutError:
        pending.cancel()
        log.warning("no verdict on a message in time")
        return Judgement("unknown", Usage(calls=1))
