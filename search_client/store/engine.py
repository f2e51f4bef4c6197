"""Connections to a catalog's database: how each kind of transaction begins, how long anything may take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, RootTransaction, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from search_client.errors import CatalogError, SettingsError
from search_client.store.postgres import bounded_connections

_CONNECT_TIMEOUT_S = 3
_GRACE_S = 0.5  # the server's own time-out comes first where it answers at all: its message says more
_WRITING = "BEGIN IMMEDIATE"
_READER_CACHE_KIB = 2_048
_WRITER_CACHE_KIB = 65_536  # the default 2 MB made a million rows 1.6 times slower to merge


def begin_write(connection: Connection) -> RootTransaction:
    """Begins a transaction that will write: SQLite takes the write lock now, not at the first write."""
    return _begin(connection, "READ COMMITTED", writing=True)


def begin_snapshot(connection: Connection) -> RootTransaction:
    """Begins a transaction whose statements all see one moment."""
    return _begin(connection, "REPEATABLE READ", writing=False)


def _begin(connection: Connection, isolation: str, *, writing: bool) -> RootTransaction:
    options: dict[str, object] = {"catalog_begin": _WRITING if writing else "BEGIN"}
    if connection.dialect.name == "postgresql":
        options["isolation_level"] = isolation
    return connection.execution_options(**options).begin()


def open_engine(catalog_url: str, *, timeout_s: float, pool_size: int = 5) -> Engine:
    """An engine for `sqlite:///path` or `postgresql://…`; connects on first use.

    A statement, a lock and a free connection are waited for `timeout_s` at most each. Raises `SettingsError`.
    """
    url = _parsed(catalog_url)
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, timeout_s)
    return _postgres(url, timeout_s, pool_size)


def shown(url: URL) -> str:
    """The catalog as a message may name it: without password."""
    return url.render_as_string(hide_password=True)


def _parsed(catalog_url: str) -> URL:
    try:
        url = make_url(catalog_url)
    except ArgumentError as error:
        raise SettingsError(f"The catalog URL {catalog_url!r} cannot be read; write sqlite:///path/to/file.") from error
    if url.drivername in {"postgres", "postgresql"}:
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername not in {"sqlite", "postgresql+psycopg"}:
        raise SettingsError(f"The catalog URL {shown(url)!r} is none of sqlite:///…, postgresql://…, https://….")
    if url.drivername == "sqlite" and url.database in {None, "", ":memory:"}:
        raise SettingsError(f"The catalog URL {catalog_url!r} names no file; write sqlite:///path/to/file.")
    return url


def _sqlite(url: URL, timeout_s: float) -> Engine:
    folder = Path(url.database or "").parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CatalogError(f"The folder {str(folder)!r} of the catalog cannot be made: {error.strerror}.") from error
    engine = create_engine(url, pool_timeout=timeout_s)

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver's own BEGIN is deferred: two writers would fail on upgrade
        connection.execute(f"PRAGMA busy_timeout={int(timeout_s * 1000)}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(
            "PRAGMA synchronous=NORMAL"
        )  # WAL: safe against kill -9; a power cut may lose the last write
        connection.execute("PRAGMA journal_size_limit=67108864")

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        how = connection.get_execution_options().get("catalog_begin")
        if how is not None:  # else one autocommitted statement
            connection.exec_driver_sql(
                f"PRAGMA cache_size=-{_WRITER_CACHE_KIB if how == _WRITING else _READER_CACHE_KIB}"
            )
            connection.exec_driver_sql(how)

    return engine


def _postgres(url: URL, timeout_s: float, pool_size: int) -> Engine:
    milliseconds = int(timeout_s * 1000)
    options = f"-c statement_timeout={milliseconds} -c lock_timeout={milliseconds}"
    given = url.query.get("options", "")
    if given:
        options = f"{given if isinstance(given, str) else ' '.join(given)} {options}"
        url = url.difference_update_query(["options"])
    connect_args: dict[str, Any] = {
        "connect_timeout": _CONNECT_TIMEOUT_S,
        "options": options,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": max(milliseconds, 1000),
    }
    try:
        connection_class = bounded_connections(timeout_s=timeout_s + _GRACE_S)
        engine = create_engine(
            url,
            pool_size=pool_size,
            max_overflow=pool_size,
            pool_timeout=timeout_s,
            pool_recycle=1800,
            isolation_level="AUTOCOMMIT",  # reads are one statement; begin_write and begin_snapshot say otherwise
            connect_args=connect_args,
        )
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise SettingsError("PostgreSQL needs its driver: pip install 'shopping-assistant[postgres]'.") from error

    @event.listens_for(engine, "do_connect")
    def _connect(_dialect: Any, _record: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        return connection_class.connect(*arguments, **keywords)

    return engine
