from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from psycopg import errors as psycopg_errors
from sqlalchemy import exc, text

from search_client.errors import CatalogError, SearchClientError, SearchTimeoutError, SearchUnavailableError
from search_client.models import Product
from search_client.store.faults import translate
from search_client.store.sql_store import open_store
from tests.postgres import postgres_schema

MUG = Product("1", "Mug")


def vendor_errors() -> Iterator[exc.DBAPIError]:
    """One error of every class PostgreSQL's driver knows, as SQLAlchemy wraps it."""
    for kind in vars(psycopg_errors).values():
        if isinstance(kind, type) and issubclass(kind, psycopg_errors.Error) and kind.__init__ is not object.__init__:
            wrapper = next(
                (getattr(exc, base.__name__) for base in kind.__mro__ if hasattr(exc, base.__name__)), exc.DBAPIError
            )
            yield wrapper("SELECT secret", {"password": "hunter2"}, kind("boom"))


def test_every_error_of_the_driver_becomes_one_of_ours_without_statement_or_parameters() -> None:
    translated = [translate(error, "postgresql://host/shop") for error in vendor_errors()]
    assert len(translated) > 200
    assert all(isinstance(error, SearchClientError) for error in translated)
    assert not any("secret" in str(error) or "hunter2" in str(error) for error in translated)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (psycopg_errors.QueryCanceled("canceling statement due to statement timeout"), SearchTimeoutError),
        (psycopg_errors.LockNotAvailable("lock"), SearchTimeoutError),
        (psycopg_errors.ConnectionTimeout("connect"), SearchTimeoutError),
        (psycopg_errors.AdminShutdown("terminating"), SearchUnavailableError),
        (psycopg_errors.TooManyConnections("slots"), SearchUnavailableError),
        (psycopg_errors.OperationalError("server closed the connection"), SearchUnavailableError),
        (psycopg_errors.UndefinedTable("catalog_state"), CatalogError),
        (psycopg_errors.InsufficientPrivilege("products"), CatalogError),
        (psycopg_errors.DataCorrupted("page"), CatalogError),
    ],
)
def test_what_may_pass_by_itself_is_told_from_what_will_not(error: Exception, expected: type[Exception]) -> None:
    wrapper = exc.OperationalError if isinstance(error, psycopg_errors.OperationalError) else exc.ProgrammingError
    assert type(translate(wrapper("", {}, error), "shop")) is expected


def test_a_drained_pool_is_a_timeout_and_a_misuse_is_none() -> None:
    assert isinstance(translate(exc.TimeoutError("pool"), "shop"), SearchTimeoutError)
    assert isinstance(translate(exc.NoResultFound("no row"), "shop"), CatalogError)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    path.write_text("id,title\n1,Mug\n" * 200, encoding="utf-8")
    with pytest.raises(CatalogError, match="cannot be used: file is not a database"):
        open_store(f"sqlite:///{path}")


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    with closing(open_store(f"sqlite:///{path}")) as store:
        store.write(Product(f"p{number}", "Thing " * 50) for number in range(3_000))
    data = bytearray(path.read_bytes())
    data[8_192:200_000] = b"\xff" * (200_000 - 8_192)
    path.write_bytes(bytes(data))
    with pytest.raises(CatalogError), closing(open_store(f"sqlite:///{path}")) as store:
        list(store.changes_since(0))


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/catalog.sqlite"
    with closing(open_store(url)) as store:
        store.write([MUG])
        with closing(sqlite3.connect(tmp_path / "catalog.sqlite")) as vandal, vandal:
            vandal.execute("UPDATE catalog_products SET payload = '{'")
        with pytest.raises(CatalogError, match=r"Product '1' in the catalog .* is damaged"):
            store.get_many(["1"])


def test_a_writer_waits_for_another_only_so_long(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/catalog.sqlite"
    with closing(open_store(url, timeout_s=0.01)) as store, closing(sqlite3.connect(tmp_path / "catalog.sqlite")) as db:
        db.execute("BEGIN IMMEDIATE")
        with pytest.raises(SearchTimeoutError, match="being written by another process"):
            store.write([MUG])
        assert store.revision() == 0
        db.rollback()
        assert store.write([MUG]).revision == 1


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(CatalogError, match=r"The folder .*file/shop' of the catalog cannot be made"):
        open_store(f"sqlite:///{tmp_path}/file/shop/catalog.sqlite")


def test_a_server_that_is_not_there_is_unavailable_and_its_password_is_not_told() -> None:
    url = "postgresql://shop:hunter2@127.0.0.1:1/shop"
    with pytest.raises(SearchUnavailableError) as caught:
        open_store(url)
    assert "hunter2" not in str(caught.value)
    with closing(open_store(url, required=False)) as store, pytest.raises(SearchUnavailableError):
        store.revision()


@pytest.mark.postgres
def test_a_statement_that_takes_too_long_is_a_timeout() -> None:
    with postgres_schema() as url, closing(open_store(url, timeout_s=1)) as store:
        with pytest.raises(SearchTimeoutError, match="statement timeout"):
            store._read(lambda connection: connection.execute(text("SELECT pg_sleep(20)")))
        assert store.revision() == 0


@pytest.mark.postgres
def test_a_restart_of_the_server_between_two_reads_goes_unnoticed() -> None:
    with postgres_schema() as url, closing(open_store(url)) as operator:
        name = url.rpartition("test_")[2]
        with closing(open_store(f"{url}&application_name={name}")) as store:
            store.write([MUG])
            end = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = :name")
            assert operator._read(lambda connection: len(connection.execute(end, {"name": name}).all())) == 1
            assert store.revision() == 1


def test_bytes_that_are_no_text_are_a_damaged_catalog(tmp_path: Path) -> None:
    with closing(open_store(f"sqlite:///{tmp_path}/catalog.sqlite")) as store:
        store.write([MUG])
        with closing(sqlite3.connect(tmp_path / "catalog.sqlite")) as vandal, vandal:
            vandal.execute("UPDATE catalog_products SET payload = CAST(x'ff7b' AS TEXT)")
        with pytest.raises(CatalogError):
            store.get_many(["1"])
