"""How many requests one caller may send. Counted in this process, for a bounded number of callers. Pure."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

MAX_CALLERS = 10_000  # 2 MB; those heard of longest ago are forgotten first


class Allowance:
    """A bucket for each caller: `per_minute` requests at once, and as many again within each minute."""

    def __init__(self, per_minute: int, *, clock: Callable[[], float]) -> None:
        """`per_minute` 0: everybody may send as much as they like."""
        self._size = per_minute
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, caller: str) -> float:
        """0 if the request may pass, which then counts; else the seconds until the next one may."""
        if not self._size:
            return 0.0
        now = self._clock()
        left, at = self._left.pop(caller, (float(self._size), now))
        left = min(self._size, left + (now - at) * self._size / 60)
        passes = left >= 1
        self._left[caller] = (left - passes, now)
        if len(self._left) > MAX_CALLERS:
            self._left.popitem(last=False)
        return 0.0 if passes else (1 - left) * 60 / self._size
