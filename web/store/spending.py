"""What was spent, where every process and machine of the shop sees it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from sqlalchemy import Column, Engine, Float, String, Table, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from web.store.engine import reading
from web.store.schema import metadata

spending = Table(
    "spending",
    metadata,
    Column("key", String(120), primary_key=True),
    Column("amount", Float, nullable=False),
    Column("at", Float, nullable=False, index=True),
)


class SqlLedger:
    """A `SpendLedger` in the web app's database."""

    def __init__(self, engine: Engine, *, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._clock = clock

    def spent(self, key: str) -> float:
        """What was added under `key`."""
        with reading(self._engine) as db:
            return float(db.scalar(select(spending.c.amount).where(spending.c.key == key)) or 0.0)

    def record(self, amounts: Mapping[str, float]) -> None:
        """Add up in one transaction; keys in one order, so that two writers never wait for each other."""
        now = self._clock()
        with self._engine.begin() as db:
            upsert = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
            for key in sorted(amounts):
                row = upsert(spending).values(key=key, amount=amounts[key], at=now)
                added = {"amount": spending.c.amount + row.excluded.amount, "at": now}
                db.execute(row.on_conflict_do_update(index_elements=[spending.c.key], set_=added))

    def purge(self, *, before: float) -> int:
        """Forget what was last added to before that instant; gives how many keys."""
        with self._engine.begin() as db:
            return db.execute(delete(spending).where(spending.c.at < before)).rowcount
