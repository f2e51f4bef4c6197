"""What is refused before anything is spent, and in which words."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from search_client.testing import FakeSearchClient
from shopping_agent.actions import Search
from shopping_agent.agent import ShoppingAgent
from shopping_agent.model import Decision, DecisionRequest
from shopping_agent.testing import ScriptedModel
from web.app import create_app
from web.errors import WebSettingsError
from web.limits import TurnGate
from web.settings import WebSettings
from web.traffic import TrafficLimits, limits_from_env


def app_with(
    folder: Path,
    *,
    answers: int = 0,
    model: ScriptedModel | None = None,
    csrf: bool = False,
    **limits: str | int | float,
) -> Flask:
    settings = WebSettings(
        database_url=f"sqlite:///{folder}/c.sqlite",
        secret_key="k" * 32,
        limits=TrafficLimits(**limits),  # type: ignore[arg-type]  # a test names single fields
    )
    model = model or ScriptedModel([Search(keywords=["lamp"])] * answers)
    app = create_app(settings, agent=ShoppingAgent(model, FakeSearchClient([])))
    app.config.update(WTF_CSRF_ENABLED=csrf)
    return app


def say(client: FlaskClient, **headers: str) -> tuple[int, str | None, str]:
    answer = client.post("/chat", data={"message": "a lamp"}, headers=headers, buffered=True)
    return answer.status_code, answer.headers.get("Retry-After"), answer.text


def test_one_browser_is_told_to_wait_and_another_is_served(tmp_path: Path) -> None:
    app = app_with(tmp_path, answers=3, session="2 per minute", address="100 per minute")
    client = app.test_client()
    assert [say(client)[0] for _ in range(2)] == [303, 303]
    status, retry_after, text = say(client)
    assert status == 429 and 0 < int(retry_after or "0") <= 60
    assert "a lot in a short time" in text
    assert say(app.test_client())[0] == 303


def test_throwing_the_cookie_away_does_not_help(tmp_path: Path) -> None:
    app = app_with(tmp_path, answers=2, session="100 per minute", address="2 per minute")
    answers = [say(app.test_client(), **{"X-Forwarded-For": f"203.0.113.{number}"})[0] for number in range(3)]
    assert answers == [303, 303, 429]


def test_reading_is_not_limited(tmp_path: Path) -> None:
    client = app_with(tmp_path, answers=0, session="1 per minute", address="1 per minute").test_client()
    assert {client.get("/").status_code for _ in range(5)} == {200}


class ThinkingModel(ScriptedModel):
    """Thinks until told to go on."""

    def __init__(self, answers: int) -> None:
        super().__init__([Search(keywords=["lamp"])] * answers)
        self.asked, self.go_on = threading.Event(), threading.Event()

    def decide(self, request: DecisionRequest) -> Decision:
        self.asked.set()
        assert self.go_on.wait(300)
        return super().decide(request)


def test_a_full_shop_says_so_at_once_even_when_the_reader_of_a_running_turn_has_left(tmp_path: Path) -> None:
    model = ThinkingModel(2)
    app = app_with(tmp_path, model=model, running_turns=1, waiting_turns=1, waiting_s=0.01)
    streaming = app.test_client().post("/chat", data={"message": "a lamp"}, headers={"Accept": "text/event-stream"})
    assert model.asked.wait(300)
    streaming.close()
    status, retry_after, text = say(app.test_client())
    assert (status, retry_after) == (503, "5")
    assert "Many shoppers" in text
    assert app.test_client().get("/").status_code == 200
    model.go_on.set()
    end = time.monotonic() + 300
    while say(app.test_client())[0] != 303:
        assert time.monotonic() < end


def test_a_finished_turn_gives_its_place_back(tmp_path: Path) -> None:
    app = app_with(tmp_path, answers=3, running_turns=1, waiting_turns=1, waiting_s=0.01)
    assert [say(app.test_client())[0] for _ in range(3)] == [303, 303, 303]


def test_a_waiting_turn_runs_when_a_place_is_free() -> None:
    gate = TurnGate(running=1, waiting=1, waiting_s=300)
    assert gate.enter()
    entered = threading.Event()
    waiter = threading.Thread(target=lambda: entered.set() if gate.enter() else None)
    waiter.start()
    gate.leave()
    waiter.join(300)
    assert entered.is_set()


@pytest.mark.parametrize(
    ("send", "status", "words"),
    [
        (lambda client: client.get("/no/such/page"), 404, "There is no such page."),
        (lambda client: client.get("/chat"), 405, "There is no such page."),
        (lambda client: client.get("/c/unknown"), 404, "it is not yours"),
        (lambda client: client.post("/chat", data={"message": "x"}), 400, "This form is too old"),
        (lambda client: client.post("/chat", data={"message": "x" * 20_000}), 413, "too long"),
    ],
    ids=["unknown page", "wrong method", "unknown chat", "no token", "too long"],
)
def test_every_refusal_is_a_page_in_our_words(
    tmp_path: Path, send: Callable[[FlaskClient], object], status: int, words: str
) -> None:
    client = app_with(tmp_path, answers=0, csrf=status == 400).test_client()
    answer = send(client)
    assert getattr(answer, "status_code", None) == status
    assert words in getattr(answer, "text", "")


def test_an_unforeseen_error_shows_none_of_its_words(tmp_path: Path) -> None:
    app = app_with(tmp_path, answers=0)

    @app.get("/broken")
    def broken() -> str:
        raise KeyError("sk-secret /srv/path")

    for path, headers in (("/broken", {}), ("/broken", {"X-Part": "1"}), ("/broken", {"Accept": "text/event-stream"})):
        answer = app.test_client().get(path, headers=headers)
        assert answer.status_code == 500
        assert "Something went wrong on our side" in answer.text
        assert "sk-secret" not in answer.text and "KeyError" not in answer.text


@pytest.mark.parametrize(
    ("name", "value"),
    [("RATE_LIMIT_SESSION", "lots"), ("REDIS_URL", "http://x"), ("MAX_RUNNING_TURNS", "0"), ("MAX_WAITING_TURNS", "x")],
)
def test_a_wrong_limit_is_named(name: str, value: str) -> None:
    with pytest.raises(WebSettingsError, match=name):
        limits_from_env({name: value})
