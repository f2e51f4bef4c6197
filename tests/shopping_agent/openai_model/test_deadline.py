"""The turn's deadline bounds every byte on the wire, however the server spreads them."""

from __future__ import annotations

import time

import httpx2
import openai
import pytest

from shopping_agent.errors import ModelUnavailableError
from shopping_agent.model import DecisionRequest
from shopping_agent.openai_model import OpenAIActionModel, connect
from shopping_agent.openai_model.deadline import bound_by_deadline, deadline_of_thread
from shopping_agent.testing import Fault, StubOpenAI, chooses

FAR = 60.0


def test_the_pools_of_the_sdks_client_are_reached() -> None:
    with openai.DefaultHttpxClient() as client:
        assert bound_by_deadline(client)


def test_a_client_without_a_pool_is_left_as_it_is() -> None:
    with httpx2.Client(transport=httpx2.MockTransport(lambda request: httpx2.Response(200))) as client:
        assert not bound_by_deadline(client)


@pytest.mark.parametrize("fault", [Fault("dribble", every_s=0.02), Fault("hang_headers"), Fault("hang")])
def test_a_server_that_never_ends_is_left_at_the_deadline(fault: Fault) -> None:
    stub = StubOpenAI([fault])
    with stub.serve() as url:
        model = OpenAIActionModel(connect(base_url=url, timeout_s=FAR))
        started_s = time.monotonic()
        with pytest.raises(ModelUnavailableError) as caught:
            model.decide(DecisionRequest("a lamp", deadline_s=started_s + 0.3))
        model.close()
    assert caught.value.reason == "timeout"
    assert time.monotonic() - started_s < FAR / 2


@pytest.mark.parametrize("fault", [Fault("dribble", every_s=0.02), Fault("hang_headers"), Fault("hang")])
def test_a_call_that_nobody_waits_for_is_hung_up_on(fault: Fault) -> None:
    stub = StubOpenAI([fault])
    with stub.serve() as url:
        model = OpenAIActionModel(connect(base_url=url, timeout_s=FAR))
        started_s = time.monotonic()
        with pytest.raises(ModelUnavailableError) as caught:
            model.decide(DecisionRequest("a lamp", deadline_s=started_s + FAR, stopped=lambda: True))
        model.close()
    assert (caught.value.reason, stub.calls) == ("stopped", 1)
    assert time.monotonic() - started_s < FAR / 2


def test_a_call_that_somebody_waits_for_is_not() -> None:
    asked: list[str] = []

    def stopped() -> bool:
        asked.append("still wanted?")
        return False

    stub = StubOpenAI([Fault("hang")])
    with stub.serve() as url:
        model = OpenAIActionModel(connect(base_url=url, timeout_s=FAR))
        with pytest.raises(ModelUnavailableError) as caught:
            model.decide(DecisionRequest("a lamp", deadline_s=time.monotonic() + 4.0, stopped=stopped))
        model.close()
    assert caught.value.reason == "timeout" and len(asked) >= 2


def test_connections_are_kept_between_turns_and_past_a_deadline() -> None:
    stub = StubOpenAI([chooses(kind="search", keywords=["lamp"])], repeat=True)
    with stub.serve() as url:
        model = OpenAIActionModel(connect(base_url=url))
        for _ in range(3):
            model.decide(DecisionRequest("a lamp", deadline_s=time.monotonic() + FAR))
        model.close()
    assert (stub.calls, stub.connections) == (3, 1)


def test_nothing_is_opened_after_the_deadline_and_the_thread_is_free_again() -> None:
    with StubOpenAI([]).serve() as url, openai.DefaultHttpxClient() as client:
        bound_by_deadline(client)
        with deadline_of_thread(time.monotonic() - 1), pytest.raises(httpx2.ConnectTimeout):
            client.post(url)
        assert client.post(url, json={}).status_code in (401, 404)
