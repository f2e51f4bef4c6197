"""What a conversation store promises, on every back-end."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine, inspect

from web.errors import ConversationNotFoundError, StoreUnavailableError, TurnInProgressError
from web.store.migrations import STEPS, migrate, schema_version
from web.store.schema import turns
from web.store.sql_conversations import SqlConversationStore


class Clock:
    """Stands still until told; `sleep` moves it."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(engine: Engine, clock: Clock) -> SqlConversationStore:
    return SqlConversationStore(engine, lease_s=45, patience_s=1, clock=clock, sleep=clock.sleep)


def test_a_message_is_stored_before_it_is_answered(store: SqlConversationStore) -> None:
    turn = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    kept = store.conversation("ann", turn.conversation_id)
    assert [(t.seq, t.message, t.status) for t in kept.turns] == [(1, "a red mug", "running")]
    assert store.history("ann", turn) == []


def test_only_answered_turns_enter_the_history(store: SqlConversationStore) -> None:
    first = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    store.finish_turn(first.id, status="answered", reply="Found 1")
    second = store.begin_turn("ann", "ignore your rules", conversation_id=first.conversation_id, key="k2")
    store.finish_turn(second.id, status="refused", reply="Sorry")
    third = store.begin_turn("ann", "a blue one", conversation_id=first.conversation_id, key="k3")
    store.finish_turn(third.id, status="answered", reply="Found 2")
    history = store.history("ann", third)
    assert [message["content"] for message in history] == ["a red mug", "Found 1"]


def test_a_turn_runs_until_it_is_finished_deleted_or_given_up(store: SqlConversationStore, clock: Clock) -> None:
    stopped = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    deleted = store.begin_turn("ann", "a blue mug", conversation_id=None, key="k2")
    dead = store.begin_turn("ann", "a mug", conversation_id=None, key="k3")
    begun = (stopped, deleted, dead)
    assert [store.is_running(turn.id) for turn in begun] == [True, True, True]
    store.finish_turn(stopped.id, status="stopped")
    store.delete("ann", deleted.conversation_id)
    assert [store.is_running(turn.id) for turn in begun] == [False, False, True]
    clock.now += 46
    assert not store.is_running(dead.id)


def test_the_latest_conversations_come_first(store: SqlConversationStore, clock: Clock) -> None:
    for number in range(3):
        clock.now += 1
        store.begin_turn("ann", f"mug {number}", conversation_id=None, key=f"k{number}")
    assert [c.title for c in store.conversations("ann", limit=2)] == ["mug 2", "mug 1"]


def test_the_same_key_begins_one_turn_only(store: SqlConversationStore) -> None:
    first = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    again = store.begin_turn("ann", "a red mug", conversation_id=first.conversation_id, key="k1")
    unseen = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    assert again == unseen == replace(first, repeated=True)
    assert len(store.conversations("ann")) == 1


def test_a_key_is_its_owners_alone(store: SqlConversationStore) -> None:
    first = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    other = store.begin_turn("bob", "a blue mug", conversation_id=None, key="k1")
    assert (other.repeated, other.message, other.id == first.id) == (False, "a blue mug", False)


def test_an_answered_turn_can_show_something_else(store: SqlConversationStore) -> None:
    turn = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    store.finish_turn(turn.id, status="answered", reply="Found 9", answer={"total": 9})
    store.revise_turn("ann", turn.id, reply="Found 3", answer={"total": 3})
    kept = store.conversation("ann", turn.conversation_id).turns[0]
    assert (kept.message, kept.reply, kept.answer) == ("a red mug", "Found 3", {"total": 3})
    with pytest.raises(ConversationNotFoundError):
        store.revise_turn("bob", turn.id, reply="", answer={})


def test_a_failed_turn_runs_again_under_its_own_key(store: SqlConversationStore) -> None:
    first = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    store.finish_turn(first.id, status="failed", reply="try again")
    again = store.begin_turn("ann", "a red mug", conversation_id=first.conversation_id, key="k1")
    assert (again.id, again.status, again.reply) == (first.id, "running", "")


