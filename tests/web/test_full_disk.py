"""A database that may not be written: what was said stays readable, shoppers are told, and nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine, event

from search_client.testing import FakeSearchClient
from shopping_agent.actions import Search
from shopping_agent.agent import ShoppingAgent
from shopping_agent.model import Decision, DecisionRequest
from tests.disks import disk, fill
from tests.web.shop import LAMP, events
from web.app import create_app
from web.services import EXTENSION
from web.settings import WebSettings

TOLD = "Chats cannot be saved right now"


class BusyModel:
    """Searches for what was said; something happens while it thinks."""

    name = "busy"

    def __init__(self) -> None:
        self.meanwhile: Callable[[], Any] = lambda: None

    def decide(self, request: DecisionRequest) -> Decision:
        self.meanwhile()
        return Decision(action=Search(keywords=[request.user_message]), model=self.name)

    def close(self) -> None:
        """Nothing is held."""


Open = Callable[[str, BusyModel], Flask]


@pytest.fixture
def open_app() -> Iterator[Open]:
    """Opens an app on a database, which is released at the end."""
    apps: list[Flask] = []

    def open_one(url: str, model: BusyModel) -> Flask:
        settings = WebSettings(database_url=url, secret_key="k" * 32)
        apps.append(create_app(settings, agent=ShoppingAgent(model, FakeSearchClient([LAMP]))))
        apps[-1].config["WTF_CSRF_ENABLED"] = False
        return apps[-1]

    yield open_one
    for app in apps:
        app.extensions[EXTENSION].conversations.close()


def say(client: FlaskClient, message: str, conversation: str = "", **headers: str) -> tuple[int, str]:
    """Status, and the conversation or what was told."""
    data = {"message": message, "conversation": conversation}
    answer = client.post("/chat", data=data, headers=headers, buffered=True)
    place = answer.headers.get("Location", "")
    return answer.status_code, place.split("/c/")[1].split("#")[0] if place else answer.text


def said(client: FlaskClient, conversation: str) -> list[tuple[str, str]]:
    """Status and message of each turn of a conversation, as its page shows them."""
    page = client.get(f"/c/{conversation}")
    assert page.status_code == 200
    return re.findall(r'id="t-\w+" data-status="(\w+)".*?</span>([^<]*)</h2>', page.text, re.DOTALL)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    with disk(tmp_path / "disk") as mounted:
        yield mounted


def test_a_full_disk_is_told_and_what_was_said_before_can_be_read(place: Path, open_app: Open) -> None:
    app = open_app(f"sqlite:///{place}/c.sqlite", BusyModel())
    client = app.test_client()
    _, conversation = say(client, "a lamp")
    ballast = fill(place)
    for headers in ({}, {"X-Part": "1"}, {"Accept": "text/event-stream"}):
        status, told = say(client, "a mug", conversation, **headers)
        assert status == 503 and TOLD in told
    assert say(app.test_client(), "a newcomer's wish")[0] == 503
    for path in ("/healthz", "/readyz", "/", "/conversations", "/cart"):
        assert client.get(path).status_code == 200, path
    assert said(client, conversation) == [("answered", "a lamp")]
    ballast.unlink()
    assert say(client, "a tee", conversation) == (303, conversation)
    assert said(client, conversation) == [("answered", "a lamp"), ("answered", "a tee")]


def test_a_disk_that_fills_while_a_model_thinks_costs_the_answer_and_never_the_message(
    place: Path, open_app: Open
) -> None:
    model, url = BusyModel(), f"sqlite:///{place}/c.sqlite"
    app = open_app(url, model)
    client = app.test_client()
    _, conversation = say(client, "a lamp")
    model.meanwhile = lambda: fill(place)
    data = {"message": "a mug", "conversation": conversation}
    stream = client.post("/chat", data=data, headers={"Accept": "text/event-stream"})
    steps = events(stream.text)
    assert steps[-2][0] == "turn_failed" and "Something went wrong on our side" in steps[-2][1]["html"]
    assert steps[-1][0] == "turn_finished"
    assert said(client, conversation) == [("answered", "a lamp"), ("failed", "a mug")]
    (place / "ballast").unlink()
    model.meanwhile = lambda: None
    assert say(client, "a mug", conversation) == (303, conversation)
    assert said(client, conversation)[-1] == ("answered", "a mug")


def refuse_writes(engine: Engine) -> None:
    """From now on the database may only be read, as on a disk that was remounted so or a standby."""
    engine.dispose()
    command = "PRAGMA query_only = ON" if engine.dialect.name == "sqlite" else "SET default_transaction_read_only = on"

    @event.listens_for(engine, "connect")
    def _(connection: Any, _record: Any) -> None:
        connection.execute(command)
        connection.commit()


def test_a_read_only_database_is_told_and_what_was_said_before_can_be_read(database_url: str, open_app: Open) -> None:
    app = open_app(database_url, BusyModel())
    client = app.test_client()
    _, conversation = say(client, "a lamp")
    refuse_writes(app.extensions[EXTENSION].carts._engine)
    for headers in ({}, {"X-Part": "1"}, {"Accept": "text/event-stream"}):
        status, told = say(client, "a mug", conversation, **headers)
        assert status == 503 and TOLD in told
    for path in ("/healthz", "/readyz", "/", "/conversations"):
        assert client.get(path).status_code == 200, path
    assert said(client, conversation) == [("answered", "a lamp")]
