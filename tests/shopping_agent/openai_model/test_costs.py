"""What is sent and paid for: counted whole, never more than two, never for nothing."""

from __future__ import annotations

import logging

import pytest

from search_client.testing import FakeSearchClient
from shopping_agent.actions import Clarify, GetProductDetails, Search
from shopping_agent.agent import ShoppingAgent
from shopping_agent.errors import ModelError, ModelRefusedError, ModelReplyError, ModelUnavailableError
from shopping_agent.events import TurnFinished
from shopping_agent.model import DecisionRequest
from shopping_agent.openai_model import OpenAIActionModel, OpenAIValidator
from shopping_agent.retry import Retry
from shopping_agent.testing import Step, StubOpenAI, chooses, completion, error, says
from shopping_agent.testing.stub_openai import API_KEY

REQUEST = DecisionRequest("a lamp")
CUT = completion(
    calls=[("Search", '{"query":')], usage={"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}
)
GOOD = completion(
    calls=[("Search", '{"query":"lamp"}')], usage={"prompt_tokens": 1100, "completion_tokens": 20, "total_tokens": 1120}
)


def failure(*steps: Step) -> tuple[ModelError, StubOpenAI]:
    stub = StubOpenAI(steps, repeat=True)
    with pytest.raises(ModelError) as caught:
        OpenAIActionModel(stub.client()).decide(REQUEST)
    return caught.value, stub


def test_tokens_of_attempts_that_failed_are_counted() -> None:
    usage = OpenAIActionModel(StubOpenAI([CUT, GOOD]).client()).decide(REQUEST).usage
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (2, 2100, 70)
    assert usage.cost_usd == pytest.approx((2100 * 0.4 + 70 * 1.6) / 1e6)


def test_tokens_are_counted_also_when_every_attempt_failed() -> None:
    failed, _ = failure(CUT)
    assert isinstance(failed, ModelReplyError)
    assert (failed.usage.calls, failed.usage.input_tokens, failed.usage.output_tokens) == (2, 2000, 100)


def test_cached_tokens_are_told_apart_and_cost_less() -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 0, "prompt_tokens_details": {"cached_tokens": 800}}
    decision = OpenAIActionModel(StubOpenAI([completion(calls=[("Search", '{"query":"x"}')], usage=usage)]).client())
    told = decision.decide(REQUEST).usage
    assert (told.input_tokens, told.cached_tokens) == (1000, 800)
    assert told.cost_usd == pytest.approx((200 * 0.4 + 800 * 0.1) / 1e6)


def test_a_refusal_is_paid_for_once() -> None:
    stub = StubOpenAI([completion(refusal="No.")], repeat=True)
    assert isinstance(OpenAIActionModel(stub.client()).decide(REQUEST).action, Clarify)
    assert stub.calls == 1


@pytest.mark.parametrize(
    ("step", "kind", "reason"),
    [
        (error(429, "You exceeded your current quota", code="insufficient_quota"), ModelRefusedError, "quota"),
        (error(429, "Rate limit", code="rate_limit_exceeded"), ModelUnavailableError, "rate_limit"),
        (error(400, "invalid message content type: <nil>"), ModelRefusedError, "request"),
        (error(401, f"Incorrect API key provided: {API_KEY}."), ModelRefusedError, "key"),
        (error(404, "The model 'gpt-foo' does not exist", code="model_not_found"), ModelRefusedError, "model"),
        (error(503, "Loading model"), ModelUnavailableError, "server_error"),
    ],
)
def test_an_error_is_asked_about_once_and_named_for_the_operator(step: Step, kind: type, reason: str) -> None:
    failed, stub = failure(step)
    assert (type(failed), failed.reason, stub.calls, failed.usage.calls) == (kind, reason, 1, 1)
    assert API_KEY not in str(failed)


def test_a_missing_model_names_the_model_setting_and_the_url_that_was_called() -> None:
    failed, _ = failure(error(404, "404 page not found"))
    assert "http://stub.test/v1/chat/completions" in str(failed)
    assert "OPENAI_MODEL" in str(failed)
    assert "/v1" in str(failed)


def test_a_400_of_ours_does_not_block_the_next_message() -> None:
    stub = StubOpenAI([error(400, "bad"), chooses(kind="search", keywords=["lamp"])])
    model = OpenAIActionModel(stub.client())
    with pytest.raises(ModelRefusedError):
        model.decide(REQUEST)
    assert model.decide(REQUEST).action == Search(keywords=["lamp"])


