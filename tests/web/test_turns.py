"""A turn is kept whatever happens to its reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from search_client.testing import FakeSearchClient
from shopping_agent.actions import Search
from shopping_agent.agent import ShoppingAgent
from shopping_agent.events import ActionChosen, AgentEvent, Notice, TurnFinished, TurnStarted
from shopping_agent.results import Choice
from shopping_agent.testing import ScriptedModel
from shopping_agent.usage import Usage
from tests.web.shop import PRODUCTS
from web.rendering.stored import StoredAnswer, StoredChoice
from web.store.conversation_store import TurnRecord
from web.store.engine import open_engine
from web.store.sql_conversations import SqlConversationStore
from web.turns import perform, play


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlConversationStore]:
    opened = SqlConversationStore(open_engine(f"sqlite:///{tmp_path}/t.sqlite"))
    yield opened
    opened.close()


@pytest.fixture
def turn(store: SqlConversationStore) -> TurnRecord:
    return store.begin_turn("ann", "a lamp", conversation_id=None, key="k")


def agent() -> ShoppingAgent:
    """An agent that searches for lamps once."""
    return ShoppingAgent(ScriptedModel([Search(keywords=["lamp"])]), FakeSearchClient(PRODUCTS))


def kept(store: SqlConversationStore, turn: TurnRecord) -> TurnRecord:
    """The turn as it is stored."""
    return store.conversation("ann", turn.conversation_id).turns[0]


def test_the_outcome_is_stored_before_the_last_event_is_passed_on(
    store: SqlConversationStore, turn: TurnRecord
) -> None:
    for event, _ in play(agent().stream("a lamp"), turn, store):
        if isinstance(event, TurnFinished):
            assert kept(store, turn).status == "answered"
    stored = StoredAnswer.read(kept(store, turn).answer)
    assert stored is not None
    assert [card.id for card in stored.cards] == ["floor", "lamp", "sold"]


def test_a_reader_who_goes_away_does_not_end_the_turn(store: SqlConversationStore, turn: TurnRecord) -> None:
    steps = play(agent().stream("a lamp"), turn, store)
    next(steps)
    steps.close()  # type: ignore[attr-defined]
    assert kept(store, turn).status == "answered"
    assert "Lumo Desk Lamp" in kept(store, turn).reply


def test_a_stopped_turn_looks_nothing_up(store: SqlConversationStore, turn: TurnRecord) -> None:
    steps = play(agent().stream("a lamp"), turn, store)
    assert isinstance(next(steps)[0], TurnStarted)
    store.finish_turn(turn.id, status="stopped")
    assert list(steps) == []
    assert kept(store, turn).status == "stopped"


def test_a_turn_that_is_stopped_between_two_steps_takes_no_more(store: SqlConversationStore, turn: TurnRecord) -> None:
    model = ScriptedModel([Search(keywords=["lamp"]), Search(keywords=["mug"])])
    several = ShoppingAgent(model, FakeSearchClient(PRODUCTS), max_steps=3)
    steps = play(several.stream("a lamp"), turn, store)
    assert isinstance(next(steps)[0], TurnStarted)
    store.finish_turn(turn.id, status="stopped")
    assert list(steps) == []
    assert len(model.requests) == 1


def test_a_turn_of_a_deleted_chat_ends(store: SqlConversationStore, turn: TurnRecord) -> None:
    steps = play(agent().stream("a lamp"), turn, store)
    next(steps)
    store.delete("ann", turn.conversation_id)
    assert list(steps) == []


def broken() -> Iterator[AgentEvent]:
    """A stream that breaks after its first event."""
    yield TurnStarted("x")
    raise RuntimeError("unforeseen")


def test_an_unforeseen_error_is_a_failed_turn_and_told(store: SqlConversationStore, turn: TurnRecord) -> None:
    events = [type(event).__name__ for event, _ in play(broken(), turn, store)]
    assert events == ["TurnStarted", "TurnFailed", "TurnFinished"]
    assert kept(store, turn).status == "failed"


def test_an_unforeseen_error_without_a_reader_is_a_failed_turn(store: SqlConversationStore, turn: TurnRecord) -> None:
    steps = play(broken(), turn, store)
    next(steps)
    steps.close()  # type: ignore[attr-defined]
    assert kept(store, turn).status == "failed"


def test_what_else_can_be_said_is_kept_with_the_answer(store: SqlConversationStore, turn: TurnRecord) -> None:
    def events() -> Iterator[AgentEvent]:
        yield from list(agent().stream("a lamp"))[:-1]
        yield Notice("stale_catalog", "old")
        yield Notice("more_wishes", "more", (Choice("a tee", "a tee"),))
        yield TurnFinished("reply", Usage())

    for _ in play(events(), turn, store):
        pass
    stored = StoredAnswer.read(kept(store, turn).answer)
    assert stored is not None
    assert stored.notices == ("more_wishes",)
    assert stored.offers == (StoredChoice(label="a tee", message="a tee"),)


def test_a_clicked_action_has_an_outcome_or_none() -> None:
    outcome = perform(agent().perform(Search(keywords=["tee"])))
    assert outcome is not None
    assert outcome[1].cards[0].id == "tee"
    assert perform(iter([ActionChosen(Search(keywords=["tee"]))])) is None


def test_an_answer_of_another_version_is_not_misread() -> None:
    assert StoredAnswer.read({"action": {"kind": "unheard of"}}) is None
    assert StoredAnswer.read({}) is None
