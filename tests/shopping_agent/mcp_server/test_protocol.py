"""The server as clients meet it: the SDK's own client in memory, and raw requests over HTTP."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import TextContent

from search_client.client import SearchClient
from search_client.errors import CatalogError, SearchUnavailableError
from search_client.models import ANYONE, Product, SearchQuery, SearchResults, Shopper
from search_client.testing import FakeSearchClient
from shopping_agent import identity
from shopping_agent.mcp_server.server import BROKEN, UNAVAILABLE, build_server, serve_http
from shopping_agent.mcp_server.settings import McpServerSettings
from tests.shopping_agent.mcp_server.browser import HEADERS, INITIALIZE, http
from tests.shopping_agent.mcp_server.shop import SHOP, shop

pytestmark = pytest.mark.anyio
URL = "http://127.0.0.1:8931/mcp"
TOKEN = "a-token-of-many-characters"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def tools_call(arguments: object, *, name: str = "search_products", number: int = 2) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def text_of(result: Any) -> str:
    [block] = result.content
    assert isinstance(block, TextContent)
    return block.text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_both_generations_of_the_protocol_are_served(mode: str) -> None:
    async with Client(build_server(shop()), mode=mode) as client:
        tools = (await client.list_tools()).tools
        result = await client.call_tool("search_products", {"query": "desk lamp"})
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
    assert result.structured_content["products"][0]["id"] == "0010" and not result.is_error
    assert "Lumo Desk Lamp (ID: 0010)" in text_of(result)


async def test_a_failure_is_marked_as_one_and_says_what_to_do() -> None:
    async with Client(build_server(shop())) as client:
        unknown = await client.call_tool("get_product_details", {"product_id": "NOPE"})
        missing = await client.call_tool("search_products", {})
        nothing = await client.call_tool("search_products", {"query": "zeppelin"})
    assert unknown.is_error and "no product 'NOPE'" in text_of(unknown)
    assert missing.is_error and "query is missing" in text_of(missing)
    assert not nothing.is_error and nothing.structured_content["total"] == 0


async def test_an_unknown_tool_is_refused_with_those_there_are() -> None:
    async with Client(build_server(shop())) as client:
        with pytest.raises(MCPError, match=r"no tool 'buy'.*search_products"):
            await client.call_tool("buy", {})


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (SearchUnavailableError("postgresql://root:pw@db/shop is down"), UNAVAILABLE),
        (CatalogError("/srv/shop/catalog.sqlite is missing"), BROKEN),
    ],
)
async def test_an_outage_is_a_sentence_for_the_client_and_a_traceback_for_the_operator(
    error: Any, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    client = shop()
    client.error = error
    async with Client(build_server(client)) as session:
        result = await session.call_tool("search_products", {"query": "lamp"})
        client.error = None
        after = await session.call_tool("search_products", {"query": "lamp"})
    assert result.is_error and text_of(result) == told
    assert str(error) in caplog.text and "Traceback" in caplog.text
    assert not after.is_error


class Blocking(FakeSearchClient):
    """A catalog whose searches for `slow` wait until told to go on."""

    def __init__(self) -> None:
        super().__init__(SHOP)
        self.entered = threading.Event()
        self.go = threading.Event()
        self.searches = 0

    def search(self, query: SearchQuery, *, shopper: Shopper = ANYONE) -> SearchResults:
        self.searches += 1
        if query.text == "slow":
            self.entered.set()
            self.go.wait(300)
        if query.text == "broken":
            raise ZeroDivisionError("secret")
        return super().search(query, shopper=shopper)


@pytest.fixture
def blocking() -> Iterator[Blocking]:
    client = Blocking()
    yield client
    client.go.set()


async def test_what_nobody_foresaw_is_masked(blocking: Blocking, caplog: pytest.LogCaptureFixture) -> None:
    async with Client(build_server(blocking)) as session:
        result = await session.call_tool("search_products", {"query": "broken"})
    assert result.is_error and text_of(result) == BROKEN
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_call_taken_back_leaves_the_server_answering(blocking: Blocking, mode: str) -> None:
    async with Client(build_server(blocking), mode=mode) as session:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(session.call_tool, "search_products", {"query": "slow"})
            await anyio.to_thread.run_sync(blocking.entered.wait)
            tasks.cancel_scope.cancel()
        result = await session.call_tool("search_products", {"query": "lamp"})
    assert not result.is_error


@asynccontextmanager
async def listening(client: SearchClient) -> AsyncIterator[str]:
    """The address of a server on a real socket."""
    address: list[tuple[str, Callable[[], None]]] = []
    ready = threading.Event()

    def started(url: str, stop: Callable[[], None]) -> None:
        address.append((url, stop))
        ready.set()

    def serve() -> None:
        serve_http(client, McpServerSettings(port=0), started=started)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(anyio.to_thread.run_sync, serve)
        await anyio.to_thread.run_sync(ready.wait)
        url, stop = address[0]
        try:
            yield url
        finally:
            stop()


async def test_a_caller_that_hangs_up_over_http_leaves_the_server_answering(blocking: Blocking) -> None:
    back = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2, "reason": "enough"}}
    async with listening(blocking) as url, httpx2.AsyncClient(timeout=300) as browser:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(browser.post, url, json=tools_call({"query": "slow"}), headers=HEADERS))
            await anyio.to_thread.run_sync(blocking.entered.wait)
            tasks.cancel_scope.cancel()
        told = await browser.post(url, json=back, headers=HEADERS)
        after = await browser.post(url, json=tools_call({"query": "lamp"}, number=3), headers=HEADERS)
        blocking.go.set()
    assert told.status_code == 202
    assert after.json()["id"] == 3 and after.json()["result"]["isError"] is False


async def test_a_call_that_takes_too_long_ends_as_an_error(blocking: Blocking) -> None:
    async with Client(build_server(blocking, McpServerSettings(timeout_s=0.05))) as session:
        result = await session.call_tool("search_products", {"query": "slow"})
    assert result.is_error and text_of(result) == UNAVAILABLE


async def test_the_sdks_client_works_over_http_with_the_token() -> None:
    async with http(McpServerSettings(token=TOKEN)) as browser:
        browser.headers["Authorization"] = f"Bearer {TOKEN}"
        async with Client(streamable_http_client(URL, http_client=browser)) as client:
            result = await client.call_tool("search_products", {"query": "desk lamp"})
    assert result.structured_content["products"][0]["id"] == "0010"


@pytest.mark.parametrize("authorization", [None, "Bearer wrong", f"Basic {TOKEN}", "Bearer", "Bearer ü"])
async def test_without_the_right_token_nobody_gets_in(authorization: str | None) -> None:
    headers = HEADERS | ({"Authorization": authorization.encode("latin-1")} if authorization else {})
    async with http(McpServerSettings(token=TOKEN)) as browser:
        answer = await browser.post("/mcp", json=INITIALIZE, headers=headers)
    assert answer.status_code == 401 and answer.headers["WWW-Authenticate"].startswith("Bearer")


async def test_a_host_name_is_refused_until_the_setting_allows_it(caplog: pytest.LogCaptureFixture) -> None:
    headers = HEADERS | {"Host": "shop.example"}
    async with http() as browser:
        refused = await browser.post("/mcp", json=INITIALIZE, headers=headers)
        healthy = await browser.get("/health", headers=headers)
    async with http(McpServerSettings(allowed_hosts=("shop.example",))) as browser:
        allowed = await browser.post("/mcp", json=INITIALIZE, headers=headers)
    assert (refused.status_code, healthy.status_code, allowed.status_code) == (421, 200, 200)
    assert "MCP_ALLOWED_HOSTS" in caplog.text


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://evil.example", 403),
        ("http://127.0.0.1.evil.example", 403),
        ("http://localhost:3000", 200),
        ("https://shop.example", 200),
        ("null", 403),
    ],
)
async def test_pages_of_other_origins_may_not_call(origin: str, status: int) -> None:
    async with http(McpServerSettings(allowed_origins=("https://shop.example",))) as browser:
        answer = await browser.post("/mcp", json=INITIALIZE, headers=HEADERS | {"Origin": origin})
    assert answer.status_code == status


async def test_an_allowed_page_may_ask_first_and_read_the_answer_and_no_other_may() -> None:
    page = {"Origin": "https://shop.example"}
    async with http(McpServerSettings(token=TOKEN, allowed_origins=("https://shop.example",))) as browser:
        asked = await browser.options("/mcp", headers=page | {"Access-Control-Request-Method": "POST"})
        token = {"Authorization": f"Bearer {TOKEN}"}
        answered = await browser.post("/mcp", json=INITIALIZE, headers=HEADERS | page | token)
        without = await browser.post("/mcp", json=INITIALIZE, headers=HEADERS | page)
        local = await browser.post("/mcp", json=INITIALIZE, headers=HEADERS | token | {"Origin": "http://localhost:3"})
        other = await browser.options("/mcp", headers={"Origin": "https://evil.example"})
    assert asked.status_code == 204 and "authorization" in asked.headers["Access-Control-Allow-Headers"]
    assert answered.status_code == 200 and answered.headers["Access-Control-Allow-Origin"] == "https://shop.example"
    assert (without.status_code, other.status_code) == (401, 403)
    assert "Access-Control-Allow-Origin" in without.headers and "Access-Control-Allow-Origin" not in other.headers
    assert local.status_code == 200 and "Access-Control-Allow-Origin" not in local.headers


async def test_a_session_of_before_a_restart_simply_works() -> None:
    stale = HEADERS | {"Mcp-Session-Id": "f" * 32, "Mcp-Protocol-Version": "2025-06-18"}
    async with http() as browser:
        listing = await browser.post(
            "/mcp", json={"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}, headers=stale
        )
        again = await browser.post("/mcp", json=INITIALIZE, headers=stale)
    assert len(listing.json()["result"]["tools"]) == 4
    assert again.json()["result"]["serverInfo"]["name"] == "shop-catalog"


async def test_no_connection_is_held_open_for_news_that_never_come() -> None:
    async with http() as browser:
        answer = await browser.get("/mcp", headers={"Accept": "text/event-stream"})
    assert answer.status_code == 405 and answer.headers["Allow"] == "POST"


@pytest.mark.parametrize(
    ("arguments", "found"),
    [('{"query": "desk lamp"}', 1), ({"query": "desk lamp", "category": None}, 1), ({"query": "zeppelin"}, 0)],
)
async def test_arguments_may_be_the_text_of_an_object(arguments: object, found: int) -> None:
    async with http() as browser:
        answer = await browser.post("/mcp", json=tools_call(arguments), headers=HEADERS)
    assert answer.json()["result"]["structuredContent"]["total"] == found


@pytest.mark.parametrize("arguments", ["lamp", "[1]", [], 7, True])
async def test_arguments_of_another_shape_are_refused_by_name_and_the_server_goes_on(arguments: object) -> None:
    async with http() as browser:
        answer = await browser.post("/mcp", json=tools_call(arguments), headers=HEADERS)
        after = await browser.post("/mcp", json=tools_call({"query": "lamp"}), headers=HEADERS)
    error = answer.json()["error"]
    assert error["code"] == -32602 and "arguments must be a JSON object" in error["message"]
    assert after.json()["result"]["isError"] is False


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "nope", "arguments": {}}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"arguments": {}}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/destroy", "params": {}},
    ],
)
async def test_a_malformed_request_is_a_protocol_error(message: dict[str, Any]) -> None:
    async with http() as browser:
        answer = await browser.post("/mcp", json=message, headers=HEADERS)
    assert answer.json()["id"] == 2 and answer.json()["error"]["code"] in (-32602, -32601)


@pytest.mark.parametrize("params", [{"name": "search_products"}, {"name": "search_products", "arguments": None}])
async def test_a_call_without_arguments_is_told_which_are_needed(params: dict[str, Any]) -> None:
    async with http() as browser:
        answer = await browser.post(
            "/mcp", json={"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}, headers=HEADERS
        )
    assert answer.json()["result"]["isError"] and "query is missing" in answer.text


@pytest.mark.parametrize("body", [b"", b"\n", b"not json", b"[]", b'{"jsonrpc": "2.0"', b"[" * 50_000])
async def test_what_is_no_request_gets_a_client_error_and_the_server_goes_on(body: bytes) -> None:
    async with http() as browser:
        answer = await browser.post("/mcp", content=body, headers=HEADERS)
        after = await browser.post("/mcp", json=tools_call({"query": "lamp"}), headers=HEADERS)
    assert 400 <= answer.status_code < 500
    assert after.json()["result"]["isError"] is False


async def test_a_body_beyond_every_use_is_refused_unread() -> None:
    async with http() as browser:
        answer = await browser.post("/mcp", json=tools_call({"query": "x" * 400_000}), headers=HEADERS)
    assert answer.status_code == 413


async def test_the_signed_header_says_who_shops_and_a_forged_one_does_not(caplog: pytest.LogCaptureFixture) -> None:
    secret = "a secret between two servers"
    claims = {"id": "42", "groups": ["trade"], "expires": 4e9}
    totals = []
    async with http(McpServerSettings(shopper_secret=secret)) as browser:
        for value in (None, identity.sign(claims, secret=secret), identity.sign(claims, secret="another")):
            headers = HEADERS | ({identity.HEADER: value} if value else {})
            answer = await browser.post("/mcp", json=tools_call({"query": "trade"}), headers=headers)
            totals.append([each["id"] for each in answer.json()["result"]["structuredContent"]["products"]])
    assert totals == [[], ["t-1"], []]
    assert "forged" in caplog.text


async def test_who_asks_too_often_is_told_when_to_come_back_and_others_are_served() -> None:
    secret = "a secret between two servers"
    signed = {identity.HEADER: identity.sign({"id": "42", "expires": 4e9}, secret=secret)}
    settings = McpServerSettings(token=TOKEN, shopper_secret=secret, rate_limit=2)
    token = {"Authorization": f"Bearer {TOKEN}"}
    async with http(settings) as browser:
        guess = await browser.post("/mcp", json=INITIALIZE, headers=HEADERS | {"Authorization": "Bearer guess"})
        first = await browser.post("/mcp", json=INITIALIZE, headers=HEADERS | token)
        again = await browser.post("/mcp", json=INITIALIZE, headers=HEADERS | token)
        forged = await browser.post("/mcp", json=INITIALIZE, headers=HEADERS | token | {identity.HEADER: "e30.0"})
        known = await browser.post("/mcp", json=INITIALIZE, headers=HEADERS | token | signed)
        health = await browser.get("/health")
    assert (guess.status_code, first.status_code, again.status_code) == (401, 200, 429)
    assert again.headers["Retry-After"] == "30"
    assert (forged.status_code, known.status_code, health.status_code) == (429, 200, 200)


async def test_more_requests_than_can_be_answered_at_once_are_refused(
    blocking: Blocking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shopping_agent.mcp_server.door.MAX_IN_FLIGHT", 1)
    answers: list[Any] = []
    async with http(client=blocking) as browser, anyio.create_task_group() as tasks:

        async def ask() -> None:
            answers.append(await browser.post("/mcp", json=tools_call({"query": "slow"}), headers=HEADERS))

        tasks.start_soon(ask)
        await anyio.to_thread.run_sync(blocking.entered.wait)
        refused = await browser.post("/mcp", json=tools_call({"query": "lamp"}), headers=HEADERS)
        blocking.go.set()
    assert refused.status_code == 503 and refused.headers["Retry-After"] == "1"
    assert answers[0].json()["result"]["isError"] is False


async def test_calls_given_up_keep_their_place_so_that_threads_are_bounded(
    blocking: Blocking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shopping_agent.mcp_server.server.MAX_AT_ONCE", 1)
    async with Client(build_server(blocking, McpServerSettings(timeout_s=0.05))) as session:
        while not blocking.entered.is_set():  # a busy machine may not even start it in time
            await session.call_tool("search_products", {"query": "slow"})
        results = [await session.call_tool("search_products", {"query": "lamp"}) for _ in range(3)]
    assert [text_of(result) for result in results] == [UNAVAILABLE] * 3
    assert blocking.searches == 1


async def test_no_number_that_json_does_not_know_goes_over_the_wire() -> None:
    odd = Product("NaN", "None Lamp", description="nan", category=("NA",), rating=None)
    async with http(client=FakeSearchClient([odd])) as browser:
        answer = await browser.post("/mcp", json=tools_call({"query": "lamp"}), headers=HEADERS)
    json.loads(answer.text, parse_constant=lambda name: pytest.fail(name))
    assert answer.json()["result"]["structuredContent"]["products"][0]["id"] == "NaN"


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
