"""Which random ids the server has given out, and whose conversations they open."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Column, Engine, Float, String, Table, bindparam, delete, insert, or_, select, update

from web.store.engine import read
from web.store.schema import metadata

_SEEN_EVERY_S = 300.0  # a row written on every request would make each page view wait for the disk

sessions = Table(
    "sessions",
    metadata,
    Column("digest", String(64), primary_key=True, comment="SHA-256 of the id: a stolen table opens no session"),
    Column("owner", String(64), nullable=False),
    Column("shopper_id", String(128)),
    Column("created_at", Float, nullable=False),
    Column("seen_at", Float, nullable=False, index=True),
)

_LIVE = select(sessions).where(  # built once: see `statements`
    sessions.c.digest == bindparam("digest"),
    sessions.c.seen_at >= bindparam("seen_since"),
    sessions.c.created_at >= bindparam("created_since"),
)
_START = insert(sessions)


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """One browser that the server knows."""

    owner: str
    """Key of its conversations, cart and saved products."""
    shopper_id: str | None
    """Who the host shop said it is; None: anonymous."""


def _digest(session_id: str) -> str:
    return hashlib.sha256(session_id.encode()).hexdigest()


class SessionStore:
    """Sessions in the web app's database. They end `idle_s` after the last use, and `absolute_s` after the start."""

    def __init__(
        self,
        engine: Engine,
        *,
        idle_s: float = 30 * 86400.0,
        absolute_s: float = 180 * 86400.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._engine = engine
        self._idle_s = idle_s
        self._absolute_s = absolute_s
        self._clock = clock

    def find(self, session_id: str) -> SessionRecord | None:
        """The session, or None for an id that was never given out or has ended."""
        now = self._clock()
        rows = read(
            self._engine,
            _LIVE,
            digest=_digest(session_id),
            seen_since=now - self._idle_s,
            created_since=now - self._absolute_s,
        )
        if not rows:
            return None
        row = rows[0]
        if row.seen_at < now - _SEEN_EVERY_S:
            with self._engine.begin() as db:
                db.execute(update(sessions).where(sessions.c.digest == row.digest).values(seen_at=now))
        return SessionRecord(row.owner, row.shopper_id)

    def start(self, *, shopper_id: str | None = None, owner: str | None = None, instead_of: str | None = None) -> str:
        """A new session; gives its id, 128 random bits in hex. `instead_of` ends an older id (rotation)."""
        new, now = secrets.token_hex(16), self._clock()
        with self._engine.begin() as db:
            if instead_of is not None:
                db.execute(delete(sessions).where(sessions.c.digest == _digest(instead_of)))
            row = {"digest": _digest(new), "owner": owner or secrets.token_hex(16), "shopper_id": shopper_id}
            db.execute(_START, row | {"created_at": now, "seen_at": now})
        return new

    def end(self, session_id: str) -> None:
        """The id opens nothing any more."""
        with self._engine.begin() as db:
            db.execute(delete(sessions).where(sessions.c.digest == _digest(session_id)))

    def purge(self) -> int:
        """Delete the sessions that have ended; gives how many."""
        now = self._clock()
        ended = or_(sessions.c.seen_at < now - self._idle_s, sessions.c.created_at < now - self._absolute_s)
        with self._engine.begin() as db:
            return db.execute(delete(sessions).where(ended)).rowcount
