"""Every way a service fails, in both shapes of asking: the turn ends in time, with the right words, event and calls."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

import pytest

from search_client.models import Product
from search_client.testing import FakeSearchClient
from shopping_agent.actions import Search
from shopping_agent.agent import FALLBACK_NOTICE, ShoppingAgent
from shopping_agent.breaker import Breaker
from shopping_agent.events import ActionChosen, Notice, TurnFailed, TurnFinished
from shopping_agent.fallback import Fallback
from shopping_agent.model import Decision, DecisionRequest
from shopping_agent.openai_model import Dialect, OpenAIActionModel, connect
from shopping_agent.retry import Retry
from shopping_agent.testing import Answer, Fault, Step, StubOpenAI, chooses, completion, error, says
from shopping_agent.testing.stub_openai import API_KEY

DEADLINE_S = 1.5  # a busy machine needs some of it to send the request at all
LATE_S = 60.0  # what a busy machine may add; without a deadline these cells take minutes
LAMP = Product("K3", "Lumo Desk Lamp")
HTML = b"<html><h1>502 Bad Gateway</h1></html>"
PAGE = {"content-type": "text/html"}
CUT = '{"next_action": {"kind": "search", "keywords": ["waterproof bo'


class BuiltIn:
    """Stands in for the offline model."""

    name = "built-in"

    def decide(self, request: DecisionRequest) -> Decision:
        return Decision(Search(keywords=["lamp"]), self.name)

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class Case:
    step: Step
    calls: int
    fallback: str | None
    """None: the model's own answer is used."""


CASES = {
    "hang": Case(Fault("hang"), 1, "timeout"),
    "headers, then nothing": Case(Fault("hang_headers"), 1, "timeout"),
    "dribble": Case(Fault("dribble", every_s=0.03), 1, "timeout"),
    "reset": Case(Fault("reset"), 2, "unreachable"),
    "reset in the body": Case(Fault("reset", body=b'{"choices": ['), 2, "unreachable"),
    "400": Case(error(400, "invalid message content type: <nil>"), 1, "request"),
    "401": Case(error(401, f"Incorrect API key provided: {API_KEY}.", code="invalid_api_key"), 1, "key"),
    "404": Case(error(404, "The model 'gpt-foo' does not exist", code="model_not_found"), 1, "model"),
    "429": Case(error(429, "Rate limit reached", code="rate_limit_exceeded"), 2, "rate_limit"),
    "429, Retry-After 1": Case(error(429, "Slow down", headers={"retry-after": "1"}), 2, "rate_limit"),
    "429, Retry-After 3600": Case(error(429, "Slow down", headers={"retry-after": "3600"}), 1, "rate_limit"),
    "429, no quota": Case(error(429, "You exceeded your quota", code="insufficient_quota"), 1, "quota"),
    "500": Case(error(500, "The server had an error", kind="server_error"), 2, "server_error"),
    "502 with a page": Case(Answer(HTML, 502, PAGE), 2, "server_error"),
    "503, loading": Case(error(503, "Loading model", kind="unavailable_error"), 2, "server_error"),
    "200 with an error": Case(Answer(json.dumps({"error": {"message": "overloaded"}}).encode()), 2, "server_error"),
    "200 with a page": Case(Answer(HTML, 200, PAGE), 1, "bad_body"),
    "200, empty": Case(Answer(b""), 1, "bad_body"),
    "204": Case(Answer(b"", 204), 1, "bad_body"),
    "empty choices": Case(Answer(b'{"choices": [], "usage": null}'), 2, "unusable_reply"),
    "null choices": Case(Answer(b'{"choices": null}'), 2, "unusable_reply"),
    "empty answer": Case(completion(text=""), 2, "unusable_reply"),
    "cut by length": Case(says(CUT), 2, "unusable_reply"),
    "refusal": Case(completion(refusal="I can't help with that."), 1, None),
    "filtered": Case(completion(text=None, finish="content_filter"), 1, None),
    "garbage": Case(says("%% \x00 lorem ]]} ipsum"), 2, "unusable_reply"),
    "right": Case(chooses(kind="search", keywords=["lamp"]), 1, None),
}


def agent_at(url: str, dialect: Dialect) -> ShoppingAgent:
    online = OpenAIActionModel(connect(api_key=API_KEY, base_url=url), dialect=dialect)
    model = Fallback(Breaker(Retry(online, sleep=lambda _: None)), BuiltIn())
    return ShoppingAgent(model, FakeSearchClient([LAMP]), turn_timeout_s=120.0)


def agent_in_a_hurry(url: str, dialect: Dialect) -> ShoppingAgent:
    online = OpenAIActionModel(connect(api_key=API_KEY, base_url=url), dialect=dialect)
    return ShoppingAgent(Fallback(Retry(online), BuiltIn()), FakeSearchClient([LAMP]), turn_timeout_s=DEADLINE_S)


def played(case: Case, dialect: Dialect) -> tuple[str, bool, float]:
    """One cell: what happened in words, whether it is right, and the seconds it took."""
    stub = StubOpenAI([case.step], repeat=True)
    with stub.serve() as url:
        never_ends = isinstance(case.step, Fault) and case.step.kind != "reset"
        agent = agent_in_a_hurry(url, dialect) if never_ends else agent_at(url, dialect)
        started_s = time.monotonic()
        events = list(agent.stream("a lamp"))
        took_s = time.monotonic() - started_s
        agent.close()
    last = events[-1]
    assert isinstance(last, TurnFinished)
    notices = [event.text for event in events if isinstance(event, Notice)]
    decision = next(event.decision for event in events if isinstance(event, ActionChosen))
    fallback = decision.fallback if decision else "none"
    right = (
        fallback == case.fallback
        and stub.calls == last.usage.calls == case.calls
        and notices == ([FALLBACK_NOTICE] if case.fallback else [])
        and not any(isinstance(event, TurnFailed) for event in events)
        and (case.fallback is None or "Lumo Desk Lamp" in last.reply)
        and API_KEY not in repr(events)
        and took_s < DEADLINE_S + LATE_S
    )
    return f"{'built-in: ' + str(fallback) if fallback else 'model':<26} {stub.calls} calls", right, took_s


@pytest.mark.parametrize(
    "dialect",
    [Dialect("tools"), Dialect("json_schema"), Dialect("tools", stream=True), Dialect("json_schema", stream=True)],
    ids=["tools", "json", "tools-streamed", "json-streamed"],
)
def test_every_failure_ends_in_time_with_the_right_words_event_and_calls(
    dialect: Dialect, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    played(CASES["right"], dialect)  # what is loaded on first use would count against the first deadline
    rows = {name: played(case, dialect) for name, case in CASES.items()}
    table = "\n".join(
        f"{name:<24} {told} {took_s * 1000:7.0f} ms  {'ok' if right else 'WRONG'}"
        for name, (told, right, took_s) in rows.items()
    )
    with capsys.disabled():
        print(f"\n{dialect.mode}{', streamed' if dialect.stream else ''}\n{table}")  # noqa: T201
    assert [name for name, (_, right, _) in rows.items() if not right] == []
    assert API_KEY not in caplog.text
