"""One turn between agent and store: what happens is passed on, what came of it is kept, whoever is still reading."""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field

from shopping_agent.actions import Action
from shopping_agent.events import (
    ActionChosen,
    AgentEvent,
    ConfirmationNeeded,
    Notice,
    ResultReady,
    StepTaken,
    ToolAnswered,
    TurnFailed,
    TurnFinished,
)
from shopping_agent.results import Choice
from shopping_agent.usage import Usage
from web.errors import StoreUnavailableError
from web.rendering.stored import StoredAnswer, StoredChoice
from web.rendering.tools import StoredTool
from web.store.conversation_store import ConversationStore, TurnRecord, TurnStatus

log = logging.getLogger(__name__)

INTERNAL_FAILURE = "Something went wrong on our side. Your message is kept: please try again in a moment."


@dataclass(slots=True)
class _Outcome:
    """What is known of a turn so far."""

    status: TurnStatus = "failed"
    reply: str = ""
    model: str | None = None
    notices: list[str] = field(default_factory=list)
    answer: StoredAnswer = field(default_factory=StoredAnswer)

    def note(self, event: AgentEvent) -> None:
        match event:
            case ActionChosen(decision=decision):
                self.model = decision.model if decision else None
            case Notice(code=code, choices=choices):
                self._notice(code, choices)
            case ResultReady(action, result):
                self.answer = StoredAnswer.of(action, result, model=self.model, notices=tuple(self.notices))
            case ToolAnswered() | ConfirmationNeeded():
                self.answer = StoredAnswer(tool=StoredTool.of(event), notices=tuple(self.notices), model=self.model)
            case TurnFailed(code):
                self.answer = StoredAnswer(failure=code, notices=tuple(self.notices))
            case TurnFinished(reply, refused=refused, failed=failed):
                self.reply = reply
                self.status = "refused" if refused else "failed" if failed else "answered"
            case _:
                pass

    def _notice(self, code: str, choices: tuple[Choice, ...]) -> None:
        if code == "stale_catalog":
            return  # the result says so itself, also when a filter was clicked
        self.notices.append(code)
        offers = (*self.answer.offers, *map(StoredChoice.of, choices))
        self.answer = self.answer.model_copy(update={"notices": tuple(self.notices), "offers": offers})


def play(
    events: Iterator[AgentEvent], turn: TurnRecord, store: ConversationStore
) -> Iterator[tuple[AgentEvent, StoredAnswer]]:
    """Pass on each event with the answer so far; the outcome is stored before the last event is passed on.

    A reader who goes away does not end the turn: it is finished for whoever comes back. A turn that the shopper
    stopped ends before anything more is asked or looked up.
    """
    outcome = _Outcome()

    def steps() -> Iterator[AgentEvent]:
        for event in events:
            outcome.note(event)
            if isinstance(event, ActionChosen | StepTaken) and not store.is_running(turn.id):
                _close(events)
                return
            if isinstance(event, TurnFinished):
                store.finish_turn(turn.id, status=outcome.status, reply=outcome.reply, answer=outcome.answer.dump())
            yield event

    running = steps()
    try:
        for event in running:
            yield event, outcome.answer
    except GeneratorExit:
        _finish_unread(running, turn, store)
        raise
    except Exception:
        log.exception("turn %s failed", turn.id)
        _close(events)
        outcome.answer = StoredAnswer(failure="internal")
        _fail(turn, store, outcome.answer)
        yield TurnFailed("internal", INTERNAL_FAILURE), outcome.answer
        yield TurnFinished(INTERNAL_FAILURE, Usage(), failed=True), outcome.answer


def _close(events: Iterator[AgentEvent]) -> None:
    """End what would go on, so that what it took is counted now."""
    if isinstance(events, Generator):
        events.close()


def _finish_unread(running: Iterator[AgentEvent], turn: TurnRecord, store: ConversationStore) -> None:
    try:
        for _ in running:
            pass
    except Exception:
        log.exception("turn %s failed after its reader left", turn.id)
        _fail(turn, store, StoredAnswer(failure="internal"))


def _fail(turn: TurnRecord, store: ConversationStore, answer: StoredAnswer) -> None:
    """Keep that the turn failed; where not even that can be written, the store counts it as failed all the same."""
    try:
        store.finish_turn(turn.id, status="failed", reply=INTERNAL_FAILURE, answer=answer.dump())
    except StoreUnavailableError as error:
        log.warning("the end of turn %s was not kept: %s", turn.id, error)


def perform(events: Iterator[AgentEvent]) -> tuple[Action, StoredAnswer, str] | None:
    """The outcome of a clicked action: action, answer, reply; None where the catalog did not answer."""
    outcome = _Outcome()
    for event in events:
        outcome.note(event)
    if outcome.status != "answered" or outcome.answer.action is None:
        return None
    return outcome.answer.action, outcome.answer, outcome.reply
