"""Tabs, reloads, retries and crowds: what each shopper said stays whole, in order, and theirs; on both databases."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import Flask

from shopping_agent.errors import ModelError
from shopping_agent.model import DecisionRequest
from shopping_agent.openai_model import OpenAIActionModel
from shopping_agent.testing import Quirks, StubOpenAI, chooses
from tests.web.echo import EchoModel, Tab, echo_app

ANSWERED = "answered"


@pytest.fixture
def echo() -> EchoModel:
    return EchoModel()


@pytest.fixture
def app(database_url: str, echo: EchoModel) -> Iterator[Flask]:
    with echo_app(database_url, echo) as made:
        yield made


def said(request: DecisionRequest) -> list[str]:
    """What a model was shown of the conversation, without our own answers."""
    return [turn.text for turn in request.conversation.turns if turn.role == "user"]


def hold(echo: EchoModel, message: str) -> tuple[threading.Event, threading.Event]:
    """The model thinks about `message` until the second event is set; the first one tells that it does."""
    asked, go_on = threading.Event(), threading.Event()

    def meanwhile(request: DecisionRequest) -> None:
        if request.user_message == message:
            asked.set()
            assert go_on.wait(300)

    echo.meanwhile = meanwhile
    return asked, go_on


def test_many_tabs_of_one_shopper_lose_and_double_nothing_and_keep_their_order(app: Flask, echo: EchoModel) -> None:
    first = Tab(app)
    first.say("lamp")
    tabs = [first.another(conversation=first.conversation) for _ in range(32)]

    def talk(number: int) -> None:
        assert [tabs[number].say_until_taken(f"lamp {number} {turn}") for turn in range(2)] == [303, 303]

    with ThreadPoolExecutor(32) as pool:
        list(pool.map(talk, range(32)))
    kept = [message for status, message in first.turns() if status == ANSWERED]
    assert sorted(kept) == sorted(["lamp", *(f"lamp {number} {turn}" for number in range(32) for turn in range(2))])
    for number in range(32):
        assert [message for message in kept if message.startswith(f"lamp {number} ")] == [
            f"lamp {number} {turn}" for turn in range(2)
        ]


def test_messages_sent_at_the_same_instant_are_asked_about_one_after_the_other(app: Flask, echo: EchoModel) -> None:
    first = Tab(app)
    first.say("lamp")
    tabs = [first.another(conversation=first.conversation) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda n: tabs[n].say_until_taken(f"lamp {n}"), range(4))) == {303}
    asked = [request.user_message for request in echo.requests]
    for number, request in enumerate(echo.requests):
        roles = [turn.role for turn in request.conversation.turns]
        assert roles == ["user", "assistant"] * number, "half a turn was shown to the model"
        assert said(request) == asked[:number]


def test_no_marker_of_one_shopper_reaches_another(app: Flask, echo: EchoModel) -> None:
    def shop(number: int) -> None:
        tab = Tab(app)
        for turn in range(4):
            assert tab.say(f"lamp marker{number}x{turn}") == 303
        assert [message for _, message in tab.turns()] == [f"lamp marker{number}x{turn}" for turn in range(4)]
        seen = tab.page() + tab.client.get("/conversations").text + tab.client.get("/").text
        assert {int(found) for found in re.findall(r"marker(\d+)x", seen)} == {number}

    with ThreadPoolExecutor(10) as pool:
        list(pool.map(shop, range(20)))
    assert len(echo.requests) == 80
    for request in echo.requests:
        shown = request.user_message + "".join(turn.text for turn in request.conversation.turns)
        assert len(set(re.findall(r"marker(\d+)x", shown))) == 1


def test_streams_that_run_at_once_each_tell_their_own_answer(app: Flask) -> None:
    def ask(number: int) -> str:
        return "".join(str(step) for _, step in Tab(app).stream(f"lamp marker{number}x"))

    with ThreadPoolExecutor(10) as pool:
        for number, told in enumerate(pool.map(ask, range(20))):
            assert set(re.findall(r"marker(\d+)x", told)) == {str(number)}


def test_a_slow_tab_and_a_quick_one_get_their_own_answers(app: Flask, echo: EchoModel) -> None:
    slow = Tab(app)
    slow.say("lamp")
    quick = slow.another()
    asked, go_on = hold(echo, "lamp slow")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(slow.say, "lamp slow")
        assert asked.wait(300)
        assert quick.say("lamp quick") == 303
        go_on.set()
        assert waiting.result() == 303
    assert slow.turns() == [(ANSWERED, "lamp"), (ANSWERED, "lamp slow")]
    assert quick.turns() == [(ANSWERED, "lamp quick")]
    assert said(echo.requests[-1]) == []


def test_reading_while_others_write_never_finds_less_than_before(app: Flask) -> None:
    writer = Tab(app)
    writer.say("lamp")
    readers = [writer.another(conversation=writer.conversation) for _ in range(4)]

    def read(reader: Tab) -> None:
        seen = 1
        for _ in range(10):
            count = len(reader.turns())
            assert count >= seen
            seen = count

    with ThreadPoolExecutor(4) as pool:
        reading = [pool.submit(read, reader) for reader in readers]
        for number in range(12):
            assert writer.say(f"lamp {number}") == 303
        for each in reading:
            each.result()
    assert len(writer.turns()) == 13


def test_the_first_streamed_answer_brings_the_session_and_the_next_turn_knows_it(app: Flask, echo: EchoModel) -> None:
    tab = Tab(app)
    answer = tab.post("a lamp", stream=True)
    assert "shop-session=" in answer.headers["Set-Cookie"]
    tab.conversation = re.findall(r'"conversation": "(\w+)"', answer.text)[0]
    assert tab.say("and the second?") == 303
    roles = [turn.role for turn in echo.requests[1].conversation.turns]
    assert (roles, said(echo.requests[1])) == (["user", "assistant"], ["a lamp"])


def test_the_cookie_stays_small_and_the_thirtieth_turn_is_shown_with_the_first(app: Flask, echo: EchoModel) -> None:
    tab = Tab(app)
    for number in range(30):
        answer = tab.post(f"lamp {number} " + "and a long wish " * 18)
        assert all(len(cookie) < 400 for cookie in answer.headers.getlist("Set-Cookie"))
        tab.conversation = answer.headers["Location"].split("/c/")[1].split("#")[0]
    assert [message.split(" and")[0] for _, message in tab.turns()] == [f"lamp {number}" for number in range(30)]
    assert len(said(echo.requests[-1])) == 29


def test_a_reloaded_page_shows_every_turn_with_its_cards_and_the_chat_goes_on(app: Flask, echo: EchoModel) -> None:
    tab = Tab(app)
    for message in ("lamp", "mug", "tee"):
        tab.say(message)
    again = tab.another(conversation=tab.conversation)
    assert again.turns() == [(ANSWERED, "lamp"), (ANSWERED, "mug"), (ANSWERED, "tee")]
    assert "Lumo Desk Lamp" in again.page() and "Acme Tee" in again.page()
    assert tab.client.get("/latest").headers["Location"].endswith(tab.conversation)
    again.say("lamp again")
    assert said(echo.requests[-1]) == ["lamp", "mug", "tee"] and len(tab.turns()) == 4


def test_the_model_is_told_the_products_in_the_order_of_the_page(app: Flask, echo: EchoModel) -> None:
    tab = Tab(app)
    tab.say("lamp")
    tab.say("the second one")
    page = re.findall(r'<h3 dir="auto"><a href="[^"]*">([^<]*)</a></h3>', tab.page())
    shown = [(product.position, product.title) for product in echo.requests[1].conversation.shown]
    assert shown == list(enumerate(page[: len(shown)], 1)) and len(shown) == 3


def test_a_new_chat_knows_nothing_of_the_old_one(app: Flask, echo: EchoModel) -> None:
    tab = Tab(app)
    tab.say("my dog is called Biscuit")
    new = tab.another()
    assert "what is my dog called" not in new.client.get("/").text
    new.say("what is my dog called?")
    assert "Biscuit" not in "".join(turn.text for turn in echo.requests[1].conversation.turns)
    assert [message for _, message in new.turns()] == ["what is my dog called?"]


def test_an_answer_that_comes_late_stays_in_its_own_chat(app: Flask, echo: EchoModel) -> None:
    old = Tab(app)
    old.say("lamp")
    asked, go_on = hold(echo, "lamp late")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(old.stream, "lamp late")
        assert asked.wait(300)
        new = old.another()
        assert new.say("mug") == 303
        go_on.set()
        assert waiting.result()[-1][0] == "turn_finished"
    assert new.turns() == [(ANSWERED, "mug")]
    assert old.turns() == [(ANSWERED, "lamp"), (ANSWERED, "lamp late")]


def test_what_was_deleted_does_not_come_back_with_an_answer_that_was_on_its_way(app: Flask, echo: EchoModel) -> None:
    old = Tab(app)
    old.say("lamp")
    other = old.another()
    asked, go_on = hold(echo, "lamp late")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(old.post, "lamp late", stream=True)
        assert asked.wait(300)
        assert other.client.post(f"/c/{old.conversation}/delete").status_code == 303
        assert other.say("mug") == 303
        go_on.set()
        assert "turn_finished" not in waiting.result().text
    assert other.client.get(f"/c/{old.conversation}").status_code == 404
    assert "lamp late" not in other.client.get("/conversations").text
    assert other.turns() == [(ANSWERED, "mug")]


def fails_once() -> Callable[[DecisionRequest], None]:
    left = [ModelError("down")]

    def meanwhile(_: DecisionRequest) -> None:
        if left:
            raise left.pop()

    return meanwhile


def test_a_failed_message_is_kept_on_the_page_and_out_of_what_the_model_is_told(app: Flask, echo: EchoModel) -> None:
    echo.meanwhile = fails_once()
    tab = Tab(app)
    tab.say("a boat")
    tab.say("lamps please")
    assert tab.turns() == [("failed", "a boat"), (ANSWERED, "lamps please")]
    assert said(echo.requests[1]) == []


def test_a_failed_message_that_is_tried_again_stands_there_once_with_one_answer(app: Flask, echo: EchoModel) -> None:
    echo.meanwhile = fails_once()
    tab = Tab(app)
    tab.say("a lamp")
    tab.say("a lamp", replaces=tab.last_turn())
    assert tab.turns() == [(ANSWERED, "a lamp")]
    assert said(echo.requests[1]) == []


def test_a_form_that_is_sent_again_after_its_answer_was_lost_is_one_turn(app: Flask, echo: EchoModel) -> None:
    tab = Tab(app)
    tab.say("a lamp", key="k1")
    tab.say("a lamp", key="k1")
    assert tab.turns() == [(ANSWERED, "a lamp")] and len(echo.requests) == 1


def test_another_app_on_the_same_host_does_not_take_the_session(app: Flask) -> None:
    tab = Tab(app)
    tab.say("a lamp")
    tab.client.set_cookie("session", "eyJ4IjoxfQ.another.app")
    tab.say("a mug")
    assert [message for _, message in tab.turns()] == ["a lamp", "a mug"]


def test_requests_that_end_well_fail_or_lose_their_reader_leave_nothing_open(app: Flask, echo: EchoModel) -> None:
    def round_of_three() -> None:
        assert Tab(app).say("lamp") == 303
        echo.meanwhile = fails_once()
        assert Tab(app).say("lamp") == 303
        left = Tab(app).post("lamp", stream=True)
        assert next(iter(left.response))
        left.close()

    def held() -> tuple[int, int]:
        for thread in threading.enumerate():
            if thread.name == "turn" or isinstance(thread, threading.Timer):  # ends by itself
                thread.join(300)
        return len(os.listdir("/proc/self/fd")), threading.active_count()

    if not Path("/proc/self/fd").exists():
        pytest.skip("open files are counted in /proc")
    round_of_three()
    files, threads = held()
    for _ in range(15):
        round_of_three()
    now = held()
    assert now[1] <= threads
    assert now[0] < files + 10, "45 requests may need a few more connections, kept for the next ones, and no more"


def test_forty_long_turns_stay_within_bounds_for_a_strict_model(database_url: str) -> None:
    stub = StubOpenAI([chooses(kind="search", keywords=["lamp"])], repeat=True)
    with echo_app(database_url, OpenAIActionModel(stub.client())) as app:
        tab = Tab(app)
        for number in range(40):
            assert tab.say(f"tell me about lamps {number} " + "please " * 50) == 303
        assert {status for status, _ in tab.turns()} == {ANSWERED}
    sizes = [sum(len(str(message["content"])) for message in request["messages"]) for request in stub.requests]
    last = stub.requests[-1]["messages"]
    assert stub.calls == 40 and max(sizes) < 3 * sizes[0]
    assert [message["role"] for message in last] == ["system", *["user", "assistant"] * (len(last) // 2 - 1), "user"]
    assert "lamps 39" in last[-1]["content"] and all(message["content"] for message in last)


def test_a_model_with_a_short_context_answers_turn_after_turn(database_url: str) -> None:
    stub = StubOpenAI([chooses(kind="search", keywords=["lamp"])], repeat=True, quirks=Quirks(max_chars=5_500))
    with echo_app(database_url, OpenAIActionModel(stub.client())) as app:
        tab = Tab(app)
        for number in range(12):
            assert tab.say(f"tell me about lamps {number} " + "please " * 110) == 303
        assert [status for status, _ in tab.turns()] == [ANSWERED] * 12
    assert stub.calls > 12, "the context was never too short: the test shows nothing"
    assert "lamps 11" in stub.requests[-1]["messages"][-1]["content"]
