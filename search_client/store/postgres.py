"""What only PostgreSQL needs: bulk loading by COPY, and an end to waiting for a server that has fallen silent."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, exc, text


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
    """Lets the transaction that has begun take its time: bulk work is long, not stuck.

    The server looks now and then whether anybody still waits: a killed import holds its lock no longer.
    """
    connection.execute(text("SET LOCAL statement_timeout = 0"))
    with suppress(exc.DBAPIError), connection.begin_nested():  # before version 14 there is no such look
        connection.execute(text("SET LOCAL client_connection_check_interval = '500ms'"))
    driver: Any = connection.connection.driver_connection
    driver.wait_limit_s = None
