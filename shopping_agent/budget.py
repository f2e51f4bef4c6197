"""What may still be spent: per conversation, per session, per day; asked before a model is."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from shopping_agent.usage import Usage

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
    """US dollars and tokens (input and output); None: no limit. 0 never asks a model.

    Tokens bound what a service without a known price may use.
    """

    conversation_usd: float | None = None
    session_usd: float | None = None
    day_usd: float | None = None
    session_tokens: int | None = None
    day_tokens: int | None = None


class SpendLedger(Protocol):
    """Adds up what was spent. A shop of several processes keeps it where all of them see it."""

    def spent(self, key: str) -> float:
        """What `record` has added under `key`; 0.0 for a new one."""
        ...

    def record(self, amounts: Mapping[str, float]) -> None:
        """Add each amount under its key, all or none."""
        ...


class MemoryLedger:
    """A ledger of one process, bounded in size. Thread-safe."""

    def __init__(self, *, max_tracked: int = MAX_TRACKED) -> None:
        self._spent: OrderedDict[str, float] = OrderedDict()
        self._max_tracked = max_tracked
        self._lock = threading.Lock()

    def spent(self, key: str) -> float:
        with self._lock:
            return self._spent.get(key, 0.0)

    def record(self, amounts: Mapping[str, float]) -> None:
        with self._lock:
            for key, amount in amounts.items():
                self._spent[key] = self._spent.get(key, 0.0) + amount
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
        return any(self._ledger.spent(key) >= limit for key, limit, _ in self._keys(account))

    def record(self, account: Account, usage: Usage) -> None:
        """Count what a turn used; what is not told cannot be counted."""
        spent = {"usd": usage.cost_usd or 0.0, "tokens": (usage.input_tokens or 0) + (usage.output_tokens or 0)}
        amounts = {key: spent[unit] for key, _, unit in self._keys(account) if spent[unit]}
        if amounts:
            self._ledger.record(amounts)

    def _keys(self, account: Account) -> list[tuple[str, float, str]]:
        """Key, limit and unit of every limit that holds for `account`."""
        limits, day = self._limits, f"day:{int(self._clock() // SECONDS_A_DAY)}"
        conversation, session = f"conversation:{account.conversation}", f"session:{account.session}"
        held: list[tuple[str, float | None, str]] = [(day, limits.day_usd, "usd"), (day, limits.day_tokens, "tokens")]
        if account.conversation is not None:
            held.append((conversation, limits.conversation_usd, "usd"))
        if account.session is not None:
            held += [(session, limits.session_usd, "usd"), (session, limits.session_tokens, "tokens")]
        return [(f"{name}:{unit}", limit, unit) for name, limit, unit in held if limit is not None]