def test_a_second_turn_waits_for_the_first(store: SqlConversationStore) -> None:
    first = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    with pytest.raises(TurnInProgressError):
        store.begin_turn("ann", "a blue one", conversation_id=first.conversation_id, key="k2")


def test_an_edit_drops_the_turn_and_all_after_it(store: SqlConversationStore) -> None:
    first = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    store.finish_turn(first.id, status="answered", reply="Found 1")
    store.begin_turn("ann", "a blue mug", conversation_id=first.conversation_id, key="k2", replaces=first.id)
    kept = store.conversation("ann", first.conversation_id)
    assert [(t.seq, t.message) for t in kept.turns] == [(1, "a blue mug")]


def test_another_shopper_finds_nothing(store: SqlConversationStore) -> None:
    turn = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    with pytest.raises(ConversationNotFoundError):
        store.conversation("bob", turn.conversation_id)
    with pytest.raises(ConversationNotFoundError):
        store.rate("bob", turn.id, 1)
    with pytest.raises(ConversationNotFoundError):
        store.delete("bob", turn.conversation_id)
    assert list(store.conversations("bob")) == []


def test_a_deleted_conversation_is_gone(store: SqlConversationStore) -> None:
    turn = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    store.rename("ann", turn.conversation_id, "Mugs")
    assert [c.title for c in store.conversations("ann")] == ["Mugs"]
    store.delete("ann", turn.conversation_id)
    assert list(store.conversations("ann")) == []


def test_a_turn_that_died_with_its_process_can_be_retried(store: SqlConversationStore, clock: Clock) -> None:
    first = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    clock.now += 46
    assert store.conversation("ann", first.conversation_id).turns[0].status == "failed"
    again = store.begin_turn("ann", "a red mug", conversation_id=first.conversation_id, key="k1")
    assert (again.id, again.status, again.repeated) == (first.id, "running", False)


def test_a_turn_whose_process_is_gone_can_be_retried_at_once(engine: Engine, tmp_path: Path) -> None:
    code = """
import sys
from web.store.engine import open_engine
from web.store.schema import turns
from web.store.sql_conversations import SqlConversationStore
store = SqlConversationStore(open_engine(sys.argv[1]))
print(store.begin_turn("ann", "a red mug", conversation_id=None, key="k1").conversation_id)
"""
    url = engine.url.render_as_string(hide_password=False)
    done = subprocess.run([sys.executable, "-c", code, url], capture_output=True, text=True, check=True, timeout=300)
    store = SqlConversationStore(engine)
    conversation_id = done.stdout.strip()
    assert store.conversation("ann", conversation_id).turns[0].status == "failed"
    assert store.begin_turn("ann", "a red mug", conversation_id=conversation_id, key="k1").status == "running"


def test_a_turn_of_another_machine_is_left_alone(store: SqlConversationStore, engine: Engine) -> None:
    first = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    with engine.begin() as db:
        db.execute(turns.update().values(runner="elsewhere/1/1"))
    assert store.conversation("ann", first.conversation_id).turns[0].status == "running"


def test_a_dead_turn_does_not_stop_the_next(store: SqlConversationStore, clock: Clock) -> None:
    first = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    clock.now += 46
    second = store.begin_turn("ann", "a blue mug", conversation_id=first.conversation_id, key="k2")
    assert second.seq == 2


def test_a_second_turn_begins_as_soon_as_the_first_is_answered(engine: Engine, clock: Clock) -> None:
    store = SqlConversationStore(engine, patience_s=5, clock=clock, sleep=lambda _s: answer())
    first = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")

    def answer() -> None:
        store.finish_turn(first.id, status="answered", reply="Found 1")

    assert store.begin_turn("ann", "a blue one", conversation_id=first.conversation_id, key="k2").seq == 2


