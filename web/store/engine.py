"""One SQLAlchemy engine for everything the web app stores, and what its database says when something goes wrong."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Executable, QueuePool, Row, create_engine, event, exc, make_url, text
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.engine.url import URL

from web.errors import StoreUnavailableError

LOCK_WAIT_MS = 5000
STATEMENT_TIMEOUT_MS = 10_000
_OUR_OWN_FAULT = (exc.IntegrityError, exc.DataError, exc.ProgrammingError, exc.NotSupportedError)
SQLITE_POOL_SIZE = 64
WRITER_WAIT_S = 20.0
POOL_SIZE = 20  # of each worker process; a turn holds a connection for single milliseconds


def open_engine(database_url: str) -> Engine:
    """An engine for `sqlite:///…` or `postgresql://…`; errors of the database come out as `StoreUnavailableError`.

    SQLite uses WAL, waits for a lock, and takes the write lock at BEGIN: a deferred BEGIN fails on upgrade when another
    writer was faster. Raises `StoreUnavailableError` where the folder cannot be made.
    """
    url = make_url(database_url)
    engine = _sqlite(url) if url.get_backend_name() == "sqlite" else _postgresql(url)
    event.listen(engine, "handle_error", _translate)
    return engine


def read(engine: Engine, statement: Executable, **values: object) -> Sequence[Row[Any]]:
    """The rows of one statement, which is a snapshot by itself: without a transaction where the database needs none."""
    with engine.connect().execution_options(read_only="once") as connection:
        return connection.execute(statement, values).all()


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that never waits for a writer and may not write."""
    with engine.connect().execution_options(read_only=True) as connection, connection.begin():
        yield connection


def queue(db: Connection, owner: str) -> None:
    """Let one writer of an owner at a time read and then write. SQLite's write lock does that already."""
    if db.dialect.name == "postgresql":
        db.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:owner, 0))"), {"owner": owner})


def _sqlite(url: URL) -> Engine:
    if url.database:
        folder = Path(url.database).parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailableError(f"The folder {str(folder)!r} cannot be made: {error.strerror}.") from error
    engine = create_engine(  # the connection used last has pages and statements at hand
        url, poolclass=_Pool, pool_use_lifo=True, pool_size=SQLITE_POOL_SIZE, max_overflow=SQLITE_POOL_SIZE
    )
    event.listen(engine, "connect", _pragmas)
    turnstile = _Turnstile()
    event.listen(engine, "begin", turnstile.begin)
    event.listen(engine, "commit", turnstile.end)
    event.listen(engine, "rollback", turnstile.end)
    return engine


def _postgresql(url: URL) -> Engine:
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    limits = f"-c statement_timeout={STATEMENT_TIMEOUT_MS} -c lock_timeout={LOCK_WAIT_MS}"
    options = f"{url.query.get('options', '')} {limits}".strip()
    return create_engine(
        url.update_query_dict({"options": options}),
        poolclass=_Pool,
        pool_pre_ping=True,
        pool_size=POOL_SIZE,
        max_overflow=POOL_SIZE,
    )


class _Pool(QueuePool):
    """Connections; where each is taken for too long, the database does not answer."""

    def connect(self) -> Any:
        try:
            return super().connect()
        except exc.TimeoutError as error:
            raise StoreUnavailableError("The conversation database does not answer: every connection is taken.") from (
                error
            )


def _pragmas(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver's own BEGIN is deferred
    for pragma in (f"busy_timeout={LOCK_WAIT_MS}", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


class _Turnstile:
    """Lets one writer of this process at a time to the database's lock.

    SQLite's writers poll for that lock and are not served in order: of hundreds of threads some waited for longer than
    the five seconds after which SQLite gives up.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def begin(self, connection: Connection) -> None:
        read_only = connection.get_execution_options().get("read_only")
        if read_only:
            if read_only != "once":
                connection.exec_driver_sql("BEGIN")
            return
        if not self._lock.acquire(timeout=WRITER_WAIT_S):
            raise StoreUnavailableError("The conversation database does not answer: too many writers wait for it.")
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except BaseException:
            self._lock.release()
            raise
        connection.info["writes"] = True

    def end(self, connection: Connection) -> None:
        """After this event the driver commits or rolls back; the next writer waits for that at the database's lock."""
        if connection.info.pop("writes", False):
            self._lock.release()


def _translate(context: ExceptionContext) -> None:
    """Full, read-only, locked, gone: one error with the database's first line, never the statement or its values."""
    error = context.sqlalchemy_exception
    if isinstance(error, exc.DBAPIError) and not isinstance(error, _OUR_OWN_FAULT):
        reason = str(context.original_exception).strip().split("\n", 1)[0].rstrip(".")[:200]
        message = f"The conversation database does not answer: {reason}.{_hint(context, reason)}"
        raise StoreUnavailableError(message) from context.original_exception


def _hint(context: ExceptionContext, reason: str) -> str:
    """SQLite names neither its file nor what the disk said."""
    disk = ("disk I/O error", "unable to open database file", "readonly database", "disk is full")
    if context.engine is None or not reason.endswith(disk):
        return ""
    return f" Is the disk of {context.engine.url.database!r} full, read-only or out of reach?"
