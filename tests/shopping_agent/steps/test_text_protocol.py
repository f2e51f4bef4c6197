"""Replies as models really write them, read as the step they mean."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shopping_agent.conversation import parse_conversation
from shopping_agent.errors import ModelReplyError
from shopping_agent.steps.step import FinalAnswer, Observation, Observed, StepRequest, ToolCall, ToolOffer
from shopping_agent.steps.text_model import TextStepModel, messages
from shopping_agent.steps.text_protocol import instructions, read_step, transcript
from shopping_agent.testing.scripted_steps import ScriptedCompleter

SEARCH = ToolOffer(
    "search_products",
    "Find products.",
    {"type": "object", "properties": {"query": {"type": "string"}, "limit": {}}, "required": ["query"]},
)
VIEW = ToolOffer("view_table", "Show rows.", {"type": "object", "properties": {"rows": {"type": "integer"}}})
CALL = ToolCall("search_products", {"query": "red mug"}, "find it")


@pytest.mark.parametrize(
    "text",
    [
        'Thought: find it\nAction: search_products\nAction Input: {"query": "red mug"}',
        '**Thought:** find it\n**Action:** search_products\n**Action Input:** {"query": "red mug"}',
        'thought: find it\naction: `search_products`\naction input:\n```json\n{"query": "red mug"}\n```',
        'Thought 1: find it\nAction 1: search_products\nAction Input 1: {"query": "red mug"}',
        "Thought: find it\nAction: search_products\nAction_Input: {'query': 'red mug',}",
        'Thought: find it\nAction: Search Products\nAction Input: {"query": "red mug"}',
        'Thought: find it\nAction: search_products({"query": "red mug"})',
        "Thought: find it\nAction: search_products[red mug]",
        "Thought: find it\nAction: search_products\nAction Input: red mug",
        'Thought: find it\nAction: search_products\nAction Input: "red mug"',
        "Thought: find it\nAction: search_products\nAction Input: query: red mug",
        'Thought: find it\nAction: search_products(query="red mug")',
        "<think>Action: view_table</think>Thought: find it\nAction: search_products\n"
        'Action Input: {"query": "red mug"}',
        'Thought: find it\nAction: search_products\nAction Input: {"query": "red mug"}\nObservation: 5 mugs\n'
        "Final Answer: p1",
        'Thought: find it\nAction: search_products\nAction Input: {"query": "red mug"}\nFinal Answer: p1 is best',
        'Thought: find it\nAction: search_products\nAction Input: {"query": "red mug"}\nThought: then\n'
        "Action: view_table\nAction Input: {}",
        'Thought: find it\nAction: search_products\nAction Input: {"arguments": {"query": "red mug"}}',
        'Thought： find it\nAction： search_products\nAction Input： {"query": "red mug"}',
    ],
)
def test_a_call_is_read_however_it_is_written(text: str) -> None:
    read = read_step(text, (SEARCH, VIEW))
    assert read is not None
    assert read.step in (CALL, ToolCall("search_products", {"query": "red mug"}, "find it"))


@pytest.mark.parametrize(
    ("text", "repair"),
    [
        ('Action: search_products\nAction Input: {"query": "x"}\nFinal Answer: done', "answer_before_observation"),
        ('Action: search_products\nAction Input: {"query": "x"}\nObservation: 3 found', "invented_observation"),
        ('Action: SearchProducts\nAction Input: {"query": "x"}', "tool_name"),
        ("Action: search_products\nAction Input: {'query': 'x'", "json"),
        ("Action: search_products\nAction Input: x", "bare_input"),
    ],
)
def test_what_had_to_be_mended_is_told(text: str, repair: str) -> None:
    read = read_step(text, (SEARCH, VIEW))
    assert read is not None and repair in read.repairs
    assert isinstance(read.step, ToolCall) and read.step.arguments == {"query": "x"}


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "search_products", "arguments": {"query": "red mug"}}',
        '{"action": "search_products", "action_input": {"query": "red mug"}}',
        'I will look.\n```json\n{"tool": "search_products", "args": {"query": "red mug"}}\n```',
        '<tool_call>{"name": "search_products", "arguments": {"query": "red mug"}}</tool_call>',
    ],
)
def test_a_call_in_another_form_is_one_too(text: str) -> None:
    read = read_step(text, (SEARCH, VIEW))
    assert read is not None and read.step == ToolCall("search_products", {"query": "red mug"})


def test_an_unknown_tool_is_read_as_it_stands_so_that_it_can_be_answered() -> None:
    read = read_step("Action: buy_now\nAction Input: {}", (SEARCH,))
    assert read is not None and read.step == ToolCall("buy_now", {})


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Thought: enough\nFinal Answer: p1 fits best.", "p1 fits best."),
        ("**Final Answer:** p1 fits best.", "p1 fits best."),
        ("Thought: enough\nAction: None\nFinal Answer: p1 fits best.", "p1 fits best."),
        ("p1 fits best.", "p1 fits best."),
        ("Thought: p1 fits best.", "p1 fits best."),
    ],
)
def test_an_answer_is_read_with_or_without_its_label(text: str, answer: str) -> None:
    read = read_step(text, (SEARCH,))
    assert read is not None and isinstance(read.step, FinalAnswer) and read.step.text == answer


@pytest.mark.parametrize("text", ["", "  \n", "<think>never ends"])
def test_nothing_said_is_no_step(text: str) -> None:
    assert read_step(text, (SEARCH,)) is None


def test_arguments_of_a_tool_without_any_may_be_left_out() -> None:
    for text in ("Action: view_table", "Action: view_table\nAction Input: None", "Action: view_table()"):
        read = read_step(text, (SEARCH, VIEW))
        assert read is not None and read.step == ToolCall("view_table", {})


@pytest.mark.parametrize("text", ["Action: " * 5000, "{" * 50_000, "Action Input: " + "[" * 50_000, "Thought:" * 9_999])
def test_no_reply_is_too_odd_to_be_read(text: str) -> None:
    read_step(text, (SEARCH, VIEW))


LABELS = ("Thought:", "Action:", "Action Input:", "Observation:", "Final Answer:", "search_products")
MARKS = (
    '{"query": ',
    '"red"',
    "}",
    "\n",
    "```",
    "<think>",
    "</think>",
    "(",
    ")",
    "=",
    "**",
    "'",
    "[",
    "null",
    "\\",
    "：",
)
PIECES = st.sampled_from((*LABELS, *MARKS))


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES | st.text(max_size=5), max_size=30))
def test_any_mixture_of_its_pieces_is_read_as_a_step_of_bounded_shape(pieces: list[str]) -> None:
    read = read_step("".join(pieces), (SEARCH, VIEW))
    if read is not None and isinstance(read.step, ToolCall):
        assert read.step.tool and read.step.key


def test_the_model_is_told_form_tools_and_steps_so_far() -> None:
    observed = (Observed(CALL, Observation("no such column", is_error=True)),)
    request = StepRequest(
        "a red mug",
        parse_conversation([{"role": "user", "content": "hello"}]),
        (SEARCH,),
        observed,
        left_out=2,
    )
    system, last = messages(request)
    assert system["content"] == instructions((SEARCH,)) and "search_products" in system["content"]
    assert last["content"].startswith("hello\nTask: a red mug\n(the first 2 steps are left out)")
    assert transcript(observed).endswith(
        'Thought: find it\nAction: search_products\nAction Input: {"query": "red mug"}\n'
        "Observation: error: no such column"
    )


def test_a_text_model_gives_steps_and_refuses_silence() -> None:
    model = TextStepModel(ScriptedCompleter(["Final Answer: p1", ""]))
    chosen = model.choose(StepRequest("x", tools=(SEARCH,)))
    assert chosen.step == FinalAnswer("p1") and chosen.usage.calls == 1 and model.name == "scripted"
    with pytest.raises(ModelReplyError):
        model.choose(StepRequest("x"))
    model.close()
