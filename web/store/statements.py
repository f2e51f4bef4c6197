"""What a turn asks of the conversation database, built once: to build a statement anew costs more than to run it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, and_, bindparam, func, insert, or_, select, update

from web.store.schema import conversations, turns

_OF_OWNER = conversations.c.owner == bindparam("owner")
_THIS = and_(conversations.c.id == bindparam("conversation_id"), _OF_OWNER)

CONVERSATION = select(conversations).where(_THIS)
CONVERSATIONS = (
    select(conversations)
    .where(_OF_OWNER)
    .order_by(conversations.c.updated_at.desc(), conversations.c.id)
    .limit(bindparam("limit"))
)
ADD_CONVERSATION = insert(conversations)
USED_NOW = update(conversations).where(conversations.c.id == bindparam("of")).values(updated_at=bindparam("now"))

TURNS = select(turns).where(turns.c.conversation_id == bindparam("conversation_id")).order_by(turns.c.seq)
ADD_TURN = insert(turns)
BEGUN = select(turns).where(turns.c.conversation_id == bindparam("conversation_id"), turns.c.key == bindparam("key"))
BEGUN_ANYWHERE = (
    select(turns)
    .join(conversations, conversations.c.id == turns.c.conversation_id)
    .where(_OF_OWNER, turns.c.key == bindparam("key"))
)

_all = turns.alias()
_LAST = select(func.max(_all.c.seq)).where(_all.c.conversation_id == bindparam("conversation_id")).scalar_subquery()
STANDING: Select[Any] = (
    select(turns.c.id, turns.c.seq, turns.c.key, turns.c.status, turns.c.begun_at, turns.c.runner)
    .select_from(conversations)
    .outerjoin(
        turns,
        and_(
            turns.c.conversation_id == conversations.c.id,
            or_(turns.c.key == bindparam("key"), turns.c.status == "running", turns.c.seq == _LAST),
        ),
    )
    .where(_THIS)
)
"""All that decides whether a turn may begin: turns that run, the one of this key, the last one; one row of NULLs where
the conversation has no turns, no row where it is not the owner's."""

HISTORY = (
    select(turns.c.message, turns.c.reply)
    .join(conversations, conversations.c.id == turns.c.conversation_id)
    .where(_THIS, turns.c.seq < bindparam("seq"), turns.c.status == "answered")
    .order_by(turns.c.seq)
)
LIFE = select(turns.c.id, turns.c.status, turns.c.begun_at, turns.c.runner).where(turns.c.id == bindparam("turn_id"))
FINISH = (
    update(turns)
    .where(turns.c.id == bindparam("turn_id"), turns.c.status == "running")
    .values(status=bindparam("new_status"), reply=bindparam("new_reply"), answer=bindparam("new_answer"))
)
