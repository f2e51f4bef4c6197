"""One suite over every catalog store: a new back-end only adds a parameter."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from search_client.errors import CatalogError, InvalidRecordError
from search_client.models import Money, Product
from search_client.store.catalog_store import CatalogStore, WriteReport
from search_client.store.engine import begin_write, open_engine
from search_client.store.postgres import lift_limits
from search_client.store.schema import state
from search_client.store.sql_store import SqlCatalogStore, open_store
from tests.postgres import postgres_schema

MUG, CUP, JAR = (
    Product(id_, title, price=Money(900, "USD")) for id_, title in (("1", "Mug"), ("2", "Cup"), ("3", "Jar"))
)
MANY = tuple(Product(f"p{number:05}", f"Product {number}") for number in range(2_500))


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def catalog_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/catalog.sqlite"
        return
    with postgres_schema() as url:
        yield url


@pytest.fixture
def store(catalog_url: str) -> Iterator[SqlCatalogStore]:
    with closing(open_store(catalog_url)) as opened:
        yield opened


def held(store: CatalogStore) -> dict[str, Product]:
    return {change.product_id: change.product for change in store.changes_since(0) if change.product}


def test_a_new_catalog_is_empty_and_has_an_identity(store: CatalogStore) -> None:
    assert store.revision() == 0
    assert store.state().product_count == 0
    assert store.state().catalog_id
    assert held(store) == {}


def test_what_is_written_is_read_back_and_unknown_ids_are_left_out(store: CatalogStore) -> None:
    assert store.write([MUG, CUP]) == WriteReport(added=2, revision=1)
    assert store.get_many(["1", "nope", "1"]) == {"1": MUG}
    assert store.get_many([]) == {}
    assert held(store) == {"1": MUG, "2": CUP}
    assert store.state().product_count == 2


def test_writing_the_same_again_changes_nothing(store: CatalogStore) -> None:
    store.write([MUG, CUP])
    assert store.write([CUP, MUG]) == WriteReport(unchanged=2, revision=1)
    assert list(store.changes_since(1)) == []
    assert store.write([]) == WriteReport(revision=1)


def test_only_what_changed_gets_a_new_revision(store: CatalogStore) -> None:
    store.write([MUG, CUP])
    dearer = replace(MUG, price=Money(1000, "USD"))
    assert store.write([dearer, CUP, JAR]) == WriteReport(added=1, updated=1, unchanged=1, revision=2)
    assert {change.product_id: (change.revision, change.product) for change in store.changes_since(1)} == {
        "1": (2, dearer),
        "3": (2, JAR),
    }


def test_a_deleted_product_is_told_as_a_change_until_it_comes_back(store: CatalogStore) -> None:
    store.write([MUG, CUP])
    assert store.write([], delete=["1", "1", "nope"]) == WriteReport(deleted=1, revision=2)
    assert [(change.product_id, change.product) for change in store.changes_since(1)] == [("1", None)]
    assert store.get_many(["1"]) == {}
    assert held(store) == {"2": CUP}
    assert store.write([MUG]) == WriteReport(added=1, revision=3)
    assert store.state().product_count == 2


def test_a_product_both_written_and_deleted_is_kept(store: CatalogStore) -> None:
    store.write([MUG])
    assert store.write([MUG, CUP], delete=["1", "2"]) == WriteReport(added=1, unchanged=1, revision=2)


def test_a_replacement_removes_what_is_not_in_it(store: CatalogStore) -> None:
    store.write([MUG, CUP])
    report = store.write([CUP, JAR], replace=True)
    assert report == WriteReport(added=1, unchanged=1, deleted=1, revision=2)
    assert held(store) == {"2": CUP, "3": JAR}
    assert {change.product_id for change in store.changes_since(1)} == {"1", "3"}
    assert store.write([], replace=True) == WriteReport(deleted=2, revision=3)


def test_of_two_products_with_one_id_the_later_holds(store: CatalogStore) -> None:
    later = replace(MUG, title="Later mug")
    store.write([MUG, later])
    assert held(store) == {"1": later}
    store.write([MUG, CUP, later, MUG], replace=True)
    assert held(store) == {"1": MUG, "2": CUP}


def test_ids_that_differ_in_case_accents_or_zeros_are_different_products(store: CatalogStore) -> None:
    ids = ["a", "A", "á", "44.310", "44.31", "007", "7", "a b", "%", "'"]
    store.write([Product(id_, "Thing") for id_ in ids])
    assert set(store.get_many(ids)) == set(ids)


def test_any_text_survives(store: CatalogStore) -> None:
    odd = Product("odd", "🛋️ 沙发 \\N \t \"quoted\" 'x' \\. %s", description="a\nb\r\nc\\u0000\x00")
    store.write([odd])
    assert store.get_many(["odd"]) == {"odd": odd}
    store.write([replace(odd, id="odd2")], replace=True)
    assert store.get_many(["odd2"]) == {"odd2": replace(odd, id="odd2")}


def test_many_products_stream_through_and_only_the_changed_count(store: CatalogStore) -> None:
    assert store.write(MANY) == WriteReport(added=2_500, revision=1)
    changed = [replace(product, title="New") for product in MANY[:1_200]]
    assert store.write([*changed, *MANY[1_200:], MUG], delete=["p00000"]) == WriteReport(
        added=1, updated=1_200, unchanged=1_300, revision=2
    )
    assert len(list(store.changes_since(1))) == 1_201
    assert len(store.get_many([product.id for product in MANY])) == 2_500
    assert store.write(MANY[:1_500], delete=["1", "p02000", "nope"]).deleted == 2
    assert store.state().product_count == 2_499


def test_changes_come_in_order_of_revision(store: CatalogStore) -> None:
    store.write([MUG, CUP, JAR])
    store.write([replace(MUG, title="x")])
    store.write([replace(JAR, title="x")])
    assert [change.product_id for change in store.changes_since(0)] == ["2", "1", "3"]


@pytest.mark.parametrize("replacing", [False, True])
def test_a_feed_that_fails_on_the_way_changes_nothing(store: CatalogStore, replacing: bool) -> None:
    def broken() -> Iterator[Product]:
        yield from MANY
        raise OSError("the feed broke off")

    store.write([MUG])
    with pytest.raises(OSError, match="broke off"):
        store.write(broken(), replace=replacing)
    assert held(store) == {"1": MUG}
    assert store.write([CUP]).revision == 2


@pytest.mark.parametrize("bad", [Product("", "No id"), Product("a\x00b", "Zero"), Product("s", "Half a pair \ud83d")])
def test_a_record_that_cannot_be_kept_is_refused_and_changes_nothing(store: CatalogStore, bad: Product) -> None:
    with pytest.raises(InvalidRecordError):
        store.write([MUG, bad])
    assert store.revision() == 0


def test_a_reader_keeps_its_moment_while_the_catalog_is_replaced(store: CatalogStore) -> None:
    store.write(MANY)
    changes = store.changes_since(0)
    first = next(changes)
    store.write([MUG], replace=True)
    assert {first.product_id, *(change.product_id for change in changes)} == {product.id for product in MANY}
    assert held(store) == {"1": MUG}


def test_a_reading_given_up_early_holds_nothing(store: CatalogStore) -> None:
    store.write(MANY)
    for _ in range(30):  # more often than there are connections
        with closing(store.changes_since(0)) as changes:  # type: ignore[type-var]
            next(changes)
    assert store.write([MUG]).added == 1


def test_another_process_sees_the_same_catalog(store: CatalogStore, catalog_url: str) -> None:
    with closing(open_store(catalog_url)) as other:
        revision = store.write([MUG]).revision
        assert other.revision() == revision
        assert other.get_many(["1"]) == {"1": MUG}
        assert other.state() == store.state()


def test_writers_at_once_lose_nothing(store: CatalogStore, catalog_url: str) -> None:
    def add(number: int) -> None:
        with closing(open_store(catalog_url)) as mine:
            for item in range(5):
                mine.write([Product(f"{number}-{item}", "Thing"), Product("shared", f"by {number}, {item}")])

    threads = [threading.Thread(target=add, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.state().product_count == 21
    assert store.revision() == 20


def test_deletions_long_ago_are_forgotten_and_an_old_index_is_told(
    store: CatalogStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("search_client.store.writing._KEPT_DELETIONS", 2)
    store.write([MUG, CUP, JAR])
    store.write([MUG, CUP], replace=True)
    store.write([Product("9", "Nine")], replace=True)
    assert store.state().complete_from == 2
    assert {change.product_id: change.product is None for change in store.changes_since(2)} == {
        "1": True,
        "2": True,
        "9": False,
    }
    with pytest.raises(CatalogError, match="before revision 2"):
        list(store.changes_since(1))
    assert set(held(store)) == {"9"}


def test_what_the_catalog_was_filled_with_is_kept_until_said_anew(store: CatalogStore) -> None:
    assert store.state().origin == ""
    store.write([MUG], origin="demo")
    store.write([CUP])
    assert store.state().origin == "demo"
    store.write([CUP], replace=True, origin="")
    assert store.state().origin == ""


def test_closing_twice_does_nothing(catalog_url: str) -> None:
    store = open_store(catalog_url)
    store.close()
    store.close()


@pytest.mark.postgres
def test_an_import_killed_in_the_middle_of_a_statement_does_not_hold_up_the_next_write() -> None:
    with postgres_schema() as url, closing(open_store(url, timeout_s=60)) as store:
        engine = open_engine(url, timeout_s=60)
        with engine.connect() as connection:
            begin_write(connection)
            lift_limits(connection)
            connection.execute(select(state).with_for_update())
            driver = connection.connection.driver_connection
            assert driver is not None
            driver.pgconn.send_query(b"SELECT pg_sleep(600)")
            with socket.socket(fileno=os.dup(driver.pgconn.socket)) as wire:
                wire.shutdown(socket.SHUT_RDWR)  # as the kernel does for a killed process
            assert store.write([MUG]).added == 1
            connection.invalidate()
