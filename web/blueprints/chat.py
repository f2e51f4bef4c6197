"""The conversation: say something, watch it being answered, click a filter, stop, judge."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, request

from shopping_agent.actions import Search
from shopping_agent.budget import Account
from shopping_agent.events import EVENT_NAMES, AgentEvent
from shopping_agent.message import clean_message
from web import sse
from web.answers import html, see_other, wants_part, wants_stream
from web.background import in_background
from web.errors import ConversationNotFoundError, TurnInProgressError
from web.limits import keep_place
from web.live import LiveTurn
from web.observing import TurnTrace, count, observe, tell
from web.page import Page, current_page
from web.refining import refine
from web.rendering.stored import StoredAnswer
from web.rendering.turns import Reader
from web.services import services
from web.sessions import current_owner
from web.store.conversation_store import ConversationRecord, TurnRecord
from web.tracing import keep
from web.turns import perform, play

chat = Blueprint("chat", __name__)

LISTED_CHATS = 30
RECENT_TURNS = 20  # each shown turn looks its products up again
RATINGS = {"up": 1, "down": -1, "none": None}


@chat.get("/")
def new() -> Response:
    """An empty chat."""
    return _show(None)


@chat.get("/c/<conversation_id>")
def conversation(conversation_id: str) -> Response:
    """A conversation with today's facts."""
    return _show(services().conversations.conversation(current_owner(), conversation_id))


@chat.get("/latest")
def latest() -> Response:
    """The conversation that was last spoken in, or an empty one: where the bubble opens."""
    page = current_page()
    known = services().conversations.conversations(current_owner(), limit=1)
    viewing = request.args.get("viewing") or None
    if not known:
        return see_other(page.url("chat.new", viewing=viewing))
    return see_other(page.url("chat.conversation", conversation_id=known[0].id, viewing=viewing))


def _show(record: ConversationRecord | None, *, alert: str = "", draft: str = "", status: int = 200) -> Response:
    owner, page, found = current_owner(), current_page(), services()
    turns = record.turns if record else ()
    shown = turns if "all" in request.args else turns[-RECENT_TURNS:]
    reader = Reader(found.catalog, page.t, shopper=page.shopper)
    viewing = request.args.get("viewing", "")
    return html(
        page.render(
            "chat.html",
            conversation=record,
            conversations=found.conversations.conversations(owner, limit=LISTED_CHATS),
            turns=[reader.turn(turn) for turn in shown],
            earlier=len(turns) - len(shown),
            starters=() if turns else found.starters.questions(page.t),
            alert=alert,
            draft=draft,
            viewing=viewing,
            about=reader.name(viewing) if viewing else None,
        ),
        status=status,
    )


@chat.post("/chat")
def say() -> Response:
    """A shopper's message: streamed to a script, else answered with the whole page."""
    typed = request.form.get("say") or request.form.get("message", "")
    message = clean_message(typed)
    conversation_id = request.form.get("conversation") or None
    if not message:
        return _refuse(conversation_id, "alert.empty", status=400)
    try:
        turn = _begin(message, conversation_id, key=request.form.get("key") or secrets.token_hex(8))
        if turn.repeated and turn.message != message:  # an old page, come back to: the key is spent, the words are new
            turn = _begin(message, conversation_id or turn.conversation_id, key=secrets.token_hex(8))
    except TurnInProgressError:
        return _refuse(conversation_id, "alert.busy", status=409, draft=message)
    if wants_stream():
        steps = _repeated(turn) if turn.repeated else _stream(turn, typed)
        return Response(steps, mimetype=sse.MIMETYPE, headers=sse.HEADERS)
    if not turn.repeated:
        for _ in _played(turn, typed, current_page()):
            pass
    return _back_to(turn)


def _begin(message: str, conversation_id: str | None, *, key: str) -> TurnRecord:
    replaces = request.form.get("replaces") or None
    return services().conversations.begin_turn(
        current_owner(), message, conversation_id=conversation_id, key=key, replaces=replaces
    )


def _refuse(conversation_id: str | None, alert: str, *, status: int, draft: str = "") -> Response:
    page = current_page()
    if wants_stream() or wants_part():
        return html(page.render("parts/alert.html", alert=page.t(alert)), status=status)
    record = services().conversations.conversation(current_owner(), conversation_id) if conversation_id else None
    return _show(record, alert=page.t(alert), draft=draft, status=status)


def _back_to(turn: TurnRecord) -> Response:
    target = current_page().url("chat.conversation", conversation_id=turn.conversation_id)
    return see_other(f"{target}#t-{turn.id}")


def _played(turn: TurnRecord, message: str, page: Page) -> Iterator[tuple[AgentEvent, StoredAnswer]]:
    """The turn's events. All that the request knows is read before the first one."""
    found = services()
    owner, viewing = current_owner(), request.form.get("viewing") or None
    history = found.conversations.history(owner, turn)
    account = Account(conversation=turn.conversation_id, session=owner)
    events = found.agent.stream(
        message,
        history,
        shopper=page.shopper,
        viewing=viewing,
        account=account,
        stopped=lambda: not found.conversations.is_running(turn.id),
    )
    observed = observe(events, done=_counted(turn))
    return play(observed, turn, found.conversations)