def test_a_rate_limit_waits_as_told_and_succeeds() -> None:
    waited: list[float] = []
    limited = error(429, "slow down", code="rate_limit_exceeded", headers={"retry-after": "1"})
    stub = StubOpenAI([limited, chooses(kind="search", keywords=["lamp"])])
    decision = Retry(OpenAIActionModel(stub.client()), sleep=waited.append).decide(REQUEST)
    assert (waited, stub.calls, decision.usage.calls) == ([1.0], 2, 2)


def test_a_model_that_repeats_itself_is_asked_once_a_turn() -> None:
    stub = StubOpenAI([chooses(kind="search", keywords=["unicorn lamp"])], repeat=True)
    agent = ShoppingAgent(OpenAIActionModel(stub.client()), FakeSearchClient())
    assert agent.run("a unicorn lamp") == "This shop has nothing for “unicorn lamp”."
    assert stub.calls == 1


def test_an_action_that_cannot_run_is_told_with_what_is_possible() -> None:
    steps = [chooses(kind="details", product_id="number 9"), chooses(kind="details", product_id="2")]
    stub = StubOpenAI(steps)
    agent = ShoppingAgent(OpenAIActionModel(stub.client()), FakeSearchClient())
    history = [{"role": "assistant", "content": "1. Desk Lamp (ID: K3)\n2. Floor Lamp (ID: K4)"}]
    assert agent.decide_next_action("the ninth", history) == GetProductDetails(product_id="K4")
    assert "shown were 1: K3, 2: K4" in stub.requests[1]["messages"][-1]["content"]


@pytest.mark.parametrize("max_calls", [0, 1])
def test_no_more_calls_are_sent_than_the_turn_has_left(max_calls: int) -> None:
    stub = StubOpenAI([CUT], repeat=True)
    with pytest.raises(ModelError):
        OpenAIActionModel(stub.client()).decide(DecisionRequest("a lamp", max_calls=max_calls))
    assert stub.calls == max_calls


def test_a_turn_without_time_left_sends_nothing() -> None:
    stub = StubOpenAI([GOOD])
    with pytest.raises(ModelUnavailableError) as caught:
        OpenAIActionModel(stub.client(), clock=lambda: 10.0).decide(DecisionRequest("a lamp", deadline_s=9.0))
    assert (caught.value.reason, stub.calls) == ("timeout", 0)


def test_an_answer_without_end_is_given_up() -> None:
    huge = says('{"query":"' + "x" * 1_200_000 + '"}')
    failed, stub = failure(huge)
    assert (failed.reason, stub.calls) == ("bad_body", 1)


def test_an_answer_that_trickles_past_the_deadline_is_given_up() -> None:
    now = iter([0.0, 0.0, *[99.0] * 9])
    model = OpenAIActionModel(StubOpenAI([GOOD]).client(), clock=lambda: next(now))
    with pytest.raises(ModelUnavailableError) as caught:
        model.decide(DecisionRequest("a lamp", deadline_s=5.0))
    assert caught.value.reason == "timeout"


def test_the_key_is_never_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    steps = [error(401, f"Incorrect API key provided: {API_KEY}."), error(500, f"upstream said Bearer {API_KEY}")]
    for step in steps:
        agent = ShoppingAgent(OpenAIActionModel(StubOpenAI([step], repeat=True).client()), FakeSearchClient())
        events = list(agent.stream("a lamp"))
        assert isinstance(events[-1], TurnFinished)
        assert API_KEY not in repr(events)
    assert API_KEY not in caplog.text


@pytest.mark.parametrize(
    ("step", "verdict"),
    [
        (completion(calls=[("Verdict", '{"verdict": "safe"}')]), "safe"),
        (completion(calls=[("Verdict", '{"verdict": "unsafe"}')]), "unsafe"),
        (completion(text='{"verdict": "unsafe"}'), "unsafe"),
        (completion(calls=[("Verdict", '{"verdict": "maybe"}')]), "unknown"),
        (completion(calls=[("Verdict", "oops")]), "unknown"),
        (completion(text=""), "unknown"),
    ],
)
def test_a_message_is_judged_by_one_small_call(step: Step, verdict: str) -> None:
    stub = StubOpenAI([step])
    judgement = OpenAIValidator(stub.client(), model="gpt-4.1-mini").judge("a lamp", deadline_s=float("inf"))
    assert (judgement.verdict, judgement.usage.calls, stub.calls) == (verdict, 1, 1)
    assert stub.requests[0]["max_completion_tokens"] < 100


@pytest.mark.parametrize("step", [error(500, "x"), error(400, "tools are not supported"), error(401, "x")])
def test_a_judge_that_fails_has_its_call_counted(step: Step) -> None:
    validator = OpenAIValidator(StubOpenAI([step]).client(), model="m")
    with pytest.raises(ModelError) as caught:
        validator.judge("a lamp", deadline_s=float("inf"))
    assert caught.value.usage.calls == 1
    validator.close()
