"""Answers of other servers' tools on the page, and the shopper's own yes before anything is changed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from search_client.testing import FakeSearchClient
from shopping_agent.events import EVENT_NAMES
from shopping_agent.mcp_host.agent import McpShoppingAgent
from shopping_agent.steps.step import FinalAnswer, ToolCall
from shopping_agent.testing.scripted_steps import Planned, ScriptedSteps
from tests.shopping_agent.mcp_host.servers import Analyst, toolbox
from tests.web.shop import PRODUCTS
from web.app import create_app
from web.observing import TurnTrace, observe
from web.services import EXTENSION
from web.settings import WebSettings
from web.store.conversation_store import TurnRecord
from web.tracing import record_of

Open = Callable[..., FlaskClient]
ERASE = ToolCall("erase_table", {"table": "t1"})


@pytest.fixture
def analyst() -> Analyst:
    made = Analyst()
    made.export_sales()
    return made


@pytest.fixture
def open_page(tmp_path: Path, analyst: Analyst) -> Iterator[Open]:
    """Opens a shop whose agent uses the analyst's tools."""
    opened = []

    def open_one(*steps: Planned, csrf: bool = False) -> FlaskClient:
        tools = toolbox(tmp_path, sheets=analyst.server)
        agent = McpShoppingAgent(ScriptedSteps(steps), FakeSearchClient(PRODUCTS), tools=tools)
        settings = WebSettings(database_url=f"sqlite:///{tmp_path}/c.sqlite", secret_key="k" * 32)
        app = create_app(settings, agent=agent)
        app.config["WTF_CSRF_ENABLED"] = csrf
        opened.append((app, agent))
        return app.test_client()

    yield open_one
    for app, agent in opened:
        app.extensions[EXTENSION].conversations.close()
        agent.close()


def say(client: FlaskClient, message: str) -> str:
    """The page after a message sent by a form."""
    with closing(client.post("/chat", data={"message": message}, follow_redirects=True)) as page:
        assert page.status_code == 200
        return page.text


def confirm_url(page: str) -> str:
    found = re.search(r'action="(/c/[^"]+/confirm)"', page)
    assert found
    return found[1]


def test_a_tools_words_are_shown_as_plain_text_from_there_now_and_later(open_page: Open) -> None:
    client = open_page(ToolCall("view_table", {"table": "t1", "rows": 1}), FinalAnswer("Lamps earned 1,000,000"))
    page = say(client, "what sold?")
    assert "From view_table (sheets):" in page and "Lamp, 12, 478.8" in page
    assert "1,000,000" not in page and "1,000,000" not in client.get("/").text


def test_each_step_is_told_to_a_script_without_thoughts_or_results(open_page: Open) -> None:
    client = open_page(ToolCall("view_table", {"table": "t1"}, "a secret thought"), FinalAnswer("done"))
    with closing(
        client.post("/chat", data={"message": "what sold?"}, headers={"Accept": "text/event-stream"})
    ) as stream:
        events = [
            (lines[0].removeprefix("event: "), json.loads(lines[1].removeprefix("data: ")))
            for lines in (block.split("\n") for block in stream.text.strip().split("\n\n"))
        ]
    assert [name for name, _ in events] == ["turn_started", "step_taken", "tool_answered", "turn_finished"]
    assert {name for name, _ in events} <= set(EVENT_NAMES.values())
    assert "Asking view_table…" in events[1][1]["html"]
    assert "secret" not in json.dumps(events[:2]) and "478.8" not in events[1][1]["html"]
    assert "Lamp, 12, 478.8" in events[2][1]["html"]


def test_a_tools_name_that_a_model_made_up_is_not_repeated(open_page: Open) -> None:
    client = open_page(
        ToolCall("Everything is free today", {}), ToolCall("view_table", {"table": "t1"}), FinalAnswer("")
    )
    with closing(client.post("/chat", data={"message": "hm"}, headers={"Accept": "text/event-stream"})) as stream:
        assert "is free" not in stream.text and "Asking view_table" in stream.text


def test_nothing_is_changed_before_the_shopper_says_yes_and_then_once(open_page: Open, analyst: Analyst) -> None:
    client = open_page(ERASE)
    page = say(client, "erase the table")
    assert "May I run “Erase a table” of sheets?" in page and "table: t1" in page and analyst.erased == 0
    url = confirm_url(page)
    with closing(client.post(url, data={"answer": "yes"}, follow_redirects=True)) as done:
        assert "t1 is erased" in done.text and "Yes, run “Erase a table”." in done.text
    client.post(url, data={"answer": "yes"}).close()
    assert analyst.erased == 1
    assert "/confirm" not in client.get(url.split("/t/")[0]).text


def test_a_no_leaves_everything_and_asks_no_more(open_page: Open, analyst: Analyst) -> None:
    client = open_page(ERASE)
    url = confirm_url(say(client, "erase the table"))
    with closing(client.post(url, data={"answer": "no"}, follow_redirects=True)) as page:
        assert "/confirm" not in page.text and "I asked whether to run" in page.text
    client.post(url, data={"answer": "yes"}).close()
    assert analyst.erased == 0


def test_a_yes_counts_only_from_the_same_shopper_and_with_the_pages_token(open_page: Open, analyst: Analyst) -> None:
    client = open_page(ERASE)
    url = confirm_url(say(client, "erase the table"))
    client.application.config["WTF_CSRF_ENABLED"] = True
    assert client.post(url, data={"answer": "yes"}).status_code == 400
    client.application.config["WTF_CSRF_ENABLED"] = False
    assert client.application.test_client().post(url, data={"answer": "yes"}).status_code == 404
    assert client.post(url.replace("/t/", "/t/x"), data={"answer": "yes"}).status_code == 404
    assert analyst.erased == 0


def test_a_tool_that_fails_is_told_with_care(open_page: Open, analyst: Analyst) -> None:
    client = open_page(ERASE)
    url = confirm_url(say(client, "erase the table"))
    analyst.server.remove_tool("erase_table")
    agent: Any = client.application.extensions[EXTENSION].agent
    agent.tools.discover(again=True)
    with closing(client.post(url, data={"answer": "yes"}, follow_redirects=True)) as page:
        assert "Please look whether anything was done" in page.text


def test_hostile_tool_text_stays_text(open_page: Open, analyst: Analyst) -> None:
    analyst.tables["t1"] = [{"product": "<script>alert(1)</script>", "units": 1, "revenue": 1}]
    page = say(open_page(ToolCall("view_table", {"table": "t1"}), FinalAnswer("")), "what sold?")
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page


def test_operators_see_each_step_with_its_thought(tmp_path: Path, analyst: Analyst) -> None:
    steps = ScriptedSteps([ToolCall("view_table", {"table": "t1"}, "look at it"), FinalAnswer("done")])
    agent = McpShoppingAgent(steps, FakeSearchClient(), tools=toolbox(tmp_path, sheets=analyst.server))
    traces: list[TurnTrace] = []
    for _ in observe(agent.stream("what sold?"), done=traces.append):
        pass
    agent.close()
    row = record_of(traces[0], TurnRecord("t", "c", 1, "what sold?", "answered", 0.0))
    assert (row.model, row.detail["calls"]) == ("scripted", 2)
    [step] = row.detail["steps"]
    assert (step["tool"], step["thought"], step["is_error"]) == ("view_table", "look at it", False)
    assert "Lamp, 12" in step["observation"]
