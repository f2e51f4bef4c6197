"""The one door to a catalog. Everything above this package sees only this protocol."""

from __future__ import annotations

from typing import Protocol

from search_client.models import ANYONE, Hit, Product, SearchQuery, SearchResults, Shopper, Vocabulary


class SearchClient(Protocol):
    """Reads a catalog. Safe to share between threads; every back-end passes the same contract suite.

    All methods raise `SearchUnavailableError` (`SearchTimeoutError`) when the back-end does not answer, and
    `CatalogError` when it can not. None of them ever shows a product that `shopper` may not see.
    """

    def search(self, query: SearchQuery, *, shopper: Shopper = ANYONE) -> SearchResults:
        """Products that meet `query`, best first, ties by id.

        Any text is safe: no query syntax exists. Values the catalog does not know come back in `unknown`; an empty
        result says in `relaxations` what emptied it. Raises `InvalidQueryError` for a limit outside 1..100 or an
        offset outside 0..10,000.
        """
        ...

    def get_product_details(self, product_id: str, *, shopper: Shopper = ANYONE) -> Product:
        """The current record. Raises `ProductNotFoundError`."""
        ...

    def alternatives(self, product_id: str, *, limit: int = 4, shopper: Shopper = ANYONE) -> tuple[Hit, ...]:
        """Products of the same kind, near in price, in stock first; without the product itself.

        Raises `ProductNotFoundError`.
        """
        ...

    def vocabulary(self) -> Vocabulary:
        """What the catalog open to everybody talks about; cached by revision, cheap to call every turn."""
        ...

    def close(self) -> None:
        """Release files and connections; a second call does nothing."""
        ...
