"""Numbered steps that bring an older database to the tables of today."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Column, Connection, Engine, Integer, Table, inspect, select, text

import web.store.cart
import web.store.sessions
import web.store.spending
import web.store.traces
from web.errors import StoreUnavailableError
from web.store import schema
from web.store.engine import reading
from web.store.schema import metadata

_LOCK_KEY = 0x5E_A7C5  # any constant: all processes that start on one PostgreSQL database queue on it

schema_version = Table(
    "web_schema_version",
    metadata,
    Column("only_row", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
)

TABLES = (
    web.store.spending.spending,
    schema.conversations,
    web.store.cart.cart_lines,
    web.store.sessions.sessions,
    web.store.traces.turn_traces,
)
"""One table of each module that defines some: importing them here fills the metadata."""


def _create(connection: Connection) -> None:
    metadata.create_all(connection)
    connection.execute(schema_version.insert().values(only_row=1, version=1))


def _index_traces(connection: Connection) -> None:
    web.store.traces.by_conversation.create(connection, checkfirst=True)


STEPS: tuple[Callable[[Connection], None], ...] = (_create, _index_traces)
"""Step n brings version n to n + 1. The first makes all of today's tables, so that the others find their work done."""


def migrate(engine: Engine) -> int:
    """Bring the database up to date, all or nothing, and give the number of steps taken. One of today is only read.

    Raises `StoreUnavailableError` for a database that a newer version has made.
    """
    with reading(engine) as connection:
        if _version(connection) == len(STEPS):
            return 0
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK_KEY})
        found = _version(connection)
        if found > len(STEPS):
            raise StoreUnavailableError(
                f"The conversation database has schema version {found}, this program knows {len(STEPS)}: upgrade it."
            )
        for step in STEPS[found:]:
            step(connection)
        connection.execute(schema_version.update().values(version=len(STEPS)))
        return len(STEPS) - found


def _version(connection: Connection) -> int:
    if not inspect(connection).has_table(schema_version.name):
        return 0
    return connection.execute(select(schema_version.c.version)).scalar_one_or_none() or 0
