"""A database that may not be written: what was said stays readable, shoppers are told, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from tests.disks import disk, fill, tablespace
from tests.postgres import postgres_schema
from tests.web.echo import EchoModel, Tab, echo_app
from web.services import EXTENSION

ANSWERED = "answered"
READABLE = ("/healthz", "/readyz", "/", "/conversations", "/cart")


@pytest.fixture
def place() -> Iterator[Path]:
    with disk() as mounted:
        yield mounted


def assert_told(tab: Tab) -> None:
    """The page, a part of it and the stream say that nothing was sent, and what can be read is read."""
    for headers in ({}, {"X-Part": "1"}, {"Accept": "text/event-stream"}):
        data = {"message": "a mug", "conversation": tab.conversation}
        answer = tab.client.post("/chat", data=data, headers=headers)
        assert answer.status_code == 503 and answer.headers["Retry-After"]
        assert "Chats cannot be saved right now" in answer.text
    for path in READABLE:
        assert tab.client.get(path).status_code == 200, path
    assert tab.turns() == [(ANSWERED, "a lamp")]


def test_a_full_disk_is_told_and_what_was_said_before_can_be_read(place: Path) -> None:
    with echo_app(f"sqlite:///{place}/c.sqlite", EchoModel()) as app:
        tab = Tab(app)
        tab.say("a lamp")
        ballast = fill(place)
        assert_told(tab)
        assert Tab(app).say("a newcomer's wish") == 503
        ballast.unlink()
        assert tab.say("a tee") == 303
        assert tab.turns() == [(ANSWERED, "a lamp"), (ANSWERED, "a tee")]


def test_a_disk_that_fills_while_a_model_thinks_costs_the_answer_and_never_the_message(place: Path) -> None:
    model = EchoModel()
    with echo_app(f"sqlite:///{place}/c.sqlite", model) as app:
        tab = Tab(app)
        tab.say("a lamp")
        model.meanwhile = lambda _: fill(place)
        steps = tab.stream("a mug")
        assert [name for name, _ in steps[-2:]] == ["turn_failed", "turn_finished"]
        assert "Something went wrong on our side" in steps[-2][1]["html"]
        assert tab.turns() == [(ANSWERED, "a lamp"), ("failed", "a mug")]
        (place / "ballast").unlink()
        model.meanwhile = lambda _: None
        assert tab.say("a mug", replaces=tab.last_turn()) == 303
        assert tab.turns() == [(ANSWERED, "a lamp"), (ANSWERED, "a mug")]


@pytest.mark.postgres
def test_a_full_disk_of_postgresql_is_told_and_every_message_that_was_taken_is_kept() -> None:
    with (
        postgres_schema() as url,
        disk(megabytes=3) as place,
        tablespace(place, url) as full_url,
        echo_app(full_url, EchoModel()) as app,
    ):
        tab = Tab(app)
        taken = ["a lamp"]
        tab.say("a lamp")
        ballast = fill(place)
        while (status := tab.say(f"mug {len(taken)}")) == 303:  # as long as pages have room
            taken.append(f"mug {len(taken)}")
            assert len(taken) < 500
        assert status == 503
        for path in READABLE:
            assert tab.client.get(path).status_code == 200, path
        assert [message for _, message in tab.turns()] == taken
        ballast.unlink()
        assert tab.say("a tee") == 303
        assert [message for _, message in tab.turns()] == [*taken, "a tee"]
        assert tab.turns()[-1] == (ANSWERED, "a tee")


def refuse_writes(engine: Engine) -> None:
    """From now on the database may only be read, as on a disk that was remounted so or a standby."""
    engine.dispose()
    command = "PRAGMA query_only = ON" if engine.dialect.name == "sqlite" else "SET default_transaction_read_only = on"

    @event.listens_for(engine, "connect")
    def _(connection: Any, _record: Any) -> None:
        connection.execute(command)
        connection.commit()


def test_a_read_only_database_is_told_and_what_was_said_before_can_be_read(database_url: str) -> None:
    with echo_app(database_url, EchoModel()) as app:
        tab = Tab(app)
        tab.say("a lamp")
        refuse_writes(app.extensions[EXTENSION].carts._engine)
        assert_told(tab)
