"""The protocol of a catalog store. The index follows it; nothing else is the truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from search_client.models import Product


@dataclass(frozen=True, slots=True)
class Change:
    """What a revision did to one product."""

    revision: int
    product_id: str
    product: Product | None
    """The record as it is now; None: deleted."""


@dataclass(frozen=True, slots=True)
class WriteReport:
    """What a write did, in products."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    deleted: int = 0
    revision: int = 0
    """The catalog's revision after the write."""


class CatalogStore(Protocol):
    """One catalog. Every write is one transaction: readers see all of it or none.

    Methods raise `SearchUnavailableError` (`SearchTimeoutError`) while the database does not answer and `CatalogError`
    when what it holds cannot be used.
    """

    def revision(self) -> int:
        """Grows with every write that changed something; 0 for an empty, never written catalog."""
        ...

    def get_many(self, product_ids: Sequence[str]) -> dict[str, Product]:
        """The current records by id; unknown ids are left out."""
        ...

    def changes_since(self, revision: int) -> Iterator[Change]:
        """Every product changed after `revision`, once, in its current state, in order of revision.

        Read from one snapshot, streamed: never more than a batch in memory. With 0: every product.
        """
        ...

    def write(self, products: Iterable[Product], *, replace: bool = False, delete: Sequence[str] = ()) -> WriteReport:
        """Upsert `products` and delete the ids in `delete`; with `replace` all that is not in `products` goes too.

        Streams its input; all or nothing; unchanged records keep their revision.
        """
        ...

    def close(self) -> None:
        """Release connections; a second call does nothing."""
        ...
