"""A schema of its own in the test database for each test that needs PostgreSQL."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_SERVER = os.environ.get("TEST_POSTGRES_URL", "postgresql://postgres@127.0.0.1:5432/test")


@contextmanager
def postgres_schema() -> Iterator[str]:
    """A URL whose tables live in a new schema, dropped at the end; skips the test where no server answers."""
    psycopg = pytest.importorskip("psycopg")
    try:
        connection = psycopg.connect(_SERVER, autocommit=True, connect_timeout=30)
    except psycopg.OperationalError as error:
        reason = f"PostgreSQL does not answer: {error}"
        if os.environ.get("CHECK_ALL"):
            pytest.fail(reason)
        pytest.skip(reason)
    schema = f"test_{secrets.token_hex(6)}"
    with connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        try:
            yield f"{_SERVER}?options=-csearch_path%3D{schema}"
        finally:
            connection.execute("SET lock_timeout = '120s'")
            connection.execute(f"DROP SCHEMA {schema} CASCADE")
