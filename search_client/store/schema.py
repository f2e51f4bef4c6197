"""Tables of a catalog, and the numbered steps that bring an older database to them."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from sqlalchemy import BigInteger, Column, Connection, Index, Integer, MetaData, Table, Text, inspect, select, text

from search_client.errors import CatalogError

SCHEMA_VERSION = 1
_LOCK_KEY = 0x5E_A7C4  # any constant: all makers of a schema in one PostgreSQL database queue on it

metadata = MetaData()

products = Table(
    "catalog_products",
    metadata,
    # Bytewise order in PostgreSQL: twice as fast to compare as a language's collation, and nobody sorts by it.
    Column("id", Text().with_variant(Text(collation="C"), "postgresql"), primary_key=True),
    Column("revision", BigInteger, nullable=False),
    Column("payload", Text, nullable=True, comment="the product in the native format; NULL: deleted"),
    Index("catalog_products_by_revision", "revision"),
)
"""One row a product, with the revision that last changed it."""

state = Table(
    "catalog_state",
    metadata,
    Column("only_row", Integer, primary_key=True, autoincrement=False),
    Column("schema_version", Integer, nullable=False),
    Column("catalog_id", Text, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("product_count", BigInteger, nullable=False),
    Column("complete_from", BigInteger, nullable=False),
    Column("origin", Text, nullable=False),
)
"""One row: writers lock it, so that the order of revisions is the order of commits."""


def _create(connection: Connection) -> None:
    metadata.create_all(connection)
    connection.execute(
        state.insert().values(
            only_row=1,
            schema_version=1,
            catalog_id=secrets.token_hex(8),
            revision=0,
            product_count=0,
            complete_from=0,
            origin="",
        )
    )


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_create,)
"""Step n brings version n to n + 1."""


def schema_version(connection: Connection) -> int:
    """The version found, 0 where there is no catalog yet."""
    if not inspect(connection).has_table(state.name):
        return 0
    return connection.execute(select(state.c.schema_version)).scalar_one_or_none() or 0


def migrate(connection: Connection) -> int:
    """Brings the schema up to date within the given transaction; gives the number of steps taken.

    Raises `CatalogError` for a database that a newer version has made.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK_KEY})
    found = schema_version(connection)
    check_version(found, newest=SCHEMA_VERSION)
    for step in MIGRATIONS[found:]:
        step(connection)
    connection.execute(state.update().values(schema_version=SCHEMA_VERSION))
    return SCHEMA_VERSION - found


def check_version(found: int, *, newest: int = SCHEMA_VERSION) -> None:
    """Raises `CatalogError` where the schema is of a newer program."""
    if found > newest:
        raise CatalogError(
            f"The catalog has schema version {found}, this program knows {newest}: upgrade the program, or import into "
            "another catalog."
        )
