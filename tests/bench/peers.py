"""What a shop would search with instead: SQLite's FTS5 and PostgreSQL's full text, filled with the same products."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from search_client.models import Product, SearchQuery

POSTGRES_URL = "postgresql://postgres@127.0.0.1:5432/test"
_SCHEMA = "bench_search"
_TITLE_WEIGHT = 3


class Peer(Protocol):
    """Gives ids for the words and the highest price of a query."""

    name: str

    def fill(self, products: Iterable[Product]) -> None: ...

    def ids(self, query: SearchQuery, *, all_words: bool) -> Sequence[str]: ...

    def close(self) -> None: ...


class Fts5:
    """FTS5 over title and description, ranked by bm25 with the title weighted, prices in the table beside it."""

    name = f"SQLite FTS5 {sqlite3.sqlite_version}"

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(path)
        self._database.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
            "CREATE TABLE products(n INTEGER PRIMARY KEY, id TEXT, title TEXT, description TEXT, price INTEGER);"
            "CREATE VIRTUAL TABLE words USING fts5(title, description, content='products', content_rowid='n');"
        )

    def fill(self, products: Iterable[Product]) -> None:
        with self._database:
            rows = ((p.id, p.title, p.description, p.price.amount_minor if p.price else None) for p in products)
            self._database.executemany("INSERT INTO products(id, title, description, price) VALUES (?, ?, ?, ?)", rows)
            self._database.execute("INSERT INTO words(words) VALUES ('rebuild')")

    def ids(self, query: SearchQuery, *, all_words: bool) -> Sequence[str]:
        words = (" " if all_words else " OR ").join(f'"{word}"' for word in _words(query))
        found = self._database.execute(
            "SELECT id FROM words JOIN products ON n = words.rowid WHERE words MATCH ? AND price <= ? "
            f"ORDER BY bm25(words, {_TITLE_WEIGHT}, 1) LIMIT ?",
            (words, _highest(query), query.limit),
        )
        return [str(row[0]) for row in found]

    def close(self) -> None:
        self._database.close()


class PostgresText:
    """A tsvector with the title weighted, GIN, ranked by ts_rank."""

    name = "PostgreSQL"

    def __init__(self, url: str = POSTGRES_URL) -> None:
        import psycopg

        self._database = psycopg.connect(url, autocommit=True)
        self._database.execute(f"DROP SCHEMA IF EXISTS {_SCHEMA} CASCADE; CREATE SCHEMA {_SCHEMA};".encode())
        self._database.execute(
            f"CREATE UNLOGGED TABLE {_SCHEMA}.products(id text, title text, description text, price bigint)".encode()
        )

    def fill(self, products: Iterable[Product]) -> None:
        copy = f"COPY {_SCHEMA}.products FROM STDIN".encode()
        with self._database.cursor() as cursor, cursor.copy(copy) as rows:
            for product in products:
                rows.write_row(
                    (product.id, product.title, product.description, product.price and product.price.amount_minor)
                )
        vector = "setweight(to_tsvector('simple', title), 'A') || to_tsvector('simple', description)"
        self._database.execute(
            f"ALTER TABLE {_SCHEMA}.products ADD COLUMN words tsvector GENERATED ALWAYS AS ({vector}) STORED;"
            f"CREATE INDEX ON {_SCHEMA}.products USING gin(words); ANALYZE {_SCHEMA}.products;".encode()
        )

    def ids(self, query: SearchQuery, *, all_words: bool) -> Sequence[str]:
        words = (" & " if all_words else " | ").join(f"'{word}'" for word in _words(query))
        found = self._database.execute(
            f"SELECT id FROM {_SCHEMA}.products, to_tsquery('simple', %s) wanted WHERE words @@ wanted AND price <= %s "
            "ORDER BY ts_rank(words, wanted) DESC LIMIT %s".encode(),
            (words, _highest(query), query.limit),
        )
        return [str(row[0]) for row in found]

    def close(self) -> None:
        self._database.execute(f"DROP SCHEMA IF EXISTS {_SCHEMA} CASCADE".encode())
        self._database.close()


def _words(query: SearchQuery) -> list[str]:
    return re.findall(r"\w+", query.text.lower())


def _highest(query: SearchQuery) -> int:
    return 10**12 if query.filters.max_price is None else round(query.filters.max_price * 100)
