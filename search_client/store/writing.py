"""Changing a catalog in one transaction: a few products at once, or any number by way of a staging table.

A stream is first copied into a temporary table, which locks nothing, however slowly the feed arrives; then one
transaction merges it. Readers go on reading the catalog as it was; a process killed at any moment has changed nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from sqlalchemy import Connection, Engine, bindparam, func, select, text

from search_client.bounds import check_id
from search_client.codec import dump_product
from search_client.errors import InvalidRecordError
from search_client.models import Product
from search_client.store.catalog_store import WriteReport
from search_client.store.engine import begin_snapshot, begin_write
from search_client.store.postgres import copy_rows, lift_limits
from search_client.store.schema import products, state

Row = tuple[str, str]
"""Id and payload."""

_FEW = 1_000
_BATCH_ROWS = 2_000
_KEPT_DELETIONS = 50_000
"""Deletions an index can catch up with; beyond this, and beyond the size of the catalog, older ones are forgotten."""

_UPSERT = text(
    "INSERT INTO catalog_products (id, revision, payload) VALUES (:id, :revision, :payload)"
    " ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, payload = excluded.payload"
)
_MERGE = text(
    "INSERT INTO catalog_products (id, revision, payload)"
    " SELECT id, :revision, payload FROM catalog_incoming WHERE true ORDER BY seq"
    " ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, payload = excluded.payload"
    " WHERE catalog_products.payload IS NULL OR catalog_products.payload <> excluded.payload"
)
_NOT_INCOMING = "NOT EXISTS (SELECT 1 FROM catalog_incoming WHERE catalog_incoming.id = catalog_products.id)"
_DELETE_THE_REST = text(
    f"UPDATE catalog_products SET payload = NULL, revision = :revision WHERE payload IS NOT NULL AND {_NOT_INCOMING}"
)
_DROP_EARLIER_TWINS = text(
    "DELETE FROM catalog_incoming WHERE EXISTS (SELECT 1 FROM catalog_incoming AS later"
    " WHERE later.id = catalog_incoming.id AND later.seq > catalog_incoming.seq)"
)
_COUNT_KNOWN = text(
    "SELECT count(*) FROM catalog_incoming JOIN catalog_products ON catalog_products.id = catalog_incoming.id"
    " WHERE catalog_products.payload IS NOT NULL"
)


@dataclass(slots=True)
class _Before:
    """The locked state row."""

    revision: int
    product_count: int


def write_products(
    engine: Engine, rows: Iterator[Row], *, replace: bool, delete: Sequence[str], origin: str | None = None
) -> WriteReport:
    """As `CatalogStore.write`."""
    few = list(islice(rows, _FEW + 1))
    with engine.connect() as connection:
        if not replace and len(few) <= _FEW:
            return _write_few(connection, dict(few), delete, origin=origin)
        try:
            count = _stage(connection, chain(few, rows))
            return _merge(connection, count, replace=replace, delete=delete, origin=origin)
        finally:
            connection.invalidate()  # gives the temporary table's space back at once


def rows_of(items: Iterable[Product], passing: Callable[[Product, str], None] | None = None) -> Iterator[Row]:
    """Each product as it is kept, told to `passing` too. Raises `InvalidRecordError`."""
    for product in items:
        check_id(product.id)
        payload = dump_product(product)
        try:
            payload.encode()
        except UnicodeEncodeError as error:
            raise InvalidRecordError(f"Product {product.id!r} has text that is not valid Unicode: {error}.") from error
        if passing is not None:
            passing(product, payload)
        yield product.id, payload


def _write_few(
    connection: Connection, wanted: dict[str, str], delete: Sequence[str], *, origin: str | None
) -> WriteReport:
    with begin_write(connection):
        before = _lock(connection)
        doomed = [product_id for product_id in dict.fromkeys(delete) if product_id not in wanted]
        found = _payloads(connection, [*wanted, *doomed])
        doomed = [product_id for product_id in doomed if found.get(product_id) is not None]
        changed = {key: payload for key, payload in wanted.items() if found.get(key) != payload}
        added = sum(found.get(key) is None for key in changed)
        revision = before.revision + 1
        rows = [{"id": key, "revision": revision, "payload": payload} for key, payload in changed.items()]
        rows += [{"id": key, "revision": revision, "payload": None} for key in doomed]
        if rows:
            connection.execute(_UPSERT, rows)
        return _finish(
            connection,
            before,
            WriteReport(added, len(changed) - added, len(wanted) - len(changed), len(doomed)),
            origin,
        )


def _payloads(connection: Connection, ids: Sequence[str]) -> dict[str, str | None]:
    wanted = select(products.c.id, products.c.payload).where(products.c.id.in_(bindparam("ids", expanding=True)))
    found: dict[str, str | None] = {}
    for start in range(0, len(ids), _BATCH_ROWS):
        rows = connection.execute(wanted, {"ids": ids[start : start + _BATCH_ROWS]})
        found.update((row.id, row.payload) for row in rows)
    return found


def _stage(connection: Connection, rows: Iterable[Row]) -> int:
    """Copies all rows into a temporary table, of two with one id the later; gives their number."""
    with begin_snapshot(connection):
        columns = "seq BIGINT PRIMARY KEY, id TEXT NOT NULL, payload TEXT NOT NULL"
        if connection.dialect.name == "postgresql":
            columns = columns.replace("id TEXT", 'id TEXT COLLATE "C"')
            lift_limits(connection)
        else:
            columns = columns.replace("BIGINT", "INTEGER")
        connection.execute(text(f"CREATE TEMPORARY TABLE catalog_incoming ({columns})"))
        if connection.dialect.name == "postgresql":
            copy_rows(connection, "catalog_incoming (seq, id, payload)", ((i, *row) for i, row in enumerate(rows)))
        else:
            _insert(connection, rows)
        connection.execute(text("CREATE INDEX catalog_incoming_by_id ON catalog_incoming (id, seq)"))
        if connection.dialect.name == "postgresql":
            connection.execute(text("ANALYZE catalog_incoming"))
        connection.execute(_DROP_EARLIER_TWINS)
        return int(connection.execute(text("SELECT count(*) FROM catalog_incoming")).scalar_one())


def _insert(connection: Connection, rows: Iterable[Row]) -> None:
    numbered = enumerate(rows)
    while batch := [(seq, *row) for seq, row in islice(numbered, _BATCH_ROWS)]:
        connection.exec_driver_sql("INSERT INTO catalog_incoming (seq, id, payload) VALUES (?, ?, ?)", batch)


def _merge(
    connection: Connection, count: int, *, replace: bool, delete: Sequence[str], origin: str | None
) -> WriteReport:
    with begin_write(connection):
        if connection.dialect.name == "postgresql":
            lift_limits(connection)
        before = _lock(connection)
        revision = {"revision": before.revision + 1}
        known = connection.execute(_COUNT_KNOWN).scalar_one() if before.product_count else 0
        changed = connection.execute(_MERGE, revision).rowcount
        added = count - known
        deleted = connection.execute(_DELETE_THE_REST, revision).rowcount if replace else 0
        if not replace:
            deleted = _delete_others(connection, delete, before.revision + 1)
        if deleted:
            _forget_old_deletions(connection, before.revision + 1, before.product_count + added - deleted)
        return _finish(connection, before, WriteReport(added, changed - added, count - changed, deleted), origin)


def _delete_others(connection: Connection, ids: Sequence[str], revision: int) -> int:
    wanted = (
        products.update()
        .where(
            products.c.id.in_(bindparam("ids", expanding=True)), products.c.payload.is_not(None), text(_NOT_INCOMING)
        )
        .values(payload=None, revision=revision)
    )
    batches = (ids[start : start + _BATCH_ROWS] for start in range(0, len(ids), _BATCH_ROWS))
    return sum(connection.execute(wanted, {"ids": batch}).rowcount for batch in batches)


def _forget_old_deletions(connection: Connection, revision: int, product_count: int) -> None:
    rows = connection.execute(select(func.count()).select_from(products)).scalar_one()
    if rows - product_count > max(_KEPT_DELETIONS, product_count):
        gone = products.delete().where(products.c.payload.is_(None), products.c.revision < revision)
        connection.execute(gone)
        connection.execute(state.update().values(complete_from=revision - 1))


def _lock(connection: Connection) -> _Before:
    row = connection.execute(select(state.c.revision, state.c.product_count).with_for_update()).one()
    return _Before(row.revision, row.product_count)


def _finish(connection: Connection, before: _Before, report: WriteReport, origin: str | None) -> WriteReport:
    """Writes the state row where anything changed; an empty change keeps the revision."""
    if origin is not None:
        connection.execute(state.update().values(origin=origin))
    revision = before.revision
    if report.added or report.updated or report.deleted:
        revision += 1
        connection.execute(
            state.update().values(revision=revision, product_count=before.product_count + report.added - report.deleted)
        )
    return WriteReport(report.added, report.updated, report.unchanged, report.deleted, revision)
