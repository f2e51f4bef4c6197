"""Old conversations go by themselves: at start, then at most once an hour, on the back of a finished turn."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from web.errors import StoreUnavailableError

log = logging.getLogger(__name__)

EVERY_S = 3600.0


class Retention:
    """Runs `purge` now and then. Thread-safe; a database that does not answer is tried again an hour later."""

    def __init__(self, purge: Callable[[float], int], *, days: int, clock: Callable[[], float] = time.time) -> None:
        self._purge = purge
        self._days = days
        self._clock = clock
        self._next = 0.0
        self._lock = threading.Lock()

    def tick(self) -> None:
        """Purge if it is time; returns at once if not, or if another thread does it."""
        now = self._clock()
        if self._days == 0 or now < self._next or not self._lock.acquire(blocking=False):
            return
        try:
            self._next = now + EVERY_S
            gone = self._purge(now - self._days * 86400)
            if gone:
                log.info("deleted %d conversations older than %d days", gone, self._days)
        except StoreUnavailableError as error:
            log.warning("old conversations were not deleted: %s", error)
        finally:
            self._lock.release()
