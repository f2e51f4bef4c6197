"""What was spent is added up where every process sees it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine

from web.store.migrations import migrate
from web.store.spending import SqlLedger


@pytest.fixture
def ledgers(engine: Engine) -> list[SqlLedger]:
    migrate(engine)
    return [SqlLedger(engine), SqlLedger(engine)]


def test_two_processes_add_to_one_sum(ledgers: list[SqlLedger]) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: ledgers[n % 2].record({"day:1:usd": 0.5, f"session:{n % 3}:usd": 0.25}), range(24)))
    assert ledgers[0].spent("day:1:usd") == 12.0
    assert [ledgers[1].spent(f"session:{n}:usd") for n in range(3)] == [2.0, 2.0, 2.0]
    assert ledgers[0].spent("never") == 0.0


def test_old_sums_are_forgotten(engine: Engine) -> None:
    migrate(engine)
    now = [100.0]
    ledger = SqlLedger(engine, clock=lambda: now[0])
    ledger.record({"old": 1.0})
    now[0] = 200.0
    ledger.record({"new": 1.0})
    assert ledger.purge(before=150.0) == 1
    assert (ledger.spent("old"), ledger.spent("new")) == (0.0, 1.0)
