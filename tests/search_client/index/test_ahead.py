from __future__ import annotations

import marshal
import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from search_client.codec import dump_product
from search_client.index import ahead
from search_client.index.ahead import AheadBuild, Builder
from search_client.index.document import document_of, make_document, noted_document
from search_client.index.storage import IndexDirectory
from search_client.local import LocalSearchClient
from search_client.models import Product, SearchQuery
from search_client.store.sql_store import SqlCatalogStore, open_store
from tests.search_client.shop import SHOP

MUGS = tuple(Product(f"p{number}", f"Mug number {number}") for number in range(40))


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "_FEW", 10)
    monkeypatch.setattr(ahead, "_BATCH", 3)


def opened(tmp_path: Path) -> tuple[SqlCatalogStore, IndexDirectory]:
    return open_store(f"sqlite:///{tmp_path}/catalog.sqlite"), IndexDirectory(tmp_path / "index")


def generations(tmp_path: Path) -> list[str]:
    return [path.name for path in (tmp_path / "index").glob("generation-*")]


def broken_off() -> Iterator[Product]:
    yield from MUGS[:30]
    raise OSError("the feed broke off")


@pytest.mark.parametrize("behind", [False, True])
def test_an_index_built_ahead_is_current_as_soon_as_the_catalog_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, behind: bool
) -> None:
    monkeypatch.setattr(Builder, "is_behind", lambda _: behind)
    store, directory = opened(tmp_path)
    with AheadBuild(directory, catalog_id=store.state().catalog_id) as building:
        revision = store.write(MUGS, passing=building.take).revision
        assert building.sent == len(MUGS)
        assert building.publish(revision=revision)
    built = generations(tmp_path)
    indexed: list[int] = []
    with closing(LocalSearchClient(store, tmp_path / "index", progress=indexed.append)) as client:
        assert client.search(SearchQuery(("mug",))).total == len(MUGS)
        assert client.vocabulary().revision == revision
        assert generations(tmp_path) == built
        store.write([Product("new", "Mug of glass")])
        assert client.search(SearchQuery(("glass",))).total in {0, 1}


def test_few_products_are_not_worth_another_process(tmp_path: Path) -> None:
    store, directory = opened(tmp_path)
    with AheadBuild(directory, catalog_id=store.state().catalog_id) as building:
        revision = store.write(MUGS[:9], passing=building.take).revision
        assert not building.publish(revision=revision)
    assert generations(tmp_path) == []
    store.close()


def test_a_feed_that_breaks_off_leaves_no_index_behind(tmp_path: Path) -> None:
    store, directory = opened(tmp_path)
    with pytest.raises(OSError, match="broke"), AheadBuild(directory, catalog_id="x") as building:
        store.write(broken_off(), passing=building.take)
    assert generations(tmp_path) == []
    store.close()


def test_a_lost_process_only_means_that_the_index_is_built_later(tmp_path: Path) -> None:
    store, directory = opened(tmp_path)
    with AheadBuild(directory, catalog_id=store.state().catalog_id) as building:
        for mug in MUGS[:10]:
            building.take(mug, dump_product(mug))
        assert building._builder is not None
        assert building._builder.process.pid is not None
        os.kill(building._builder.process.pid, signal.SIGKILL)
        building._builder.process.join()
        for mug in MUGS * 50:
            building.take(mug, dump_product(mug))
        assert not building.publish(revision=1)
    assert generations(tmp_path) == []
    store.close()


def test_while_another_process_writes_the_index_nothing_is_built_ahead(tmp_path: Path) -> None:
    store, directory = opened(tmp_path)
    with directory.writing() as granted, AheadBuild(directory, catalog_id="x") as building:
        assert granted
        for mug in MUGS:
            building.take(mug, dump_product(mug))
        assert not building.publish(revision=1)
    store.close()


def test_a_document_made_from_what_another_process_noted_is_the_same() -> None:
    for product in SHOP:
        notes = marshal.loads(marshal.dumps(noted_document(product, b"packed")))
        assert document_of(notes).to_dict() == make_document(product, b"packed").to_dict()
