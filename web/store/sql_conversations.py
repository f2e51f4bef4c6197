"""Conversations in a SQL database."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, select, update

from web.errors import ConversationNotFoundError, StoreUnavailableError, TurnInProgressError
from web.store import statements as sql
from web.store.conversation_store import ALL, ConversationRecord, TurnRecord, TurnStatus
from web.store.engine import queue, read, reading
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
    any turn may last. `begin_turn` waits up to `patience_s` for the turn before it, so that messages sent at the same
    instant are answered in order.
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
            queue(db, owner)
            if conversation_id is None:
                known = db.execute(sql.BEGUN_ANYWHERE, {"owner": owner, "key": key}).first()
                return self._again(db, known) if known else self._first(db, owner, message, key=key)
            standing = self._standing(db, owner, conversation_id, key)
            if any(row.key == key for row in standing):
                return self._again(db, self._begun(db, conversation_id, key))
            if any(map(self._runs, standing)):
                raise TurnInProgressError(f"A turn of conversation {conversation_id!r} is still running.")
            if replaces is not None:
                seq = self._drop_from(db, conversation_id, replaces)
            else:
                seq = 1 + max((row.seq for row in standing), default=0)
            now = self._clock()
            self._touch(db, conversation_id, now)
            return self._add(db, conversation_id, seq, message, key=key, now=now)

    def finish_turn(
        self, turn_id: str, *, status: TurnStatus, reply: str = "", answer: Mapping[str, Any] | None = None
    ) -> None:
        outcome = {"new_status": status, "new_reply": reply, "new_answer": dict(answer or {})}
        try:
            with self._engine.begin() as db:
                db.execute(sql.FINISH, outcome | {"turn_id": turn_id})
        except StoreUnavailableError:
            self._unwritten.add(turn_id)
            raise
        self._unwritten.discard(turn_id)

    def is_running(self, turn_id: str) -> bool:
        rows = read(self._engine, sql.LIFE, turn_id=turn_id)
        return any(map(self._runs, rows))

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
            found = db.execute(sql.TURNS, {"conversation_id": conversation_id}).all()
        return ConversationRecord(row.id, row.title, row.updated_at, tuple(map(self._record, found)))

    def conversations(self, owner: str, *, limit: int = ALL) -> Sequence[ConversationRecord]:
        rows = read(self._engine, sql.CONVERSATIONS, owner=owner, limit=limit)
        return [ConversationRecord(row.id, row.title, row.updated_at) for row in rows]

    def history(self, owner: str, turn: TurnRecord) -> list[dict[str, str]]:
        if turn.seq == 1:
            return []
        rows = read(self._engine, sql.HISTORY, owner=owner, conversation_id=turn.conversation_id, seq=turn.seq)
        said = ((("user", row.message), ("assistant", row.reply)) for row in rows)
        return [{"role": role, "content": text} for pair in said for role, text in pair]

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
        return _turn(row, dead=row.status == "running" and not self._runs(row))

    def _runs(self, row: Row[Any]) -> bool:
        """Whether the turn is running and somebody still answers it."""
        if row.status != "running" or row.begun_at < self._clock() - self._lease_s:
            return False
        return row.id not in self._unwritten and not is_gone(row.runner)

    def _first(self, db: Connection, owner: str, message: str, *, key: str) -> TurnRecord:
        """The first turn of a new conversation."""
        new, now = secrets.token_hex(16), self._clock()
        title = " ".join(message.split())[:TITLE_CHARS]
        db.execute(sql.ADD_CONVERSATION, {"id": new, "owner": owner, "title": title, "updated_at": now})
        return self._add(db, new, 1, message, key=key, now=now)

    def _add(self, db: Connection, conversation_id: str, seq: int, message: str, *, key: str, now: float) -> TurnRecord:
        turn = TurnRecord(secrets.token_hex(16), conversation_id, seq, message, "running", now)
        kept = {
            "id": turn.id,
            "conversation_id": conversation_id,
            "seq": seq,
            "message": message,
            "status": turn.status,
        }
        db.execute(sql.ADD_TURN, kept | {"key": key, "created_at": now, "begun_at": now, "runner": this_runner()})
        return turn

    def _touch(self, db: Connection, conversation_id: str, now: float) -> None:
        """It is in use: whoever deletes old conversations at this moment waits, and then leaves it alone."""
        if db.execute(sql.USED_NOW, {"of": conversation_id, "now": now}).rowcount == 0:
            raise _not_found(conversation_id)

    def _own(self, db: Connection, owner: str, conversation_id: str) -> Row[Any]:
        row = db.execute(sql.CONVERSATION, {"owner": owner, "conversation_id": conversation_id}).one_or_none()
        if row is None:
            raise _not_found(conversation_id)
        return row

    def _standing(self, db: Connection, owner: str, conversation_id: str, key: str) -> Sequence[Row[Any]]:
        """Turns that run, the one of `key`, and the last one."""
        where = {"owner": owner, "conversation_id": conversation_id, "key": key}
        rows = db.execute(sql.STANDING, where).all()
        if not rows:
            raise _not_found(conversation_id)
        return rows if rows[0].id is not None else []

    def _begun(self, db: Connection, conversation_id: str, key: str) -> Row[Any]:
        """The turn that `key` began."""
        row = db.execute(sql.BEGUN, {"conversation_id": conversation_id, "key": key}).one_or_none()
        if row is None:  # deleted at this moment
            raise _not_found(conversation_id)
        return row

    def _refuse_second(self, db: Connection, conversation_id: str) -> None:
        running = select(turns).where(turns.c.conversation_id == conversation_id, turns.c.status == "running")
        if any(map(self._runs, db.execute(running))):
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

    def _drop_from(self, db: Connection, conversation_id: str, turn_id: str) -> int:
        """Delete the turn and all after it; gives the number that is free now."""
        seq = db.scalar(select(turns.c.seq).where(turns.c.id == turn_id, turns.c.conversation_id == conversation_id))
        if seq is None:
            raise ConversationNotFoundError(f"No turn {turn_id!r} in conversation {conversation_id!r}.")
        db.execute(delete(turns).where(turns.c.conversation_id == conversation_id, turns.c.seq >= seq))
        return int(seq)
