"""What may still be spent: per conversation, per session, per day; asked before a model is."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

MAX_TRACKED = 20_000  # conversations and sessions kept in memory; the least recently used are forgotten
SECONDS_A_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Account:
    """On whose behalf a turn spends. None: not limited there."""

    conversation: str | None = None
    session: str | None = None


NOBODY = Account()


@dataclass(frozen=True, slots=True)
class Limits:
    """US dollars; None: no limit. 0 never asks a model."""

    conversation_usd: float | None = None
    session_usd: float | None = None
    day_usd: float | None = None


class SpendLedger(Protocol):
    """Adds up what was spent. A shop on several machines keeps it where all of them see it."""

    def spent_usd(self, key: str) -> float:
        """What `record` has added under `key`; 0.0 for a new one."""
        ...

    def record(self, key: str, amount_usd: float) -> None:
        """Add `amount_usd` under `key`."""
        ...


class MemoryLedger:
    """A ledger of one process, bounded in size. Thread-safe."""

    def __init__(self, *, max_tracked: int = MAX_TRACKED) -> None:
        self._spent: OrderedDict[str, float] = OrderedDict()
        self._max_tracked = max_tracked
        self._lock = threading.Lock()

    def spent_usd(self, key: str) -> float:
        with self._lock:
            return self._spent.get(key, 0.0)

    def record(self, key: str, amount_usd: float) -> None:
        with self._lock:
            self._spent[key] = self._spent.get(key, 0.0) + amount_usd
            self._spent.move_to_end(key)
            while len(self._spent) > self._max_tracked:
                self._spent.popitem(last=False)


class Budget:
    """Limits over a ledger. Turns under way are not foreseen: a budget is passed by at most one turn per thread."""

    def __init__(
        self, limits: Limits, ledger: SpendLedger | None = None, *, clock: Callable[[], float] = time.time
    ) -> None:
        self._limits = limits
        self._ledger = ledger or MemoryLedger()
        self._clock = clock

    def is_spent(self, account: Account) -> bool:
        """Whether any limit that holds for `account` is reached."""
        limits = self._limits
        pairs = ((key, limit) for key, limit in self._keys(account, limits) if limit is not None)
        return any(self._ledger.spent_usd(key) >= limit for key, limit in pairs)

    def record(self, account: Account, cost_usd: float | None) -> None:
        """Count a turn's cost; a cost that is not known cannot be counted."""
        if cost_usd:
            for key, _ in self._keys(account, self._limits):
                self._ledger.record(key, cost_usd)

    def _keys(self, account: Account, limits: Limits) -> list[tuple[str, float | None]]:
        keys: list[tuple[str, float | None]] = [(f"day:{int(self._clock() // SECONDS_A_DAY)}", limits.day_usd)]
        if account.conversation is not None:
            keys.append((f"conversation:{account.conversation}", limits.conversation_usd))
        if account.session is not None:
            keys.append((f"session:{account.session}", limits.session_usd))
        return keys
