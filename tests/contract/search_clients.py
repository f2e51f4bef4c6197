"""The back-ends that keep the `SearchClient` contract; another one adds a line to `BACK_ENDS`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from search_client.client import SearchClient
from search_client.local import LocalSearchClient
from search_client.models import Product
from search_client.store.sql_store import open_store
from search_client.testing import FakeSearchClient

OpenClient = Callable[[Sequence[Product], Path], SearchClient]
"""Makes a client over exactly these products; a folder of its own is there for files."""


def open_local(products: Sequence[Product], folder: Path) -> SearchClient:
    store = open_store(f"sqlite:///{folder / 'catalog.db'}")
    store.write(products)
    return LocalSearchClient(store, folder / "index", check_every_s=0)


def open_fake(products: Sequence[Product], _folder: Path) -> SearchClient:
    return FakeSearchClient(products)


BACK_ENDS: dict[str, OpenClient] = {"local": open_local, "fake": open_fake}