def _counted(turn: TurnRecord) -> Callable[[TurnTrace], None]:
    """Counts, logs and keeps what a turn was like."""
    found, parent = services(), request.headers.get("traceparent")

    def done(trace: TurnTrace) -> None:
        count(trace, found.metrics)
        tell(trace, turn_id=turn.id)
        if found.spans:
            found.spans.record(trace, turn_id=turn.id, parent=parent)
        keep(trace, turn, found.traces)
        found.retention.tick()

    return done


def _stream(turn: TurnRecord, message: str) -> Iterator[str]:
    page, found, owner = current_page(), services(), current_owner()
    live = LiveTurn(
        page, turn, catalog=found.catalog, chats=lambda: found.conversations.conversations(owner, limit=LISTED_CHATS)
    )
    steps = _played(turn, message, page)

    def encoded() -> Iterator[str]:
        for event, answer in steps:
            yield sse.encode(EVENT_NAMES[type(event)], live.part(event, answer))

    return in_background(encoded(), done=keep_place())


def _repeated(turn: TurnRecord) -> Iterator[str]:
    """The outcome of a turn whose form was sent twice; its first sender gets the events."""
    page, found = current_page(), services()
    shown = Reader(found.catalog, page.t, shopper=page.shopper).turn(turn)
    where = {
        "conversation": turn.conversation_id,
        "url": page.url("chat.conversation", conversation_id=turn.conversation_id),
    }
    started = {"html": page.render("parts/turn.html", view=shown, last=True)} | where
    return iter([sse.encode("turn_started", started), sse.encode("turn_finished", where)])


@chat.get("/c/<conversation_id>/t/<turn_id>")
def turn_part(conversation_id: str, turn_id: str) -> Response:
    """One turn as it stands, for a page that was loaded while it ran."""
    return _turn_part(*_find(conversation_id, turn_id))


def _find(conversation_id: str, turn_id: str) -> tuple[TurnRecord, bool]:
    """A turn of this shopper, and whether it is the last. Raises `ConversationNotFoundError`."""
    turns = services().conversations.conversation(current_owner(), conversation_id).turns
    turn = next((turn for turn in turns if turn.id == turn_id), None)
    if turn is None:
        raise ConversationNotFoundError(f"No turn {turn_id!r} in conversation {conversation_id!r}.")
    return turn, turn is turns[-1]


def _turn_part(turn: TurnRecord, last: bool) -> Response:
    page = current_page()
    shown = Reader(services().catalog, page.t, shopper=page.shopper).turn(turn)
    return html(page.render("parts/turn.html", view=shown, last=last))


@chat.post("/c/<conversation_id>/t/<turn_id>/stop")
def stop(conversation_id: str, turn_id: str) -> Response:
    """End a running turn: what is being asked is not asked again, and nothing is looked up."""
    turn, _ = _find(conversation_id, turn_id)
    services().conversations.finish_turn(turn.id, status="stopped")
    return _turn_part(*_find(conversation_id, turn_id)) if wants_part() else _back_to(turn)


@chat.post("/c/<conversation_id>/t/<turn_id>/refine")
def refine_turn(conversation_id: str, turn_id: str) -> Response:
    """A filter was clicked: the same answer for another wish, without a model."""
    turn, _ = _find(conversation_id, turn_id)
    stored = StoredAnswer.read(turn.answer)
    if stored is None or not isinstance(stored.action, Search):
        return _refuse(conversation_id, "alert.no_filters", status=409)
    page, found = current_page(), services()
    search = refine(stored.action, request.form)
    outcome = perform(found.agent.perform(search, shopper=page.shopper))
    if outcome is None:
        return _refuse(conversation_id, "failed.search_failed", status=503)
    _, answer, reply = outcome
    kept = answer.model_copy(update={"model": stored.model})
    found.conversations.revise_turn(current_owner(), turn.id, reply=reply, answer=kept.dump())
    return _turn_part(*_find(conversation_id, turn_id)) if wants_part() else _back_to(turn)


@chat.post("/c/<conversation_id>/t/<turn_id>/feedback")
def feedback(conversation_id: str, turn_id: str) -> Response:
    """Thumbs, with a reason for those down."""
    turn, _ = _find(conversation_id, turn_id)
    rating = RATINGS.get(request.form.get("rating", ""), turn.rating)
    reason = ", ".join([*request.form.getlist("reason"), request.form.get("words", "").strip()]).strip(", ")
    services().conversations.rate(current_owner(), turn.id, rating, reason=reason)
    turn, _ = _find(conversation_id, turn_id)
    if not wants_part():
        return _back_to(turn)
    page = current_page()
    return html(page.render("parts/feedback.html", turn=turn, thanked=bool(reason)))
