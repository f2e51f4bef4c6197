"""`python -m shopping_agent.mcp_server` as a process: what it writes where, and how it ends."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from search_client.local import LocalSearchClient
from search_client.store.sql_store import open_store
from shopping_agent.mcp_server import server
from shopping_agent.mcp_server.__main__ import main
from shopping_agent.mcp_server.settings import McpServerSettings
from tests.shopping_agent.mcp_server.shop import SHOP, shop

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "shopping_agent.mcp_server"]
# A library that prints whenever it is asked: none of it may reach the wire.
CHATTY = """
import sys
from search_client import local
from shopping_agent.mcp_server.__main__ import main

search, opened = local.LocalSearchClient.search, local.LocalSearchClient.__init__

def chatty(function):
    def speak(*args, **more):
        print("noise")
        return function(*args, **more)
    return speak

local.LocalSearchClient.search, local.LocalSearchClient.__init__ = chatty(search), chatty(opened)
sys.exit(main([]))
"""


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("catalog")
    url = f"sqlite:///{folder}/catalog.sqlite"
    with closing(open_store(url)) as store:
        store.write(SHOP)
        LocalSearchClient(store, Path(f"{folder}/catalog.sqlite.index")).close()
    return url


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MCP_", "CATALOG_", "COV"))}
    return kept | more


def request(number: int, method: str, params: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


INITIALIZE = request(
    1,
    "initialize",
    {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
)
INITIALIZED = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})


def answers(lines: list[str], catalog: str, *, command: list[str] = COMMAND) -> tuple[list[dict[str, Any]], str]:
    """Each line of stdout as JSON, and stderr, once all requests of `lines` are answered."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment(CATALOG_URL=catalog, LOG_LEVEL="DEBUG"),
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("\n".join(lines) + "\n")
    process.stdin.flush()
    wanted = sum('"id"' in line for line in lines)
    heard = [process.stdout.readline() for _ in range(wanted)]
    rest, stderr = process.communicate(timeout=300)
    assert process.returncode == 0
    return [json.loads(line) for line in (*heard, *rest.splitlines()) if line], stderr


def test_nothing_but_protocol_reaches_stdout_whatever_is_logged(catalog: str) -> None:
    call = request(2, "tools/call", {"name": "search_products", "arguments": {"query": "desk lamp"}})
    heard, stderr = answers([INITIALIZE, INITIALIZED, call], catalog)
    assert {message["id"] for message in heard} == {1, 2}
    assert all(message["jsonrpc"] == "2.0" for message in heard)
    assert "DEBUG" in stderr


def test_the_sdks_own_client_lists_the_tools_and_calls_one_over_stdio(catalog: str) -> None:
    async def session() -> tuple[list[str], Any]:
        command = StdioServerParameters(
            command=COMMAND[0], args=COMMAND[1:], env={"CATALOG_URL": catalog, "PYTHONPATH": str(ROOT)}
        )
        async with Client(stdio_client(command, errlog=sys.__stderr__ or sys.stderr)) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            result = await client.call_tool("get_product_details", {"product_id": "0010"})
            return tools, result.structured_content

    tools, found = anyio.run(session)
    assert tools == ["search_products", "get_product_details", "compare_products", "list_categories"]
    assert found["product"]["title"] == "Lumo Desk Lamp"


def test_a_line_that_is_no_request_does_not_end_the_server(catalog: str) -> None:
    nope = request(3, "tools/call", {"name": "nope", "arguments": []})
    call = request(4, "tools/call", {"name": "search_products", "arguments": {"query": "desk lamp"}})
    heard, _ = answers([INITIALIZE, INITIALIZED, "not json", "", nope, call], catalog)
    by_id = {message.get("id"): message for message in heard}
    assert by_id[3]["error"]["code"] == -32602
    assert by_id[4]["result"]["structuredContent"]["total"] == 1


