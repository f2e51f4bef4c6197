"""The catalog in a database, SQLite or PostgreSQL: reading it, and one door for writing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection, Engine, bindparam, select
from sqlalchemy.exc import DBAPIError, OperationalError, TimeoutError

from search_client.codec import read_product
from search_client.errors import CatalogError, InvalidRecordError, SearchUnavailableError
from search_client.models import Product
from search_client.store.catalog_store import CatalogState, Change, WriteReport
from search_client.store.engine import begin_snapshot, begin_write, open_engine, shown
from search_client.store.faults import translated
from search_client.store.forking import abandon_after_fork
from search_client.store.schema import SCHEMA_VERSION, check_version, migrate, products, schema_version, state
from search_client.store.writing import rows_of, write_products

T = TypeVar("T")

_BATCH_ROWS = 1_000
_STATE = select(state.c.catalog_id, state.c.revision, state.c.product_count, state.c.complete_from, state.c.origin)
_REVISION = select(state.c.revision)
_BY_IDS = select(products.c.id, products.c.payload).where(
    products.c.id.in_(bindparam("ids", expanding=True)), products.c.payload.is_not(None)
)


def open_store(
    catalog_url: str, *, read_url: str | None = None, timeout_s: float = 5.0, required: bool = True
) -> SqlCatalogStore:
    """The catalog at `sqlite:///path` or `postgresql://…`, made where there is none, migrated where it is older.

    `read_url` names a replica that is read instead. With `required=False` a database that does not answer now is no
    error yet: an index may still be searched. Raises `SettingsError`, `CatalogError`, `SearchUnavailableError`.
    """
    engine = open_engine(catalog_url, timeout_s=timeout_s)
    store = SqlCatalogStore(engine, reader=open_engine(read_url, timeout_s=timeout_s) if read_url else None)
    try:
        store.migrate()
    except SearchUnavailableError:
        if required:
            store.close()
            raise
        store.pending = True
    except BaseException:
        store.close()
        raise
    return store


def migrate_catalog(catalog_url: str, *, timeout_s: float = 5.0) -> int:
    """Makes the schema or brings it up to date; gives the number of steps taken. Raises as `open_store`."""
    with closing(SqlCatalogStore(open_engine(catalog_url, timeout_s=timeout_s))) as store:
        return store.migrate()


class SqlCatalogStore:
    """A `CatalogStore` on SQLAlchemy. Made by `open_store`."""

    def __init__(self, engine: Engine, *, reader: Engine | None = None) -> None:
        self._engine = engine
        self._reader = reader or engine
        self._where = shown(engine.url)
        self.pending = False
        """Whether the schema could not be looked at yet: it is, before anything else."""
        abandon_after_fork(self)

    def revision(self) -> int:
        return int(self._read(lambda connection: connection.execute(_REVISION).scalar_one()))

    def state(self) -> CatalogState:
        return self._read(lambda connection: CatalogState(*connection.execute(_STATE).one()))

    def get_many(self, product_ids: Sequence[str]) -> dict[str, Product]:
        wanted = list(dict.fromkeys(product_ids))
        found: dict[str, Product] = {}
        for start in range(0, len(wanted), _BATCH_ROWS):
            rows = self._read(partial(_rows_of, ids=wanted[start : start + _BATCH_ROWS]))
            found |= {product_id: self._decoded(product_id, payload) for product_id, payload in rows}
        return found

    def changes_since(self, revision: int) -> Iterator[Change]:
        wanted = select(products.c.revision, products.c.id, products.c.payload).order_by(products.c.revision)
        wanted = (
            wanted.where(products.c.revision > revision) if revision else wanted.where(products.c.payload.is_not(None))
        )
        with translated(self._where), self._connected() as connection, begin_snapshot(connection):
            forgotten = connection.execute(select(state.c.complete_from)).scalar_one()
            if 0 < revision < forgotten:
                raise CatalogError(
                    f"Deletions before revision {forgotten} are forgotten: read the whole catalog again."
                )
            with closing(connection.execute(wanted, execution_options={"yield_per": _BATCH_ROWS})) as rows:
                for row in rows:
                    product = self._decoded(row.id, row.payload) if row.payload else None
                    yield Change(row.revision, row.id, product, row.payload or "")

    def write(
        self,
        products: Iterable[Product],
        *,
        replace: bool = False,
        delete: Sequence[str] = (),
        origin: str | None = None,
        passing: Callable[[Product, str], None] | None = None,
    ) -> WriteReport:
        with translated(self._where):
            self._make_ready()
            return write_products(
                self._engine, rows_of(products, passing), replace=replace, delete=delete, origin=origin
            )

    def close(self) -> None:
        self._engine.dispose()
        self._reader.dispose()

    def abandon(self) -> None:
        """Forget all connections, which belong to the process that this one was forked from."""
        self._engine.dispose(close=False)
        self._reader.dispose(close=False)

    def migrate(self) -> int:
        """Makes the schema or brings it up to date; gives the number of steps taken. Raises `CatalogError`."""
        with translated(self._where):
            with self._engine.connect() as connection:
                found = schema_version(connection)
            check_version(found)
            if found == SCHEMA_VERSION:
                return 0
            with self._engine.connect() as connection, begin_write(connection):
                return migrate(connection)

    def _read(self, ask: Callable[[Connection], T]) -> T:
        """One autocommitted read, from the replica where there is one that answers."""
        with translated(self._where):
            self._make_ready()
            if self._reader is not self._engine:
                with suppress(OperationalError, TimeoutError):
                    return _asked(self._reader, ask)
            return _asked(self._engine, ask)

    def _connected(self) -> Connection:
        """A connection for a longer reading, to the replica where there is one that answers."""
        self._make_ready()
        if self._reader is not self._engine:
            with suppress(OperationalError, TimeoutError), self._reader.connect() as probe:
                probe.execute(_REVISION)
                return self._reader.connect()
        return self._engine.connect()

    def _make_ready(self) -> None:
        """Migrates what could not be migrated when the store was opened."""
        if self.pending:
            self.migrate()
            self.pending = False

    def _decoded(self, product_id: str, payload: str) -> Product:
        try:
            return read_product(json.loads(payload))
        except (ValueError, InvalidRecordError) as error:
            raise CatalogError(
                f"Product {product_id!r} in the catalog {self._where} is damaged ({error}): import it again."
            ) from error


def _asked(engine: Engine, ask: Callable[[Connection], T]) -> T:
    """Asks once more where the connection turned out to be dead, e.g. after a restart of the server."""
    try:
        with engine.connect() as connection:
            return ask(connection)
    except DBAPIError as error:
        if not error.connection_invalidated or "Timeout" in type(error.orig).__name__:
            raise
    with engine.connect() as connection:
        return ask(connection)


def _rows_of(connection: Connection, ids: Sequence[str]) -> list[tuple[str, str]]:
    return [(row.id, row.payload) for row in connection.execute(_BY_IDS, {"ids": ids})]
