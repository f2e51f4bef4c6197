"""The shopper's own yes or no to a call that changes something: by a form of the page, never through a model."""

from __future__ import annotations

from flask import Blueprint, Response, request

from web.answers import see_other
from web.errors import ConversationNotFoundError, TurnInProgressError
from web.page import current_page
from web.rendering.stored import StoredAnswer
from web.services import services
from web.sessions import current_owner
from web.store.conversation_store import TurnRecord
from web.turns import play

tools = Blueprint("tools", __name__)


@tools.post("/c/<conversation_id>/t/<turn_id>/confirm")
def confirm(conversation_id: str, turn_id: str) -> Response:
    """Make the call that waits, once, as a turn of its own; or let it be."""
    turn = _turn(conversation_id, turn_id)
    stored = StoredAnswer.read(turn.answer)
    waiting = stored.tool if stored else None
    call = waiting.call if waiting else None
    if stored is None or waiting is None or call is None:
        return _to(turn)  # answered before: a second click does nothing
    found, page, owner = services(), current_page(), current_owner()
    if request.form.get("answer") != "yes":
        _settle(turn, stored)
        return _to(turn)
    message = page.t("tool.said_yes", title=waiting.title)
    try:
        begun = found.conversations.begin_turn(
            owner, message, conversation_id=conversation_id, key=f"confirm-{turn.id}"
        )
    except TurnInProgressError:
        return _to(turn)
    if not begun.repeated:
        _settle(turn, stored)
        events = found.agent.confirmed(call, shopper=page.shopper)
        for _ in play(events, begun, found.conversations):
            pass
    return _to(begun)


def _turn(conversation_id: str, turn_id: str) -> TurnRecord:
    """A turn of this shopper. Raises `ConversationNotFoundError`."""
    turns = services().conversations.conversation(current_owner(), conversation_id).turns
    found = next((turn for turn in turns if turn.id == turn_id), None)
    if found is None:
        raise ConversationNotFoundError(f"No turn {turn_id!r} in conversation {conversation_id!r}.")
    return found


def _settle(turn: TurnRecord, stored: StoredAnswer) -> None:
    assert stored.tool is not None
    kept = stored.model_copy(update={"tool": stored.tool.settled()})
    services().conversations.revise_turn(current_owner(), turn.id, reply=turn.reply, answer=kept.dump())


def _to(turn: TurnRecord) -> Response:
    target = current_page().url("chat.conversation", conversation_id=turn.conversation_id)
    return see_other(f"{target}#t-{turn.id}")
