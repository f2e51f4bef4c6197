"""Conversations in a SQL database."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, func, insert, select, update

from web.errors import ConversationNotFoundError, StoreUnavailableError, TurnInProgressError
from web.store.conversation_store import ConversationRecord, TurnRecord, TurnStatus
from web.store.engine import queue, reading
from web.store.migrations import migrate
from web.store.runner import is_gone, this_runner
from web.store.schema import conversations, turns

TITLE_CHARS = 60
FIRST_PAUSE_S = 0.01
LONGEST_PAUSE_S = 0.2


def _turn(row: Row[Any], *, dead: bool) -> TurnRecord:
    """A dead turn counts as failed, so that it can be tried again."""
    return TurnRecord(
        id=row.id,
        conversation_id=row.conversation_id,
        seq=row.seq,
        message=row.message,
        status="failed" if dead else row.status,
        created_at=row.created_at,
        reply=row.reply,
        answer=row.answer,
        rating=row.rating,
    )


def _not_found(conversation_id: str) -> ConversationNotFoundError:
    return ConversationNotFoundError(f"No conversation {conversation_id!r} of this shopper.")


class SqlConversationStore:
    """A `ConversationStore` on SQLAlchemy, for SQLite and PostgreSQL.

    A running turn is dead when its process is gone, when its end could not be written, or after `lease_s`: longer than
    any turn may last. `begin_turn`
    waits up to `patience_s` for the turn before it, so that messages sent at the same instant are answered in order.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        lease_s: float = 45.0,
        patience_s: float = 0.0,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._engine = engine
        self._lease_s = lease_s
        self._patience_s = patience_s
        self._clock = clock
        self._sleep = sleep
        self._unwritten: set[str] = set()
        migrate(engine)

    def begin_turn(
        self, owner: str, message: str, *, conversation_id: str | None, key: str, replaces: str | None = None
    ) -> TurnRecord:
        give_up_at = self._clock() + self._patience_s
        pause_s = FIRST_PAUSE_S
        while True:
            try:
                return self._begin(owner, message, conversation_id=conversation_id, key=key, replaces=replaces)
            except TurnInProgressError:
                if self._clock() + pause_s > give_up_at:
                    raise
                self._sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def _begin(
        self, owner: str, message: str, *, conversation_id: str | None, key: str, replaces: str | None
    ) -> TurnRecord:
        with self._engine.begin() as db:
            now = self._clock()
            queue(db, owner)
            known = self._begun(db, owner, key, conversation_id)
            if known is not None:
                return self._again(db, known)
            if conversation_id is None:
                conversation_id = self._create(db, owner, message, now)
            self._touch(db, owner, conversation_id, now)
            self._refuse_second(db, conversation_id)
            if replaces is not None:
                self._drop_from(db, conversation_id, replaces)
            last = db.scalar(select(func.max(turns.c.seq)).where(turns.c.conversation_id == conversation_id)) or 0
            row = db.execute(
                insert(turns)
                .values(
                    id=secrets.token_hex(16),
                    conversation_id=conversation_id,
                    seq=last + 1,
                    key=key,
                    message=message,
                    status="running",
                    created_at=now,
                    begun_at=now,
                    runner=this_runner(),
                )
                .returning(turns)
            ).one()
            return self._record(row)

    def finish_turn(
        self, turn_id: str, *, status: TurnStatus, reply: str = "", answer: Mapping[str, Any] | None = None
    ) -> None:
        ended = update(turns).where(turns.c.id == turn_id, turns.c.status == "running")
        try:
            with self._engine.begin() as db:
                db.execute(ended.values(status=status, reply=reply, answer=dict(answer or {})))
        except StoreUnavailableError:
            self._unwritten.add(turn_id)
            raise
        self._unwritten.discard(turn_id)

    def revise_turn(self, owner: str, turn_id: str, *, reply: str, answer: Mapping[str, Any]) -> None:
        with self._engine.begin() as db:
            self._own(db, owner, db.scalar(select(turns.c.conversation_id).where(turns.c.id == turn_id)) or "")
            db.execute(
                update(turns)
                .where(turns.c.id == turn_id, turns.c.status == "answered")
                .values(reply=reply, answer=dict(answer))
            )

    def conversation(self, owner: str, conversation_id: str) -> ConversationRecord:
        with reading(self._engine) as db:
            row = self._own(db, owner, conversation_id)
            found = db.execute(
                select(turns).where(turns.c.conversation_id == conversation_id).order_by(turns.c.seq)
            ).all()
            return ConversationRecord(row.id, row.title, row.updated_at, tuple(map(self._record, found)))

    def conversations(self, owner: str) -> Sequence[ConversationRecord]:
        with reading(self._engine) as db:
            query = select(conversations).where(conversations.c.owner == owner)
            rows = db.execute(query.order_by(conversations.c.updated_at.desc(), conversations.c.id)).all()
            return [ConversationRecord(row.id, row.title, row.updated_at) for row in rows]

    def rename(self, owner: str, conversation_id: str, title: str) -> None:
        with self._engine.begin() as db:
            self._own(db, owner, conversation_id)
            db.execute(
                update(conversations).where(conversations.c.id == conversation_id).values(title=title[:TITLE_CHARS])
            )

    def delete(self, owner: str, conversation_id: str) -> None:
        with self._engine.begin() as db:
            queue(db, owner)
            self._own(db, owner, conversation_id)
            db.execute(delete(conversations).where(conversations.c.id == conversation_id))

    def rate(self, owner: str, turn_id: str, rating: int | None, *, reason: str = "") -> None:
        with self._engine.begin() as db:
            conversation_id = db.scalar(select(turns.c.conversation_id).where(turns.c.id == turn_id))
            self._own(db, owner, conversation_id or "")
            db.execute(update(turns).where(turns.c.id == turn_id).values(rating=rating, rating_reason=reason[:500]))

    def close(self) -> None:
        self._engine.dispose()

    def purge(self, *, before: float) -> int:
        """Delete every conversation last used before that instant (seconds since the epoch); gives how many."""
        with self._engine.begin() as db:
            return db.execute(delete(conversations).where(conversations.c.updated_at < before)).rowcount

    def _record(self, row: Row[Any]) -> TurnRecord:
        return _turn(row, dead=self._is_dead(row))

    def _is_dead(self, row: Row[Any]) -> bool:
        """Whether nobody answers this running turn any more."""
        if row.status != "running":
            return False
        late = bool(row.begun_at < self._clock() - self._lease_s)
        return late or row.id in self._unwritten or is_gone(row.runner)

    def _create(self, db: Connection, owner: str, message: str, now: float) -> str:
        new = secrets.token_hex(16)
        title = " ".join(message.split())[:TITLE_CHARS]
        db.execute(insert(conversations).values(id=new, owner=owner, title=title, updated_at=now))
        return new

    def _touch(self, db: Connection, owner: str, conversation_id: str, now: float) -> None:
        """It is in use: whoever deletes old conversations at this moment waits, and then leaves it alone."""
        mine = (conversations.c.id == conversation_id, conversations.c.owner == owner)
        if db.execute(update(conversations).where(*mine).values(updated_at=now)).rowcount == 0:
            raise _not_found(conversation_id)

    def _own(self, db: Connection, owner: str, conversation_id: str) -> Row[Any]:
        row = db.execute(
            select(conversations).where(conversations.c.id == conversation_id, conversations.c.owner == owner)
        ).one_or_none()
        if row is None:
            raise _not_found(conversation_id)
        return row

    def _begun(self, db: Connection, owner: str, key: str, conversation_id: str | None) -> Row[Any] | None:
        """The turn that `key` began."""
        mine = select(turns).join(conversations, conversations.c.id == turns.c.conversation_id)
        query = mine.where(conversations.c.owner == owner, turns.c.key == key)
        if conversation_id is not None:
            query = query.where(turns.c.conversation_id == conversation_id)
        return db.execute(query).first()

    def _refuse_second(self, db: Connection, conversation_id: str) -> None:
        running = select(turns).where(turns.c.conversation_id == conversation_id, turns.c.status == "running")
        if not all(map(self._is_dead, db.execute(running))):
            raise TurnInProgressError(f"A turn of conversation {conversation_id!r} is still running.")

    def _again(self, db: Connection, known: Row[Any]) -> TurnRecord:
        """The turn a repeated key began; a failed or stopped one runs again."""
        record = self._record(known)
        if record.status not in ("failed", "stopped"):
            return replace(record, repeated=True)
        self._refuse_second(db, known.conversation_id)
        self._unwritten.discard(known.id)
        row = db.execute(
            update(turns)
            .where(turns.c.id == known.id)
            .values(status="running", reply="", answer={}, begun_at=self._clock(), runner=this_runner())
            .returning(turns)
        ).one()
        return self._record(row)

    def _drop_from(self, db: Connection, conversation_id: str, turn_id: str) -> None:
        seq = db.scalar(select(turns.c.seq).where(turns.c.id == turn_id, turns.c.conversation_id == conversation_id))
        if seq is None:
            raise ConversationNotFoundError(f"No turn {turn_id!r} in conversation {conversation_id!r}.")
        db.execute(delete(turns).where(turns.c.conversation_id == conversation_id, turns.c.seq >= seq))
