"""Records of one product brought together in bounded memory.

In passing where they follow each other, by a temporary database where they are scattered over the file.
"""

from __future__ import annotations

import itertools
import json
import pickle
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing

from search_client.feeds.draft import Draft

_CACHE_KIB = 32 * 1024
_BATCH = 500


def scratch() -> sqlite3.Connection:
    """A database that lives in memory while small, in a temporary file once it grows, and is gone when closed."""
    connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    return connection


class SeenIds:
    """Ids met before, in bounded memory."""

    def __init__(self) -> None:
        self._connection = scratch()
        self._connection.execute("CREATE TABLE seen (id TEXT PRIMARY KEY) WITHOUT ROWID")
        self._connection.execute("BEGIN")

    def add(self, key: str) -> bool:
        """Whether `key` is new."""
        return self._connection.execute("INSERT OR IGNORE INTO seen VALUES (?)", (key,)).rowcount == 1

    def close(self) -> None:
        self._connection.close()


def in_passing(drafts: Iterable[Draft]) -> Iterator[list[Draft]]:
    """Groups whose records follow each other; a record without a group stands alone."""
    for group, rows in itertools.groupby(drafts, key=lambda draft: draft.group):
        if group:
            yield list(rows)
        else:
            yield from ([row] for row in rows)


def gathered(drafts: Iterable[Draft], *, max_rows: int) -> Iterator[list[Draft]]:
    """Scattered groups, and parents with the records they claim; what stands alone passes through at once.

    Groups come in order of their first record, the parent before its children; children no parent claims come last,
    each alone. Of a group, at most `max_rows` records are held.
    """
    with closing(scratch()) as connection:
        _create(connection)
        for number, draft in enumerate(drafts):
            if draft.claims:
                row = (number, json.dumps(draft.claims), pickle.dumps(draft))
                connection.execute("INSERT INTO parents VALUES (?, ?, ?)", row)
            elif draft.child_of or draft.group:
                member = (number, draft.child_of or draft.group, bool(draft.child_of), pickle.dumps(draft))
                connection.execute("INSERT INTO members (seq, ref, child, data) VALUES (?, ?, ?, ?)", member)
                if draft.stands_alone and draft.child_of:
                    yield [draft]
            else:
                yield [draft]
        connection.execute("CREATE INDEX by_ref ON members (ref, child, seq)")
        yield from _families(connection, max_rows)
        yield from _groups(connection, max_rows)
        yield from _orphans(connection)


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE parents (seq INTEGER PRIMARY KEY, claims TEXT, data BLOB)")
    connection.execute(
        "CREATE TABLE members (seq INTEGER PRIMARY KEY, ref TEXT, child INTEGER, data BLOB, used INTEGER)"
    )
    connection.execute("BEGIN")


def _families(connection: sqlite3.Connection, max_rows: int) -> Iterator[list[Draft]]:
    after = -1
    while parents := connection.execute(
        "SELECT seq, claims, data FROM parents WHERE seq > ? ORDER BY seq LIMIT ?", (after, _BATCH)
    ).fetchall():
        for seq, claims, data in parents:
            after = seq
            rows: list[tuple[int, bytes]] = []
            for ref in json.loads(claims):
                rows += connection.execute(
                    "SELECT seq, data FROM members WHERE ref = ? AND child = 1 ORDER BY seq LIMIT ?", (ref, max_rows)
                ).fetchall()
            connection.executemany("UPDATE members SET used = 1 WHERE seq = ?", [(row[0],) for row in rows])
            yield [pickle.loads(data), *(pickle.loads(row[1]) for row in rows[:max_rows])]


def _groups(connection: sqlite3.Connection, max_rows: int) -> Iterator[list[Draft]]:
    after = -1
    while found := connection.execute(
        "SELECT ref, MIN(seq) AS first FROM members WHERE child = 0 "
        "GROUP BY ref HAVING first > ? ORDER BY first LIMIT ?",
        (after, _BATCH * 100),
    ).fetchall():
        for ref, first in found:
            after = first
            rows = connection.execute(
                "SELECT data FROM members WHERE ref = ? AND child = 0 ORDER BY seq LIMIT ?", (ref, max_rows)
            ).fetchall()
            yield [pickle.loads(data) for (data,) in rows]


def _orphans(connection: sqlite3.Connection) -> Iterator[list[Draft]]:
    after = -1
    while rows := connection.execute(
        "SELECT seq, data FROM members WHERE child = 1 AND used IS NULL AND seq > ? ORDER BY seq LIMIT ?",
        (after, _BATCH),
    ).fetchall():
        for seq, data in rows:
            after = seq
            draft: Draft = pickle.loads(data)
            if not draft.stands_alone:
                yield [draft]
