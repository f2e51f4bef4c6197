"""The back-ends that keep the `SearchClient` contract; another one adds a line to `BACK_ENDS`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from search_client.client import SearchClient
from search_client.local import LocalSearchClient
from search_client.models import Product
from search_client.store.sql_store import open_store
from search_client.testing import FakeSearchClient
from search_client.wrappers import BreakingSearchClient, CachingSearchClient, RetryingSearchClient
from tests.postgres import postgres_schema
from tests.search_client.service import ServedClient

OpenClient = Callable[[Sequence[Product], Path], SearchClient]
"""Makes a client over exactly these products; a folder of its own is there for files."""


def open_local(products: Sequence[Product], folder: Path) -> SearchClient:
    store = open_store(f"sqlite:///{folder / 'catalog.db'}")
    store.write(products)
    return LocalSearchClient(store, folder / "index", check_every_s=0)


def open_fake(products: Sequence[Product], _folder: Path) -> SearchClient:
    return FakeSearchClient(products)


def open_http(products: Sequence[Product], folder: Path) -> SearchClient:
    return ServedClient(open_local(products, folder), api_key="key", sent_key="key")


def open_wrapped(products: Sequence[Product], folder: Path) -> SearchClient:
    return CachingSearchClient(BreakingSearchClient(RetryingSearchClient(open_local(products, folder))))


class _OnPostgres(LocalSearchClient):
    """Drops its schema when it is closed."""

    def __init__(self, products: Sequence[Product], folder: Path) -> None:
        self._schema = postgres_schema()
        store = open_store(self._schema.__enter__())
        store.write(products)
        super().__init__(store, folder / "index", check_every_s=0)

    def close(self) -> None:
        super().close()
        self._schema.__exit__(None, None, None)


BACK_ENDS: dict[str, OpenClient] = {
    "local": open_local,
    "fake": open_fake,
    "http": open_http,
    "wrapped": open_wrapped,
    "postgres": _OnPostgres,
}
