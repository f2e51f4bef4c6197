"""The next action by a model service: against a mocked client, and against the strict stub in every mode."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any, get_args

import pytest
from openai import OpenAI
from openai.types.chat import ChatCompletion, ChatCompletionMessage, ChatCompletionMessageFunctionToolCall
from openai.types.chat.chat_completion import Choice
from openai.types.chat.chat_completion_message_function_tool_call import Function
from openai.types.completion_usage import CompletionUsage
from pytest_mock import MockerFixture

from search_client.testing import FakeSearchClient
from shopping_agent.actions import Clarify, GetProductDetails, Search
from shopping_agent.agent import ShoppingAgent
from shopping_agent.openai_model import Dialect, OpenAIActionModel
from shopping_agent.openai_model.dialect import Mode
from shopping_agent.testing import Answer, StubOpenAI, chooses, completion

MODES: tuple[Mode, ...] = get_args(Mode)
SHIRT_SHOWN = [{"role": "assistant", "content": "Found: Nike dry fit T Shirt (ID: p1)"}]
LAPTOP = {"kind": "search", "keywords": ["laptop"]}
SHIRT = {"kind": "details", "product_id": "p1"}
WHAT = {"kind": "clarify", "question": "What are you looking for?"}


def chat_completion(action: dict[str, Any]) -> ChatCompletion:
    function = Function(name="NextActionResponse", arguments=json.dumps({"next_action": action}))
    call = ChatCompletionMessageFunctionToolCall(id="call_1", type="function", function=function)
    message = ChatCompletionMessage(role="assistant", content=None, refusal=None, tool_calls=[call])
    return ChatCompletion(
        id="c",
        object="chat.completion",
        created=1,
        model="m",
        choices=[Choice(index=0, finish_reason="tool_calls", logprobs=None, message=message)],
        usage=CompletionUsage(prompt_tokens=9, completion_tokens=3, total_tokens=12),
    )


def agent_over(client: OpenAI, mode: Mode = "tools", *, stream: bool = False) -> ShoppingAgent:
    return ShoppingAgent(OpenAIActionModel(client, dialect=Dialect(mode, stream=stream)), FakeSearchClient())


def mocked(mocker: MockerFixture, action: dict[str, Any]) -> Any:
    client = mocker.MagicMock(spec=OpenAI)
    client.chat.completions.create.return_value = chat_completion(action)
    return client


def test_a_wish_is_a_search_with_a_mocked_client(mocker: MockerFixture) -> None:
    action = agent_over(mocked(mocker, LAPTOP)).decide_next_action("I'm looking for a laptop.", [])
    assert isinstance(action, Search)
    assert "laptop" in action.keywords


def test_more_about_a_shown_product_is_its_details_with_a_mocked_client(mocker: MockerFixture) -> None:
    action = agent_over(mocked(mocker, SHIRT)).decide_next_action("Can you tell me more about the shirt?", SHIRT_SHOWN)
    assert isinstance(action, GetProductDetails)
    assert action.product_id == "p1"


def test_a_vague_message_is_clarified_with_a_mocked_client(mocker: MockerFixture) -> None:
    assert isinstance(agent_over(mocked(mocker, WHAT)).decide_next_action("Something something", []), Clarify)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("message", "history", "action", "kind"),
    [
        ("I'm looking for a laptop.", [], LAPTOP, Search),
        ("Can you tell me more about the shirt?", SHIRT_SHOWN, SHIRT, GetProductDetails),
        ("Something something", [], WHAT, Clarify),
    ],
)
def test_each_action_comes_through_the_strict_stub(
    mode: Mode, stream: bool, message: str, history: list[dict[str, str]], action: dict[str, Any], kind: type
) -> None:
    stub = StubOpenAI([chooses(**action)])
    decision, chosen = agent_over(stub.client(), mode, stream=stream).decide(message, history)
    assert isinstance(chosen, kind)
    assert decision is not None
    assert (stub.calls, decision.usage.input_tokens, decision.repairs) == (1, 210, ())


def test_a_mock_sees_model_messages_and_tools(mocker: MockerFixture) -> None:
    client = mocked(mocker, LAPTOP)
    agent_over(client).decide_next_action("I'm looking for a laptop.", [])
    sent = client.chat.completions.create.call_args.kwargs
    assert (sent["model"], sent["messages"][-1]["content"]) == ("gpt-4.1-mini", "I'm looking for a laptop.")
    assert sent["tools"][0]["function"]["name"] == "NextActionResponse"


def test_a_method_patched_after_building_is_the_one_called(mocker: MockerFixture) -> None:
    client = OpenAI(api_key="k", base_url="http://127.0.0.1:1/v1")
    agent = agent_over(client)
    mocker.patch.object(client.chat.completions, "create", return_value=chat_completion(LAPTOP))
    assert isinstance(agent.decide_next_action("a laptop", []), Search)


@pytest.mark.parametrize("autospec", [False, True])
def test_a_method_patched_on_the_class_is_the_one_called(mocker: MockerFixture, autospec: bool) -> None:
    agent = agent_over(OpenAI(api_key="k", base_url="http://127.0.0.1:1/v1"))
    where = "openai.resources.chat.completions.Completions.create"
    mocker.patch(where, return_value=chat_completion(LAPTOP), autospec=autospec)
    assert isinstance(agent.decide_next_action("a laptop", []), Search)


def test_an_instructor_client_is_taken_for_the_client_within(mocker: MockerFixture) -> None:
    import instructor

    client = instructor.from_openai(mocked(mocker, LAPTOP))
    agent = ShoppingAgent(OpenAIActionModel(client), FakeSearchClient())
    assert isinstance(agent.decide_next_action("a laptop", []), Search)


def test_an_openai_client_given_as_the_model_is_refused_with_the_way_to_give_it() -> None:
    with pytest.raises(TypeError, match=r"OpenAIActionModel\(client\)"):
        ShoppingAgent(OpenAI(api_key="k"), FakeSearchClient())  # type: ignore[arg-type]


def test_a_stream_of_a_client_that_was_wrapped_is_put_together(mocker: MockerFixture) -> None:
    stub = StubOpenAI([chooses(**LAPTOP)])
    client = stub.client()
    mocker.patch.object(client.chat.completions, "create", side_effect=client.chat.completions.create)
    assert isinstance(agent_over(client, stream=True).decide_next_action("a laptop", []), Search)


def test_threads_that_share_a_model_get_their_own_answers() -> None:
    def echo(request: dict[str, Any]) -> Answer:
        wish = request["messages"][-1]["content"]
        return completion(calls=[("Search", json.dumps({"query": wish}))])

    agent = agent_over(StubOpenAI([echo], repeat=True).client())
    wishes = [f"lamp {number}" for number in range(64)]
    with ThreadPoolExecutor(8) as threads:
        actions = list(threads.map(agent.decide_next_action, wishes))
    assert actions == [Search(keywords=[wish]) for wish in wishes]
