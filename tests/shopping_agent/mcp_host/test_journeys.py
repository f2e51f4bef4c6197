"""Whole tasks, several steps each, every step's input out of the last step's output."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from search_client.models import Availability, Money, Product
from search_client.testing import FakeSearchClient
from shopping_agent.events import (
    ActionChosen,
    AgentEvent,
    Notice,
    ResultReady,
    StepTaken,
    ToolAnswered,
    TurnFinished,
    TurnStarted,
)
from shopping_agent.mcp_host.agent import McpShoppingAgent
from shopping_agent.results import ProductsCompared
from shopping_agent.steps.step import FinalAnswer, StepModel, StepRequest, ToolCall
from shopping_agent.steps.text_model import TextStepModel
from shopping_agent.testing.scripted_steps import ScriptedCompleter, ScriptedSteps
from tests.shopping_agent.mcp_host.servers import Analyst, toolbox

LAMPS = FakeSearchClient(
    [
        Product("l1", "Arc Lamp", price=Money(9900, "USD"), rating=4.8, availability=Availability.IN_STOCK),
        Product("l2", "Desk Lamp", price=Money(3900, "USD"), rating=4.1, availability=Availability.IN_STOCK),
        Product("l3", "Night Lamp", price=Money(1900, "USD"), rating=3.2, availability=Availability.IN_STOCK),
    ]
)
TASK = "which products earned most last month?"


def said(request: StepRequest, pattern: str) -> str:
    """What the last observation says."""
    match = re.search(pattern, request.observed[-1].observation.text)
    assert match, request.observed[-1].observation.text
    return match[1]


ANALYST_STEPS = [
    ToolCall("export_sales", {}, "get the numbers"),
    lambda request: ToolCall("sort_table", {"table": said(request, r"table (\w+)"), "column": "income"}),
    ToolCall("sort_table", {"table": "t1", "column": "revenue", "descending": "true"}),
    lambda request: ToolCall("view_table", {"table": said(request, r"table (\w+)"), "rows": "2"}),
    FinalAnswer("Chairs earned 999,999 dollars"),
]
ANALYST_TEXTS = [
    "Thought: get the numbers\nAction: export_sales\nAction Input: {}\nObservation: table t9",
    "Action: sort_table\nAction Input: {'table': 't1', 'column': 'income'}",
    '**Thought:** another column\n**Action:** `sort_table`\n**Action Input:** ```json\n{"table": "t1", '
    '"column": "revenue", "descending": true}\n```',
    "Action: view_table(table='t2', rows=2)",
    "Thought: enough\nFinal Answer: Chairs earned 999,999 dollars",
]
SHOPPER_TEXTS = [
    'Thought: look\nAction: search_products\nAction Input: {"query": "lamp", "sort": "rating"}',
    'Action: get_product_details\nAction Input: {"product_id": "l1"}',
    'Action: compare_products\nAction Input: {"product_ids": ["l1", "l2"]}\nFinal Answer: l1',
    "Final Answer: l1 beats l2 and costs 5 dollars",
]


def first_ids(request: StepRequest, count: int) -> list[str]:
    return re.findall(r"\(ID: (\w+)\)", request.observed[0].observation.text)[:count]


SHOPPER_STEPS = [
    ToolCall("search_products", {"query": "lamp", "sort": "rating"}),
    lambda request: ToolCall("get_product_details", {"product_id": first_ids(request, 1)[0]}),
    lambda request: ToolCall("compare_products", {"product_ids": first_ids(request, 2)}),
    FinalAnswer("l1 beats l2 and costs 5 dollars"),
]


def model(kind: str, steps: list[Any], texts: list[str]) -> StepModel:
    return ScriptedSteps(steps) if kind == "scripted" else TextStepModel(ScriptedCompleter(texts))


@pytest.fixture
def analyst() -> Iterator[Analyst]:
    yield Analyst()


@pytest.mark.parametrize("kind", ["scripted", "text"])
def test_an_analyst_exports_sorts_and_views_with_one_wrong_column_on_the_way(
    kind: str, analyst: Analyst, tmp_path: Path
) -> None:
    agent = McpShoppingAgent(
        model(kind, ANALYST_STEPS, ANALYST_TEXTS),
        FakeSearchClient([]),
        tools=toolbox(tmp_path, sheets=analyst.server),
    )
    events: list[AgentEvent] = list(agent.stream(TASK))
    agent.close()
    taken = [event for event in events if isinstance(event, StepTaken)]
    assert [(step.tool, step.is_error) for step in taken] == [
        ("export_sales", False),
        ("sort_table", True),
        ("sort_table", False),
        ("view_table", False),
    ]
    assert "columns are product, units, revenue" in taken[1].observation
    assert taken[0].thought == "get the numbers" and taken[0].server == "sheets"
    [answer] = [event for event in events if isinstance(event, ToolAnswered)]
    assert answer == ToolAnswered("view_table", "sheets", "Chair, 3, 537.0\nLamp, 12, 478.8")
    last = events[-1]
    assert isinstance(last, TurnFinished) and last.usage.calls == 5 and not last.failed
    assert "999" not in last.reply, "what a model claims is not repeated"


@pytest.mark.parametrize("kind", ["scripted", "text"])
def test_a_shopper_gets_a_comparison_out_of_search_and_details(kind: str, tmp_path: Path) -> None:
    agent = McpShoppingAgent(model(kind, SHOPPER_STEPS, SHOPPER_TEXTS), LAMPS, tools=toolbox(tmp_path, shop=LAMPS))
    events = list(agent.stream("compare your two best lamps"))
    agent.tools.close()
    assert [type(event) for event in events] == [
        TurnStarted,
        StepTaken,
        StepTaken,
        StepTaken,
        ActionChosen,
        ResultReady,
        TurnFinished,
    ]
    [ready] = [event for event in events if isinstance(event, ResultReady)]
    assert isinstance(ready.result, ProductsCompared)
    assert [product.id for product in ready.result.products] == ["l1", "l2"]
    last = events[-1]
    assert isinstance(last, TurnFinished) and "99.00 USD" in last.reply and "5 dollars" not in last.reply


def test_a_model_that_never_ends_gets_its_six_steps_and_the_shopper_what_was_found(
    analyst: Analyst, tmp_path: Path
) -> None:
    analyst.export_sales()
    steps = [ToolCall("view_table", {"table": "t1", "rows": number}) for number in range(1, 1001)]
    scripted = ScriptedSteps(steps)
    agent = McpShoppingAgent(scripted, FakeSearchClient([]), tools=toolbox(tmp_path, sheets=analyst.server))
    events = list(agent.stream(TASK))
    agent.tools.close()
    assert sum(isinstance(event, StepTaken) for event in events) == 6 and len(scripted.requests) == 7
    assert [event.code for event in events if isinstance(event, Notice)] == ["step_limit"]
    assert [event.text for event in events if isinstance(event, ToolAnswered)] == [
        "Lamp, 12, 478.8\nMug, 40, 360.0\nChair, 3, 537.0"
    ]
