"""Steps by a service: tool calls with the tools' own schemas, the text protocol where it takes no tools."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from shopping_agent.conversation import parse_conversation
from shopping_agent.errors import ModelError, ModelReplyError, ModelUnavailableError
from shopping_agent.openai_model import OpenAICompleter, OpenAIStepModel, connect
from shopping_agent.steps.step import Chosen, FinalAnswer, Observation, Observed, StepRequest, ToolCall, ToolOffer
from shopping_agent.testing import Answer, Fault, StubOpenAI, completion, error

SCHEMA = {
    "type": "object",
    "$defs": {"Name": {"type": "string"}},
    "properties": {"table": {"$ref": "#/$defs/Name"}, "rows": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
    "required": ["table"],
}
VIEW = ToolOffer("view_table", "Shows rows.", SCHEMA)
BEFORE = Observed(ToolCall("export", {}, "first"), Observation("no such thing", is_error=True))
REQUEST = StepRequest(
    "show it", parse_conversation([{"role": "user", "content": "hello"}]), (VIEW,), observed=(BEFORE,)
)


def choose(*steps: Any, request: StepRequest = REQUEST) -> tuple[Chosen, StubOpenAI]:
    stub = StubOpenAI(steps)
    model = OpenAIStepModel(OpenAICompleter(stub.client(), model="gpt-4.1-mini"))
    chosen = model.choose(request)
    model.close()
    return chosen, stub


def test_a_call_is_a_step_and_the_schema_goes_out_as_it_came() -> None:
    chosen, stub = choose(completion(calls=[("view_table", '{"table": "t1"}')], text="now look"))
    assert chosen.step == ToolCall("view_table", {"table": "t1"}, "now look")
    assert chosen.usage.calls == 1 and chosen.usage.cost_usd is not None and chosen.model == "gpt-4.1-mini"
    [sent] = stub.requests
    assert sent["tools"][0]["function"]["parameters"] == SCHEMA
    assert [message["role"] for message in sent["messages"]] == ["system", "user", "assistant", "tool"]
    assert sent["messages"][1]["content"] == "hello\nshow it"
    assert sent["messages"][-1]["content"] == "error: no such thing"


@pytest.mark.parametrize(
    ("reply", "step"),
    [
        (completion(text="p1 is it."), FinalAnswer("p1 is it.")),
        (completion(text="Final Answer: p1"), FinalAnswer("p1")),
        (completion(text='Action: view_table\nAction Input: {"table": "t1"}'), ToolCall("view_table", {"table": "t1"})),
        (completion(calls=[("view_table", "{'table': 't1'")]), ToolCall("view_table", {"table": "t1"})),
        (completion(calls=[("view_table", None)]), ToolCall("view_table", {})),
        (completion(calls=[("view_table", {"table": "t1"})]), ToolCall("view_table", {"table": "t1"})),
    ],
)
def test_whatever_form_a_step_has_it_is_read(reply: Answer, step: Any) -> None:
    assert choose(reply)[0].step == step


def test_a_service_without_tools_is_spoken_to_in_text_from_then_on() -> None:
    refusal = error(400, "This model does not support tools.", param="tools")
    stub = StubOpenAI([refusal, completion(text="Final Answer: p1"), completion(text="Final Answer: p2")])
    model = OpenAIStepModel(OpenAICompleter(stub.client(), model="small"))
    assert model.choose(REQUEST).step == FinalAnswer("p1")
    assert model.choose(REQUEST).step == FinalAnswer("p2")
    assert ["tools" in sent for sent in stub.requests] == [True, False, False]
    assert (
        stub.requests[1]["stop"] == ["\nObservation:"] and "Action Input" in stub.requests[1]["messages"][0]["content"]
    )


def test_a_service_without_stop_words_is_asked_without_them() -> None:
    stub = StubOpenAI([error(400, "stop is not supported", param="stop"), completion(text="Final Answer: p1")])
    model = OpenAIStepModel(OpenAICompleter(stub.client(), model="small"), by_text=True)
    assert model.choose(REQUEST).step == FinalAnswer("p1") and stub.calls == 2


def test_silence_and_outages_are_errors_that_count_what_was_spent() -> None:
    with pytest.raises(ModelReplyError) as silent:
        choose(completion(text=""))
    with pytest.raises(ModelUnavailableError) as away:
        choose(Fault("unreachable"))
    assert silent.value.usage.calls == away.value.usage.calls == 1


def test_a_service_that_refuses_every_form_is_an_error_of_the_model() -> None:
    with pytest.raises(ModelError):
        choose(*[error(400, "no") for _ in range(3)])


@pytest.mark.parametrize("by_text", [False, True])
def test_a_step_that_nobody_waits_for_is_hung_up_on(by_text: bool) -> None:
    stub = StubOpenAI([Fault("hang")])
    with stub.serve() as url:
        model = OpenAIStepModel(
            OpenAICompleter(connect(base_url=url, timeout_s=600), model="gpt-4.1-mini"), by_text=by_text
        )
        with pytest.raises(ModelUnavailableError) as caught:
            model.choose(replace(REQUEST, stopped=lambda: True))
        model.close()
    assert (caught.value.reason, stub.calls) == ("stopped", 1)