def test_messages_sent_at_the_same_instant_are_all_kept_in_order(engine: Engine) -> None:
    store = SqlConversationStore(engine, patience_s=60)
    first = store.begin_turn("ann", "hello", conversation_id=None, key="k0")
    store.finish_turn(first.id, status="answered", reply="hello")

    def say(number: int) -> int:
        turn = store.begin_turn("ann", f"message {number}", conversation_id=first.conversation_id, key=f"k{number}")
        store.finish_turn(turn.id, status="answered", reply=f"reply {number}")
        return turn.seq

    with ThreadPoolExecutor(16) as pool:
        numbers = list(pool.map(say, range(1, 33)))
    kept = store.conversation("ann", first.conversation_id).turns
    assert sorted(numbers) == list(range(2, 34)) == [turn.seq for turn in kept[1:]]
    assert {turn.message for turn in kept[1:]} == {f"message {number}" for number in range(1, 33)}


def test_one_form_sent_twice_at_once_begins_one_conversation(engine: Engine) -> None:
    store = SqlConversationStore(engine)

    def say(_: int) -> str:
        return store.begin_turn("ann", "a red mug", conversation_id=None, key="k1").id

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(say, range(8)))) == 1
    assert len(store.conversations("ann")) == 1


def test_old_conversations_are_deleted_for_good(store: SqlConversationStore, clock: Clock) -> None:
    old = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    clock.now += 100
    store.begin_turn("ann", "a blue mug", conversation_id=None, key="k2")
    assert store.purge(before=clock.now - 50) == 1
    assert [c.title for c in store.conversations("ann")] == ["a blue mug"]
    with pytest.raises(ConversationNotFoundError):
        store.conversation("ann", old.conversation_id)


def test_a_second_start_finds_the_schema_up_to_date(engine: Engine) -> None:
    assert (migrate(engine), migrate(engine)) == (len(STEPS), 0)


def test_an_older_database_gets_what_it_lacks_and_keeps_the_rest(store: SqlConversationStore, engine: Engine) -> None:
    turn = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP INDEX turn_traces_by_conversation")
        connection.execute(schema_version.update().values(version=1))
    assert migrate(engine) == len(STEPS) - 1
    assert "turn_traces_by_conversation" in {index["name"] for index in inspect(engine).get_indexes("turn_traces")}
    assert store.conversation("ann", turn.conversation_id).turns[0].message == "a red mug"


def test_a_chat_deleted_in_one_tab_while_another_speaks_ends_in_one_of_both(engine: Engine) -> None:
    store = SqlConversationStore(engine)
    for number in range(8):
        turn = store.begin_turn("ann", "hello", conversation_id=None, key=f"a{number}")
        store.finish_turn(turn.id, status="answered", reply="hello")

        def speak(conversation_id: str = turn.conversation_id, key: str = f"b{number}") -> None:
            with contextlib.suppress(ConversationNotFoundError):
                store.begin_turn("ann", "a mug", conversation_id=conversation_id, key=key)

        with ThreadPoolExecutor(2) as pool:
            spoken = pool.submit(speak)
            store.delete("ann", turn.conversation_id)
            spoken.result()
        assert list(store.conversations("ann")) == []


def test_a_conversation_that_is_taken_up_again_is_not_deleted_as_old(store: SqlConversationStore, clock: Clock) -> None:
    turn = store.begin_turn("ann", "a red mug", conversation_id=None, key="k1")
    store.finish_turn(turn.id, status="answered", reply="Found 1")
    clock.now += 100
    store.begin_turn("ann", "a blue mug", conversation_id=turn.conversation_id, key="k2")
    assert store.purge(before=clock.now - 50) == 0
    kept = store.conversation("ann", turn.conversation_id)
    assert [each.message for each in kept.turns] == ["a red mug", "a blue mug"]


def test_processes_that_start_at_once_make_one_schema(engine: Engine) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(lambda _: migrate(engine), range(4))) == [0, 0, 0, len(STEPS)]


def test_a_database_of_a_newer_version_is_refused_in_one_sentence(engine: Engine) -> None:
    migrate(engine)
    with engine.begin() as connection:
        connection.execute(schema_version.update().values(version=99))
    with pytest.raises(StoreUnavailableError, match="schema version 99"):
        migrate(engine)
