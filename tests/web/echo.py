"""A shop whose model searches for whatever was said, and the browsers that speak to it, for tests of sessions."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from search_client.testing import FakeSearchClient
from shopping_agent.actions import Search
from shopping_agent.agent import ShoppingAgent
from shopping_agent.model import ActionModel, Decision, DecisionRequest
from tests.web.shop import PRODUCTS, events
from web.app import create_app
from web.services import EXTENSION
from web.settings import WebSettings
from web.traffic import TrafficLimits

OPERATOR = ("operator", "an operator's token")
UNLIMITED = TrafficLimits(session="1000000 per minute", address="1000000 per minute")
_TURN = re.compile(r'id="t-(\w+)" data-status="(\w+)".*?</span>([^<]*)</h2>', re.DOTALL)


class EchoModel:
    """Searches for whatever was said, and keeps what it was shown. `meanwhile` happens while it thinks."""

    name = "echo"

    def __init__(self, meanwhile: Callable[[DecisionRequest], Any] = lambda request: None) -> None:
        self.requests: list[DecisionRequest] = []
        self.meanwhile = meanwhile
        self._lock = threading.Lock()

    def decide(self, request: DecisionRequest) -> Decision:
        with self._lock:
            self.requests.append(request)
        self.meanwhile(request)
        return Decision(action=Search(keywords=[request.user_message]), model=self.name)

    def close(self) -> None:
        """Nothing is held."""


@contextmanager
def echo_app(database_url: str, model: ActionModel, *, turn_timeout_s: float = 25.0) -> Iterator[Flask]:
    """An app of few products without limits; forms need no token."""
    settings = WebSettings(database_url=database_url, secret_key="k" * 32, limits=UNLIMITED, operator_token=OPERATOR[1])
    agent = ShoppingAgent(model, FakeSearchClient(PRODUCTS), turn_timeout_s=turn_timeout_s)
    app = create_app(settings, agent=agent)
    app.config["WTF_CSRF_ENABLED"] = False
    try:
        yield app
    finally:
        app.extensions[EXTENSION].traces.flush()
        app.extensions[EXTENSION].conversations.close()


class Tab:
    """One tab: a browser's cookie, and the conversation that it shows."""

    def __init__(self, app: Flask, *, client: FlaskClient | None = None, conversation: str = "") -> None:
        self._app = app
        self.client = client or app.test_client()
        self.conversation = conversation

    def another(self, *, conversation: str = "") -> Tab:
        """A further tab of the same browser, to be used at the same time."""
        tab = Tab(self._app, conversation=conversation)
        cookie = self.client.get_cookie("shop-session")
        assert cookie, "the browser has no session yet"
        tab.client.set_cookie("shop-session", cookie.value)
        return tab

    def post(self, message: str, *, stream: bool = False, **fields: str) -> TestResponse:
        """The answer to a message, not yet read where it streams."""
        data = {"message": message, "conversation": self.conversation, **fields}
        headers = {"Accept": "text/event-stream"} if stream else {}
        return self.client.post("/chat", data=data, headers=headers, buffered=not stream)

    def say(self, message: str, **fields: str) -> int:
        """The status of the answer; the tab goes on in the conversation it leads to."""
        answer = self.post(message, stream=False, **fields)
        if answer.status_code == 303:
            self.conversation = answer.headers["Location"].split("/c/")[1].split("#")[0]
        return answer.status_code

    def say_until_taken(self, message: str) -> int:
        """Say it again as long as the chat is too busy to take it, as its page asks to."""
        while (status := self.say(message)) == 409:
            pass
        return status

    def stream(self, message: str) -> list[tuple[str, dict[str, Any]]]:
        """The events of the answer; the tab goes on in the conversation they tell."""
        steps = events(self.post(message, stream=True).text)
        self.conversation = steps[0][1]["conversation"]
        return steps

    def page(self) -> str:
        """The tab's conversation, all of it, as after a reload."""
        answer = self.client.get(f"/c/{self.conversation}?all=1")
        assert answer.status_code == 200, answer.status_code
        return answer.text

    def turns(self) -> list[tuple[str, str]]:
        """Status and message of each turn."""
        return [(status, message) for _, status, message in _TURN.findall(self.page())]

    def last_turn(self) -> str:
        """The id of the last turn."""
        return str(_TURN.findall(self.page())[-1][0])
