"""The shopper's own yes or no to a tool that changes something, with the page's script and without it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from search_client.testing import FakeSearchClient
from shopping_agent.mcp_host.agent import McpShoppingAgent
from shopping_agent.steps.step import Chosen, StepRequest, ToolCall
from tests.browser.conftest import Visit
from tests.browser.site import Site
from tests.shopping_agent.mcp_host.servers import Analyst, toolbox
from tests.web.shop import PRODUCTS


class Eraser:
    """Whatever is said, it wants the table erased that is named last."""

    name = "eraser"

    def choose(self, request: StepRequest) -> Chosen:
        """A call of the one tool that changes something."""
        return Chosen(ToolCall("erase_table", {"table": request.user_message.split()[-1]}), self.name)

    def close(self) -> None:
        """Nothing to release."""


@pytest.fixture(scope="module")
def analyst() -> Analyst:
    return Analyst()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, analyst: Analyst) -> Iterator[Site]:
    """A shop whose agent may use the analyst's tools."""
    folder = tmp_path_factory.mktemp("confirming")
    tools = toolbox(folder, sheets=analyst.server)
    agent = McpShoppingAgent(Eraser(), FakeSearchClient(PRODUCTS), tools=tools)
    opened = Site(folder, agent=agent)
    yield opened
    opened.close()
    agent.close()


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def page(request: pytest.FixtureRequest, visit: Visit, analyst: Analyst) -> Page:
    analyst.erased = 0
    analyst.export_sales()
    return visit(java_script_enabled=request.param)


def ask(page: Page) -> None:
    """Send a wish that needs a yes, and see the question."""
    page.locator("#message").fill("erase t1")
    page.locator(".send:not(.halt)").click()
    expect(page.get_by_text("May I run “Erase a table” of sheets?")).to_be_visible()
    expect(page.locator(".refused .plain")).to_have_text("table: t1")


def test_a_yes_runs_the_tool_once_and_the_question_is_gone(page: Page, analyst: Analyst) -> None:
    ask(page)
    assert analyst.erased == 0
    page.get_by_role("button", name="Yes, do it").click()
    expect(page.locator(".plain").last).to_have_text("t1 is erased")
    assert analyst.erased == 1
    page.reload()
    expect(page.locator(".plain").last).to_have_text("t1 is erased")
    expect(page.get_by_role("button", name="Yes, do it")).to_have_count(0)
    assert analyst.erased == 1


def test_a_no_changes_nothing_and_the_question_is_gone(page: Page, analyst: Analyst) -> None:
    ask(page)
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.get_by_text("I asked whether to run “Erase a table”")).to_be_visible()
    expect(page.get_by_role("button", name="Yes, do it")).to_have_count(0)
    assert analyst.erased == 0
