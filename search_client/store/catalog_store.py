"""The protocol of a catalog store. The index follows it; nothing else is the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
    record: str = ""
    """The same as the JSON it is kept as; empty: deleted."""


@dataclass(frozen=True, slots=True)
class WriteReport:
    """What a write did, in products."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    deleted: int = 0
    revision: int = 0
    """The catalog's revision after the write."""


@dataclass(frozen=True, slots=True)
class CatalogState:
    """One catalog at one moment: all an index has to know to tell whether it is up to date."""

    catalog_id: str
    """Random, made with the schema: an index of another catalog is of no use, whatever its revision."""
    revision: int
    product_count: int
    complete_from: int = 0
    """Deletions before this revision are forgotten: an index older than it has to start anew."""
    origin: str = ""
    """What the catalog was filled with last, in the writer's own word, e.g. `demo`; empty: not told."""


class CatalogStore(Protocol):
    """One catalog. Every write is one transaction: readers see all of it or none.

    Safe to share between threads. Methods raise `SearchUnavailableError` (`SearchTimeoutError`) while the database does
    not answer and `CatalogError` when what it holds cannot be used.
    """

    def revision(self) -> int:
        """Grows with every write that changed something; 0 for an empty, never written catalog. Cheap: one row."""
        ...

    def state(self) -> CatalogState:
        """Identity, revision and size, read in one statement, as cheap as `revision`."""
        ...

    def get_many(self, product_ids: Sequence[str]) -> dict[str, Product]:
        """The current records by id; unknown ids are left out."""
        ...

    def changes_since(self, revision: int) -> Iterator[Change]:
        """Every product changed after `revision`, once, in its current state, in order of revision, ties in any.

        Read from one snapshot, streamed: never more than a batch in memory. The revision of the last one is that of
        the snapshot. With 0: every product and no deletion. Close the iterator where it is not read to its end.
        """
        ...

    def write(
        self,
        products: Iterable[Product],
        *,
        replace: bool = False,
        delete: Sequence[str] = (),
        origin: str | None = None,
        passing: Callable[[Product, str], None] | None = None,
    ) -> WriteReport:
        """Upsert `products` and delete the ids in `delete`; with `replace` all that is not in `products` goes too.

        Streams its input; all or nothing, also where reading `products` raises; unchanged records keep their revision.
        Of two products with one id the later holds. `origin` is kept where given.
        `passing` is told each product and its JSON on the way in, before anything is committed.

        Raises `InvalidRecordError` for an id or text that cannot be kept.
        """
        ...

    def close(self) -> None:
        """Release connections; a second call does nothing."""
        ...
