"""What operators look at: one row a turn with how it was decided, and what shoppers did not find."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    Engine,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    delete,
    func,
    select,
)

from web.errors import StoreUnavailableError
from web.store.engine import reading
from web.store.schema import conversations, metadata, turns

log = logging.getLogger(__name__)

turn_traces = Table(
    "turn_traces",
    metadata,
    Column("turn_id", String(32), primary_key=True),
    Column("conversation_id", ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
    Column("at", Float, nullable=False),
    Column("action", String(16), nullable=False),
    Column("model", String(80), nullable=False),
    Column("outcome", String(16), nullable=False),
    Column("wish", Text, nullable=False, comment="the keywords of a search, lower case"),
    Column("found", Integer, comment="products found; NULL: not a search"),
    Column("emptied_by", Text, comment="the wish whose removal brings most products back"),
    Column("detail", JSON, nullable=False),
    Index("turn_traces_by_time", "at"),
)
by_conversation = Index("turn_traces_by_conversation", turn_traces.c.conversation_id)
"""Without it a conversation that is deleted makes the database read all traces."""

MAX_ROWS = 200


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """One traced turn."""

    turn_id: str
    at: float
    action: str
    model: str
    outcome: str
    wish: str
    found: int | None
    emptied_by: str | None
    detail: Mapping[str, Any]
    message: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """How often something happened since a moment, most often first."""

    name: str
    rows: tuple[tuple[str, int], ...]


class TraceStore:
    """Traces in the web app's database; they go when their conversation goes.

    They are written together, `wait_s` after the first of them, and before any is read: no turn waits for the disk on
    their behalf. A process that is killed loses those that waited.
    """

    def __init__(self, engine: Engine, *, wait_s: float = 1.0) -> None:
        self._engine = engine
        self._wait_s = wait_s
        self._waiting: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()
        self._writing = threading.Lock()

    def add(self, record: TraceRecord, *, conversation_id: str) -> None:
        """Keep a trace; a retried turn replaces its own. A conversation that is gone gets none."""
        row = {
            "turn_id": record.turn_id,
            "conversation_id": conversation_id,
            "at": record.at,
            "action": record.action,
            "model": record.model[:80],
            "outcome": record.outcome,
            "wish": record.wish,
            "found": record.found,
            "emptied_by": record.emptied_by,
            "detail": dict(record.detail),
        }
        with self._lock:
            first = not self._waiting
            self._waiting[record.turn_id] = row
        if first:
            threading.Timer(self._wait_s, self.flush).start()  # no daemon: a process that ends waits for it

    def flush(self) -> None:
        """Write what waits. A database that does not answer costs the traces, never a turn."""
        with self._writing:  # who comes second finds all of it written
            with self._lock:
                rows, self._waiting = list(self._waiting.values()), {}
            if not rows:
                return
            try:
                with self._engine.begin() as db:
                    self._write(db, rows)
            except StoreUnavailableError as error:
                log.warning("%d traces were not kept: %s", len(rows), error)

    def _write(self, db: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Those whose conversation still is; it stays until they are written."""
        wanted = {row["conversation_id"] for row in rows}
        still = (
            select(conversations.c.id).where(conversations.c.id.in_(wanted)).with_for_update(read=True, key_share=True)
        )
        there = set(db.scalars(still))
        kept = [row for row in rows if row["conversation_id"] in there]
        db.execute(delete(turn_traces).where(turn_traces.c.turn_id.in_([row["turn_id"] for row in kept])))
        if kept:
            db.execute(turn_traces.insert(), kept)

    def recent(self, *, before: float | None = None) -> list[TraceRecord]:
        """The latest traces, newest first, at most 200, with their messages; `before`: an instant to page on from."""
        query = select(turn_traces, turns.c.message).join(turns, turns.c.id == turn_traces.c.turn_id)
        if before is not None:
            query = query.where(turn_traces.c.at < before)
        self.flush()
        with reading(self._engine) as db:
            rows = db.execute(query.order_by(turn_traces.c.at.desc()).limit(MAX_ROWS)).mappings().all()
        return [_record(row) for row in rows]

    def one(self, turn_id: str) -> TraceRecord | None:
        """The trace of a turn."""
        query = select(turn_traces, turns.c.message).join(turns, turns.c.id == turn_traces.c.turn_id)
        self.flush()
        with reading(self._engine) as db:
            row = db.execute(query.where(turn_traces.c.turn_id == turn_id)).mappings().one_or_none()
        return _record(row) if row else None

    def insights(self, *, since: float) -> tuple[Tally, ...]:
        """What shoppers wished, did not find and did not like since an instant (seconds since the epoch)."""
        table, recent = turn_traces.c, turn_traces.c.at >= since
        wished = table.wish != ""
        named = (
            ("searches_without_result", table.wish, wished & (table.found == 0)),
            ("filters_that_emptied", table.emptied_by, table.emptied_by.is_not(None)),
            ("popular_wishes", table.wish, wished),
            ("outcomes", table.outcome, table.outcome != ""),
        )
        self.flush()
        with reading(self._engine) as db:
            tallies = [
                Tally(
                    name,
                    tuple(
                        (str(value), int(count))
                        for value, count in db.execute(
                            select(column, func.count())
                            .where(recent, condition)
                            .group_by(column)
                            .order_by(func.count().desc(), column)
                            .limit(MAX_ROWS)
                        )
                    ),
                )
                for name, column, condition in named
            ]
            disliked = (
                select(turns.c.rating_reason, func.count())
                .where(turns.c.created_at >= since, turns.c.rating == -1)
                .group_by(turns.c.rating_reason)
                .order_by(func.count().desc(), turns.c.rating_reason)
                .limit(MAX_ROWS)
            )
            reasons = tuple((reason or "no reason given", int(count)) for reason, count in db.execute(disliked))
        return (*tallies, Tally("thumbs_down", reasons))


def _record(row: Mapping[Any, Any]) -> TraceRecord:
    names = ("turn_id", "at", "action", "model", "outcome", "wish", "found", "emptied_by", "detail", "message")
    return TraceRecord(**{name: row[name] for name in names})
