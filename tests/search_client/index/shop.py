"""A shop for one test: rows in, ids out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from search_client.local import LocalSearchClient
from search_client.models import Product, SearchQuery, SearchResults
from search_client.store.sql_store import open_store

Shop = Callable[..., "Counter"]


class Counter:
    """Where one asks."""

    def __init__(self, client: LocalSearchClient) -> None:
        self.client = client

    def ask(self, text: str, **wishes: object) -> SearchResults:
        query = SearchQuery((text,), limit=50)
        return self.client.search(replace(query, **wishes))  # type: ignore[arg-type]  # fields of SearchQuery

    def ids(self, text: str, **wishes: object) -> list[str]:
        return [hit.product.id for hit in self.ask(text, **wishes)]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    """Opens a shop that sells the given products; a bare title becomes a product with its position as id, from 1."""
    opened: list[LocalSearchClient] = []

    def open_shop(*goods: Product | str) -> Counter:
        folder = tmp_path / f"shop{len(opened)}"
        folder.mkdir()
        store = open_store(f"sqlite:///{folder / 'catalog.sqlite'}")
        store.write(
            Product(id=str(number), title=each) if isinstance(each, str) else each
            for number, each in enumerate(goods, start=1)
        )
        opened.append(LocalSearchClient(store, folder / "index", check_every_s=0))
        return Counter(opened[-1])

    yield open_shop
    for client in opened:
        client.close()
