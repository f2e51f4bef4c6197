"""Servers that understand less than OpenAI: learned from their first refusal, at the price of one call."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shopping_agent.actions import Search
from shopping_agent.conversation import parse_conversation
from shopping_agent.errors import ModelError
from shopping_agent.model import DecisionRequest
from shopping_agent.openai_model import Dialect, OpenAIActionModel, usable_url
from shopping_agent.openai_model.dialect import adapted
from shopping_agent.testing import Answer, Quirks, StubOpenAI, chooses, completion, streams

LAMP = chooses(kind="search", keywords=["lamp"])
HISTORY: list[dict[str, Any]] = [
    {"role": "assistant", "content": "Hello, what can I do for you?"},
    {"role": "user", "content": "a turn that failed"},
    {"role": "user", "content": "a turn that was blocked"},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "x"}]},
    {"role": "tool", "content": "x", "tool_call_id": "y"},
    {"role": "system", "content": "a hint"},
    {"role": "assistant", "content": "Which colour?"},
]


def decided(stub: StubOpenAI, *, dialect: Dialect | None = None, turns: int = 1) -> OpenAIActionModel:
    model = OpenAIActionModel(stub.client(), dialect=dialect)
    for _ in range(turns):
        decision = model.decide(DecisionRequest("a lamp", parse_conversation(HISTORY)))
        assert decision.action == Search(keywords=["lamp"])
    return model


@pytest.mark.parametrize(
    ("quirks", "learned"),
    [
        (Quirks(no_tools=True), {"mode": "json_schema"}),
        (Quirks(no_tool_choice=True), {"left_out": frozenset({"tool_choice"})}),
        (Quirks(no_system_role=True), {"system_role": "user"}),
        (Quirks(minimal_fields=True), {"token_field": "max_tokens"}),
    ],
)
def test_what_a_server_refuses_is_left_out_after_one_refusal(quirks: Quirks, learned: dict[str, Any]) -> None:
    stub = StubOpenAI([LAMP], repeat=True, quirks=quirks)
    model = decided(stub, turns=2)
    assert stub.calls == 3
    assert {name: getattr(model.dialect, name) for name in learned} == learned


def test_a_server_without_response_formats_gets_the_schema_in_the_prompt() -> None:
    stub = StubOpenAI([LAMP], quirks=Quirks(no_response_format=True))
    assert decided(stub, dialect=Dialect("json_schema")).dialect.mode == "md_json"
    assert "JSON schema" in stub.requests[-1]["messages"][0]["content"]


def test_two_refusals_spend_the_calls_and_the_next_message_works() -> None:
    stub = StubOpenAI([LAMP], quirks=Quirks(no_tools=True, no_system_role=True))
    model = OpenAIActionModel(stub.client())
    with pytest.raises(ModelError):
        model.decide(DecisionRequest("a lamp"))
    assert model.decide(DecisionRequest("a lamp")).usage.calls == 1


@pytest.mark.parametrize("mode", ["tools", "json_schema", "md_json"])
@pytest.mark.parametrize("system_role", ["system", "user"])
def test_roles_alternate_with_one_system_message_first_whatever_the_history(mode: Any, system_role: Any) -> None:
    quirks = Quirks(strict_alternation=True, no_system_role=system_role == "user")
    stub = StubOpenAI([completion(text="oops"), LAMP], quirks=quirks)
    decided(stub, dialect=Dialect(mode, system_role))
    assert stub.calls == 2


def test_a_context_that_is_too_short_gets_less_history() -> None:
    turns = [{"role": role, "content": "word " * 100} for role in ("user", "assistant") * 5]
    stub = StubOpenAI([LAMP], quirks=Quirks(max_chars=5000))
    model = OpenAIActionModel(stub.client())
    assert model.decide(DecisionRequest("a lamp", parse_conversation(turns))).usage.calls == 2


def test_a_server_that_streams_unasked_is_understood() -> None:
    delta = {"role": "assistant", "content": '{"kind":"search","keywords":["lamp"]}'}
    events = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {"choices": [{"delta": {}, "finish_reason": "stop"}]},
    ]
    decided(StubOpenAI([streams(*events)]))


def test_an_error_within_a_stream_is_that_error() -> None:
    told = {"error": {"message": "quota exceeded", "code": "insufficient_quota"}}
    stub = StubOpenAI([streams({"choices": [{"delta": {"content": "Let me"}}]}, told)])
    with pytest.raises(ModelError) as caught:
        OpenAIActionModel(stub.client(), dialect=Dialect(stream=True)).decide(DecisionRequest("a lamp"))
    assert (caught.value.reason, stub.calls) == ("quota", 1)


def test_a_stream_that_breaks_off_is_not_taken_for_an_answer() -> None:
    stub = StubOpenAI([streams({"choices": [{"delta": {"content": '{"kind":"search"'}}]}, done=False)])
    with pytest.raises(ModelError) as caught:
        OpenAIActionModel(stub.client(), dialect=Dialect(stream=True)).decide(DecisionRequest("a lamp"))
    assert caught.value.reason == "interrupted"


def test_content_in_parts_is_text() -> None:
    decided(StubOpenAI([completion(text=[{"type": "text", "text": '{"kind":"search","keywords":["lamp"]}'}])]))  # type: ignore[arg-type]


def test_the_older_function_call_field_is_a_call() -> None:
    decided(StubOpenAI([completion(function_call={"name": "Search", "arguments": '{"query":"lamp"}'})]))


def test_a_model_that_was_just_loaded_is_asked_again() -> None:
    stub = StubOpenAI([completion(text="", finish="load", usage=None), LAMP])
    decided(stub)
    assert stub.calls == 2


def test_a_prompt_that_the_server_cut_silently_is_told_to_the_operator(caplog: pytest.LogCaptureFixture) -> None:
    turns = [{"role": role, "content": "word " * 90} for role in ("user", "assistant") * 4]
    stub = StubOpenAI([completion(calls=[("Search", '{"query":"lamp"}')], usage={"prompt_tokens": 40})])
    OpenAIActionModel(stub.client()).decide(DecisionRequest("a lamp", parse_conversation(turns)))
    assert "HISTORY_TOKENS" in caplog.text


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("http://127.0.0.1:11434", "http://127.0.0.1:11434/v1"),
        ("http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1"),
        ("http://127.0.0.1:11434/v1/", "http://127.0.0.1:11434/v1"),
        ("http://127.0.0.1:11434/v1/chat/completions", "http://127.0.0.1:11434/v1"),
        ("https://proxy.example/openai/v1", "https://proxy.example/openai/v1"),
    ],
)
def test_a_base_url_works_however_much_of_it_is_given(given: str, used: str) -> None:
    assert usable_url(given) == used


@pytest.mark.parametrize("given", ["127.0.0.1:8080", "ftp://x/v1", "http://", "local"])
def test_a_base_url_that_is_none_is_refused_with_an_example(given: str) -> None:
    with pytest.raises(Exception, match="no http"):
        usable_url(given)


@pytest.mark.parametrize(
    ("message", "change"),
    [
        ("This model is only supported in v1/responses and not in v1/chat/completions.", {"mode": "responses"}),
        ("Unsupported parameter: 'max_completion_tokens'", {"token_field": "max_tokens"}),
        ("Unsupported value: 'temperature' does not support 0", {"left_out": frozenset({"temperature"})}),
        ("tools param requires --jinja flag", {"mode": "json_schema"}),
        ("Function call is not supported for this model.", {"mode": "json_schema"}),
    ],
)
def test_words_of_known_servers_say_what_to_leave_out(message: str, change: dict[str, Any]) -> None:
    dialect = adapted(Dialect(), {"message": message})
    assert dialect is not None
    assert {name: getattr(dialect, name) for name in change} == change


@pytest.mark.parametrize("message", ["", "invalid message content type: <nil>", "The model 'gpt-foo' does not exist"])
def test_a_refusal_that_names_nothing_is_not_tried_again(message: str) -> None:
    assert adapted(Dialect(), {"message": message, "code": "model_not_found"}) is None


def test_the_stub_refuses_what_the_service_refuses() -> None:
    good = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
    tool = {"type": "function", "function": {"name": "F", "parameters": {"type": "object"}}}
    nested = {"type": "object", "properties": {"a": {"oneOf": []}}}
    bad: list[dict[str, Any]] = [
        {"model": "", "messages": good["messages"]},
        {"model": "m", "messages": []},
        {**good, "foo": 1},
        {**good, "max_tokens": 1, "max_completion_tokens": 1},
        {**good, "tools": []},
        {**good, "tool_choice": "auto"},
        {**good, "parallel_tool_calls": False},
        {**good, "tools": [tool], "tool_choice": {"type": "function", "function": {"name": "G"}}},
        {**good, "tools": [{"type": "function", "function": {"name": "F", "parameters": nested}}]},
        {**good, "tools": [{"type": "function", "function": {"name": "a b", "parameters": {"type": "object"}}}]},
        {**good, "tools": [{"type": "function", "function": {"name": "F", "parameters": {"type": "array"}}}]},
        {**good, "messages": [{"role": "user", "content": []}]},
        {**good, "messages": [{"role": "assistant", "content": None}]},
        {**good, "messages": [{"role": "robot", "content": "x"}]},
        {**good, "messages": [{"role": "user", "content": "x", "mood": "y"}]},
        {**good, "messages": [{"role": "tool", "content": "x", "tool_call_id": "a"}]},
        {**good, "messages": [{"role": "assistant", "content": None, "tool_calls": [{"id": "a"}]}]},
        {**good, "response_format": {"type": "json_schema", "json_schema": {}}},
    ]
    stub = StubOpenAI([LAMP], repeat=True)
    statuses = [_status(stub, request) for request in (good, *bad)]
    assert statuses == [200] + [400] * len(bad)


def _status(stub: StubOpenAI, request: Any) -> int:
    answer = stub.answer("/v1/chat/completions", "Bearer k", json.dumps(request).encode())
    assert isinstance(answer, Answer)
    return answer.status
