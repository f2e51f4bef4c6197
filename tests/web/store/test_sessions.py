"""What the sessions of browsers promise, on every back-end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import Engine, select

from web.store.migrations import migrate
from web.store.sessions import SessionRecord, SessionStore, sessions


class Clock:
    """Stands still until told."""

    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(engine: Engine, clock: Callable[[], float]) -> SessionStore:
    migrate(engine)
    return SessionStore(engine, idle_s=1000, absolute_s=5000, clock=clock)


def test_only_ids_that_were_given_out_open_a_session(store: SessionStore) -> None:
    given = store.start(owner="ann")
    assert len(given) == 32 and store.start() != given
    assert store.find(given) == SessionRecord("ann", None)
    assert store.find("0" * 32) is None and store.find("") is None


def test_the_table_opens_no_session(store: SessionStore, engine: Engine) -> None:
    given = store.start(owner="ann")
    with engine.connect() as db:
        row = db.execute(select(sessions)).one()
    assert given not in map(str, row)
    assert store.find(row.digest) is None


def test_a_rotated_id_opens_nothing_any_more(store: SessionStore) -> None:
    old = store.start(owner="ann")
    new = store.start(owner="ann", shopper_id="42", instead_of=old)
    assert store.find(old) is None
    assert store.find(new) == SessionRecord("ann", "42")
    store.end(new)
    assert store.find(new) is None


def test_a_session_in_use_goes_on_until_its_last_day(store: SessionStore, clock: Clock) -> None:
    given = store.start(owner="ann")
    for _ in range(5):
        clock.now += 900
        assert store.find(given)
    clock.now += 900
    assert store.find(given) is None


def test_ended_sessions_are_deleted_and_others_stay(store: SessionStore, clock: Clock) -> None:
    store.start(owner="ann")
    clock.now += 1001
    live = store.start(owner="bob")
    assert store.purge() == 1
    assert store.find(live) == SessionRecord("bob", None)
