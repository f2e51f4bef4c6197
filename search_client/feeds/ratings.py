"""Files of reviews beside the products: each product's average, nothing of who wrote them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from search_client.feeds.columns import Binder, Columns
from search_client.feeds.draft import Record
from search_client.feeds.grouping import scratch
from search_client.feeds.names import normal
from search_client.feeds.words import rating

COLUMNS: Columns = {
    "product": ("sku", "product sku", "product id", "id", "product handle", "handle"),
    "rating": ("rating value", "rating", "stars", "score", "review rating"),
}
_SIGNS = frozenset(
    (
        "review",
        "reviewer",
        "review text",
        "review title",
        "rating code",
        "nickname",
        "reviewer name",
        "review body",
        "body",
    )
)
_PRODUCT_SIGNS = frozenset(("price", "regular price", "variant price", "sale price", "image src", "image link"))


def is_reviews(header: Iterable[str]) -> bool:
    """Whether the columns are those of reviews, not of products."""
    names = {normal(name) for name in header}
    return (
        len(names & _SIGNS) >= 2
        and bool(names & {"rating", "rating value", "stars", "score"})
        and not names & _PRODUCT_SIGNS
    )


class Ratings:
    """Averages by SKU or id, in bounded memory."""

    def __init__(self) -> None:
        self._connection: sqlite3.Connection = scratch()
        self._connection.execute(
            "CREATE TABLE ratings (sku TEXT PRIMARY KEY, total REAL, number INTEGER) WITHOUT ROWID"
        )
        self._connection.execute("BEGIN")
        self.count = 0

    def add(self, record: Record, binder: Binder) -> bool:
        """Takes one review into account; False where it names no product or no rating from 1 to 5."""
        fields = binder.bind(record)
        found, sku = rating(fields.text("rating")), fields.text("product")
        if not sku or found is None or not 0 < found[0] <= 5:
            return False
        self._connection.execute(
            "INSERT INTO ratings VALUES (?, ?, 1) "
            "ON CONFLICT (sku) DO UPDATE SET total = total + ?, number = number + 1",
            (sku, float(found[0]), float(found[0])),
        )
        self.count += 1
        return True

    def of(self, *keys: str | None) -> tuple[float, int] | None:
        """Average and number of the first key that has any."""
        for key in filter(None, keys) if self.count else ():
            row = self._connection.execute(
                "SELECT total / number, number FROM ratings WHERE sku = ?", (key,)
            ).fetchone()
            if row:
                return round(row[0], 2), row[1]
        return None

    def close(self) -> None:
        self._connection.close()