def test_what_libraries_print_goes_to_stderr(catalog: str) -> None:
    call = request(2, "tools/call", {"name": "search_products", "arguments": {"query": "desk lamp"}})
    heard, stderr = answers([INITIALIZE, INITIALIZED, call], catalog, command=[sys.executable, "-c", CHATTY])
    assert {message["id"] for message in heard} == {1, 2}
    assert stderr.count("noise") == 2


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"CATALOG_URL": "sqlite:///missing/catalog.sqlite"}, "'missing/catalog.sqlite'"),
        ({"CATALOG_URL": "ftp://shop"}, "CATALOG_URL"),
        ({"MCP_HOST": "0.0.0.0"}, "MCP_TOKEN"),
        ({"MCP_PORT": "nan"}, "MCP_PORT 'nan'"),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL 'loud'"),
    ],
)
def test_what_is_set_wrongly_is_said_on_stderr_and_ends_it(environ: dict[str, str], told: str, tmp_path: Path) -> None:
    ended = subprocess.run(
        COMMAND,
        cwd=tmp_path,
        env=environment(PYTHONPATH=str(ROOT), **environ),
        capture_output=True,
        text=True,
        input="",
    )
    assert ended.returncode == 2 and ended.stdout == "" and told in ended.stderr
    assert "Traceback" not in ended.stderr


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> io.BytesIO:
    """Stdin that says `lines` and ends; what is written to stdout."""
    said, heard = io.BytesIO("\n".join((*lines, "")).encode()), io.BytesIO()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(said))
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(heard, write_through=True))
    return heard


def test_it_ends_when_its_client_goes_away(catalog: str, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = typed(monkeypatch, INITIALIZE)
    assert main(["--catalog", catalog]) == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in heard.getvalue().splitlines())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--catalog", "sqlite:////no/such/place/catalog.sqlite"], "There is no catalog"),
        (["--http", "--host", "0.0.0.0"], "MCP_TOKEN is not set"),
    ],
)
def test_arguments_that_cannot_work_are_refused_in_one_sentence(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MCP_TOKEN", raising=False)
    assert main(arguments) == 2
    assert told in capsys.readouterr().err


def test_a_port_that_is_taken_is_told(catalog: str, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(server.listening_socket("127.0.0.1", 0)) as taken:
        taken.listen()
        assert main(["--http", "--port", str(taken.getsockname()[1]), "--catalog", catalog]) == 2
    assert "choose another with --port" in capsys.readouterr().err


def test_small_answers_are_not_held_back_by_the_socket() -> None:
    with closing(server.listening_socket("127.0.0.1", 0)) as listening:
        assert listening.proto == socket.IPPROTO_TCP, "asyncio switches Nagle's algorithm off for these only"


def test_it_serves_until_it_is_told_to_stop() -> None:
    answers: list[int] = []

    def look(url: str, stop: Callable[[], None]) -> None:
        def ask() -> None:
            with httpx2.Client(transport=httpx2.HTTPTransport(retries=8)) as client:
                answers.append(client.get(url.replace("/mcp", "/health")).status_code)
            stop()

        threading.Thread(target=ask).start()

    serving = threading.Thread(
        target=server.serve_http, args=(shop(), McpServerSettings(port=0)), kwargs={"started": look}
    )
    serving.start()
    serving.join(300)
    assert answers == [200] and not serving.is_alive()


@pytest.fixture
def address(catalog: str) -> Iterator[str]:
    process = subprocess.Popen(
        [*COMMAND, "--http", "--port", "0", "--catalog", catalog],
        cwd=ROOT,
        env=environment(),
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    yield process.stderr.readline().removeprefix("Listening on ").strip()
    process.terminate()
    process.communicate(timeout=300)


def test_it_listens_on_a_free_port_and_says_where(address: str) -> None:
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    answer = httpx2.post(address, content=INITIALIZE, headers=headers, timeout=300)
    assert answer.json()["result"]["serverInfo"]["name"] == "shop-catalog"
    assert httpx2.get(address.replace("/mcp", "/health"), timeout=300).json() == {"status": "ok"}
