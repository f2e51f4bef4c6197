from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import make_url

from search_client.errors import SearchUnavailableError
from search_client.factory import open_catalog_store, open_search_client
from search_client.index.engine import Engine, IndexState
from search_client.index.storage import IndexDirectory
from search_client.local import LocalSearchClient
from search_client.models import Money, Product, SearchQuery
from search_client.settings import CatalogSettings
from search_client.store.catalog_store import CatalogState, CatalogStore
from search_client.store.sql_store import SqlCatalogStore, open_store
from tests.postgres import postgres_schema
from tests.search_client.outage import Line

MUG = Product("1", "Mug", price=Money(900, "USD"))
TENT = Product("2", "Tent", price=Money(500, "USD"))


@contextmanager
def shop() -> Iterator[tuple[str, str, Line]]:
    """A catalog's URL, the same by way of a line that can be cut, and the line."""
    with postgres_schema() as direct:
        url = make_url(direct)
        with Line((url.host or "127.0.0.1", url.port or 5432)) as line:
            yield direct, url.set(host="127.0.0.1", port=line.port).render_as_string(hide_password=False), line


@pytest.mark.postgres
def test_a_lost_database_leaves_the_search_running_and_marked_stale_until_it_is_back(tmp_path: Path) -> None:
    with shop() as (direct, through, line), closing(open_store(direct)) as store:
        store.write([MUG])
        settings = CatalogSettings(through, index_dir=tmp_path, timeout_s=60)
        with closing(open_search_client(settings)) as client:
            assert not client.search(SearchQuery(("mug",))).stale
            line.cut()
            store.write([TENT])
            while not client.search(SearchQuery(("mug",))).stale:
                pass
            assert client.search(SearchQuery(("mug",))).products == (MUG,)
            assert client.get_product_details("1") == MUG
            line.mend()
            while client.search(SearchQuery(("tent",))).products != (TENT,):
                pass
            assert not client.search(SearchQuery(("tent",))).stale


@pytest.mark.postgres
def test_a_machine_that_starts_without_the_database_searches_what_it_indexed_before(tmp_path: Path) -> None:
    with shop() as (direct, through, line):
        with closing(open_store(direct)) as store:
            store.write([MUG])
        settings = CatalogSettings(through, index_dir=tmp_path, timeout_s=60)
        open_search_client(settings).close()
        line.cut()
        with closing(open_search_client(settings)) as client:
            results = client.search(SearchQuery(("mug",)))
            assert (results.products, results.stale) == ((MUG,), True)
        with pytest.raises(SearchUnavailableError):
            open_search_client(CatalogSettings(through, index_dir=tmp_path / "other", timeout_s=60))


@pytest.mark.postgres
def test_a_database_that_has_fallen_silent_is_a_timeout_not_a_hang() -> None:
    with shop() as (direct, through, line), closing(open_store(direct)) as store:
        store.write([MUG])
        with closing(open_store(through, timeout_s=3)) as silent:
            assert silent.revision() == 1
            line.freeze()
            with pytest.raises(SearchUnavailableError):
                silent.revision()


@pytest.mark.postgres
def test_reads_come_from_the_replica_and_from_the_database_itself_while_it_is_away() -> None:
    with shop() as (direct, through, line), closing(open_store(direct, read_url=through, timeout_s=60)) as store:
        store.write([MUG])
        assert store.get_many(["1"]) == {"1": MUG}
        line.cut()
        assert store.get_many(["1"]) == {"1": MUG}
        assert store.revision() == 1
        assert [change.product for change in store.changes_since(0)] == [MUG]
        line.mend()
        assert store.get_many(["1"]) == {"1": MUG}


@pytest.mark.postgres
def test_a_database_that_is_away_at_the_start_is_only_an_error_where_it_is_needed() -> None:
    with shop() as (_, through, line):
        line.cut()
        settings = CatalogSettings(through, timeout_s=60)
        with pytest.raises(SearchUnavailableError):
            open_catalog_store(settings)
        with closing(open_catalog_store(settings, required=False)) as store:
            with pytest.raises(SearchUnavailableError):
                store.state()
            line.mend()
            assert store.write([MUG]).revision == 1


class SlowStore:
    """A store that answers when it is let; then as the store behind it, or as one that is down."""

    def __init__(self, store: SqlCatalogStore) -> None:
        self._store = store
        self.asked, self.let = threading.Event(), threading.Event()
        self.let.set()
        self.down = False

    def state(self) -> CatalogState:
        self.asked.set()
        self.let.wait()
        if self.down:
            raise SearchUnavailableError("down")
        return self._store.state()

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)


def test_no_search_waits_for_the_database(tmp_path: Path) -> None:
    with closing(open_store(f"sqlite:///{tmp_path}/catalog.sqlite")) as store:
        store.write([MUG])
        slow = SlowStore(store)
        with closing(LocalSearchClient(cast(CatalogStore, slow), tmp_path / "index", check_every_s=0.001)) as client:
            slow.let.clear()
            slow.asked.clear()
            assert client.search(SearchQuery(("mug",))).products == (MUG,)
            slow.asked.wait()
            assert client.search(SearchQuery(("mug",))).products == (MUG,)
            slow.down = True
            slow.let.set()
            while not client.search(SearchQuery(("mug",))).stale:
                pass
            assert client.get_product_details("1") == MUG
            slow.down = False
            while client.search(SearchQuery(("mug",))).stale:
                pass


def test_an_idle_machine_follows_too(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/catalog.sqlite")
    with closing(LocalSearchClient(store, tmp_path / "index", check_every_s=0.001)) as client:
        assert client.search(SearchQuery(("tent",))).total == 0
        store.write([TENT])
        wanted = IndexState(store.state().catalog_id, 1)
        while (current := IndexDirectory(tmp_path / "index").current()) is None or (
            Engine.open(current).state() != wanted
        ):
            pass
