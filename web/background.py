"""A turn that runs beside its response: the stream beats while a model thinks, and whoever leaves ends nothing."""

from __future__ import annotations

import contextvars
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator

log = logging.getLogger(__name__)

BEAT_S = 10.0  # well under the minute after which proxies give a silent stream up
BEAT = ": \n\n"
"""A comment of the event stream: browsers skip it, and writing it finds out whether anybody still reads."""
_NAME = "turn"


def finish_turns(timeout_s: float) -> None:
    """Wait for the turns of this process, also for those that nobody reads any more, but no longer than told."""
    until = time.monotonic() + timeout_s
    for thread in threading.enumerate():
        if thread.name == _NAME:
            thread.join(max(0.0, until - time.monotonic()))


def in_background(steps: Iterator[str], *, done: Callable[[], None], beat_s: float = BEAT_S) -> Iterator[str]:
    """The same steps, run by a thread of their own, with a beat for every `beat_s` of silence.

    A reader who leaves frees the server's thread at once; the steps run to their end all the same, bounded by the
    turn's own deadline, so that the answer is there on return. `done` is called once they have.
    """
    passed: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def run() -> None:
        try:
            for step in steps:
                passed.put(step)
        except Exception:  # the border of a thread: nobody above could hear of it
            log.exception("a turn ended unforeseen")
        finally:
            passed.put(None)
            done()

    threading.Thread(target=contextvars.copy_context().run, args=(run,), name=_NAME, daemon=True).start()

    def read() -> Iterator[str]:
        while True:
            try:
                step = passed.get(timeout=beat_s)
            except queue.Empty:
                yield BEAT
                continue
            if step is None:
                return
            yield step

    return read()
