"""What only PostgreSQL can: bulk loading by COPY, and telling others of a change by NOTIFY."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Engine, exc, text

CHANNEL = "catalog_changed"


def copy_rows(connection: Connection, target: str, rows: Iterable[tuple[object, ...]]) -> None:
    """Streams rows into `target`, a table with its columns. Raises as SQLAlchemy does."""
    driver_error = connection.dialect.loaded_dbapi.Error
    cursor: Any = connection.connection.cursor()
    try:
        with cursor, cursor.copy(f"COPY {target} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
    except driver_error as error:
        raise exc.OperationalError("COPY", None, error) from error


def bounded_connections(*, timeout_s: float) -> type[Any]:
    """A connection class whose waits for the server end after `timeout_s`, also where the server has fallen silent.

    `statement_timeout` is kept by the server, and TCP sees nothing wrong with a machine whose disk hangs. The attribute
    `wait_limit_s` holds the limit; None: none, for a merge of a million rows.
    """
    import psycopg

    class BoundedConnection(psycopg.Connection[Any]):
        wait_limit_s: float | None = timeout_s

        def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
            if timeout is not None:
                return super().wait(gen, interval, timeout)
            try:
                return super().wait(gen, interval, self.wait_limit_s)
            except psycopg.errors._WaitTimeout as error:
                self.close()  # an answer may still come: to nobody
                raise psycopg.errors.ConnectionTimeout(f"no answer within {self.wait_limit_s:g} s") from error

    return BoundedConnection


def lift_limits(connection: Connection) -> None:
    """Lets the transaction that has begun take its time: bulk work is long, not stuck."""
    connection.execute(text("SET LOCAL statement_timeout = 0"))
    driver: Any = connection.connection.driver_connection
    driver.wait_limit_s = None


class ChangeListener:
    """Waits for other processes' writes on a connection of its own; one waiting thread at a time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._connection: Any = None

    def wait(self, timeout_s: float) -> bool:
        """True after a notification or the full time; False where this is no way to wait now: poll instead."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            if self._connection is None:
                self._connection = self._listening()
                return True  # a write may have come before LISTEN: look once more before waiting
            for _ in self._connection.notifies(timeout=timeout_s, stop_after=1):
                pass
            return True
        except (exc.SQLAlchemyError, self._engine.dialect.loaded_dbapi.Error):
            self._drop()
            return False
        finally:
            self._lock.release()

    def close(self) -> None:
        with self._lock:
            self._drop()

    def _listening(self) -> Any:
        pooled = self._engine.raw_connection()
        driver: Any = pooled.driver_connection
        pooled.detach()  # this one waits for good: the pool makes another
        driver.execute(f"LISTEN {CHANNEL}")
        return driver

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
