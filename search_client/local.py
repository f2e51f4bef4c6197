"""The default catalog: a store as the truth, and a local index over it."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from search_client.analysis import DEFAULT_SYNONYMS, Synonyms
from search_client.errors import CatalogError, InvalidQueryError, ProductNotFoundError, SearchUnavailableError
from search_client.index.engine import Progress
from search_client.index.follower import Follower, Snapshot
from search_client.index.glossary import GlossaryKeeper
from search_client.index.searching import IndexReader
from search_client.index.storage import IndexDirectory
from search_client.models import ANYONE, Hit, Product, SearchQuery, SearchResults, Shopper, Vocabulary
from search_client.store.catalog_store import CatalogStore

MAX_LIMIT = 100
MAX_OFFSET = 10_000


class LocalSearchClient:
    """A `SearchClient` over a `CatalogStore` and an index directory.

    The index is brought up to date when the client is opened and follows the store from then on: a thread asks for
    changes every `check_every_s` (0: every search does), and no search waits for that. One process writes the index,
    all others reload it. An index that is damaged or of another format is built anew. While the store does not answer,
    searches go on from what was indexed last and say so (`SearchResults.stale`).
    """

    def __init__(
        self,
        store: CatalogStore,
        index_dir: Path,
        *,
        synonyms: Synonyms | None = None,
        check_every_s: float = 0.25,
        progress: Progress | None = None,
    ) -> None:
        """`progress` is called with the number of products indexed so far; the store is closed with the client.

        Raises `CatalogError`, or `SearchUnavailableError` where the store does not answer and nothing is indexed yet.
        """
        self._store = store
        self._synonyms = Synonyms.load(DEFAULT_SYNONYMS) if synonyms is None else synonyms
        self._follower = Follower(store, IndexDirectory(index_dir), check_every_s=check_every_s, progress=progress)
        self._lock = threading.Lock()
        self._keeper = GlossaryKeeper()
        self._reader: tuple[Snapshot, IndexReader] | None = None
        self._closed = False

    def search(self, query: SearchQuery, *, shopper: Shopper = ANYONE) -> SearchResults:
        if not 1 <= query.limit <= MAX_LIMIT:
            raise InvalidQueryError(f"limit {query.limit!r} is not within 1 to {MAX_LIMIT}.")
        if not 0 <= query.offset <= MAX_OFFSET:
            raise InvalidQueryError(f"offset {query.offset!r} is not within 0 to {MAX_OFFSET:,}.")
        results = self._current().search(query, shopper=shopper)
        return replace(results, stale=True) if self._follower.stale else results

    def get_product_details(self, product_id: str, *, shopper: Shopper = ANYONE) -> Product:
        product = self._recorded(self._current(), product_id)
        if product is None or not shopper.may_see(product):
            raise ProductNotFoundError(product_id)
        return product

    def alternatives(self, product_id: str, *, limit: int = 4, shopper: Shopper = ANYONE) -> tuple[Hit, ...]:
        product = self.get_product_details(product_id, shopper=shopper)
        return self._current().alternatives(product, limit=limit, shopper=shopper)

    def vocabulary(self) -> Vocabulary:
        return self._current().vocabulary()

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._follower.close()
            self._store.close()

    def _recorded(self, reader: IndexReader, product_id: str) -> Product | None:
        """The store's record; while that does not answer, the one indexed last, without waiting once it is known."""
        if not self._follower.stale:
            with suppress(SearchUnavailableError):
                return self._store.get_many([product_id]).get(product_id)
        return reader.product(product_id)

    def _current(self) -> IndexReader:
        if self._closed:
            raise CatalogError("This client is closed; open another one.")
        snapshot = self._follower.current()
        with self._lock:
            if self._reader is None or self._reader[0] != snapshot:
                revision = snapshot.state.revision
                reader = IndexReader(snapshot.engine, revision=revision, synonyms=self._synonyms, keeper=self._keeper)
                self._reader = (snapshot, reader)
            return self._reader[1]
