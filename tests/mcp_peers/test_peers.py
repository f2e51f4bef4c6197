"""Servers and clients nobody here wrote: `make test-mcp-peers` installs them and runs this."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from search_client.local import LocalSearchClient
from search_client.store.sql_store import open_store
from search_client.testing import FakeSearchClient
from shopping_agent.events import StepTaken, ToolAnswered
from shopping_agent.mcp_host.agent import McpShoppingAgent
from shopping_agent.mcp_host.pins import Pins
from shopping_agent.mcp_host.settings import McpServer
from shopping_agent.mcp_host.toolbox import Toolbox
from shopping_agent.steps.step import FinalAnswer, ToolCall
from shopping_agent.steps.text_model import TextStepModel
from shopping_agent.testing.scripted_steps import ScriptedCompleter, ScriptedSteps
from tests.shopping_agent.mcp_server.shop import SHOP

pytestmark = pytest.mark.mcp_peers
ROOT = Path(__file__).parents[2]
SERVER = ["-m", "shopping_agent.mcp_server"]


@pytest.fixture(scope="module")
def peers() -> Path:
    folder = os.environ.get("MCP_PEERS")
    if not folder:
        pytest.skip("no foreign MCP servers and clients are installed: run make test-mcp-peers")
    return Path(folder)


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("catalog")
    url = f"sqlite:///{folder}/catalog.sqlite"
    with closing(open_store(url)) as store:
        store.write(SHOP)
        LocalSearchClient(store, Path(f"{folder}/catalog.sqlite.index")).close()
    return url


@pytest.fixture(params=["stdio", "http"])
def target(request: pytest.FixtureRequest, catalog: str) -> Iterator[dict[str, Any]]:
    """How a client reaches our server: a command, or the address of a running one."""
    if request.param == "stdio":
        yield {"command": sys.executable, "args": SERVER, "env": {"CATALOG_URL": catalog, "PYTHONPATH": str(ROOT)}}
        return
    command = [sys.executable, *SERVER, "--http", "--port", "0", "--catalog", catalog]
    process = subprocess.Popen(command, cwd=ROOT, text=True, stderr=subprocess.PIPE)
    assert process.stderr is not None
    yield {"url": process.stderr.readline().removeprefix("Listening on ").strip()}
    process.terminate()
    process.communicate(timeout=30)


def heard(command: list[str], *, who: str) -> dict[str, Any]:
    """What a client printed."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    sys.stdout.write(f"\n{who}: {done.stdout}")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def check(told: dict[str, Any]) -> None:
    assert told["tools"] == ["search_products", "get_product_details", "compare_products", "list_categories"]
    assert told["ids"][0] == "0010" and told["title"] == "Lumo Desk Lamp"
    assert "no product 'NOPE'" in told["error"]


def test_fastmcps_client_drives_our_server(peers: Path, target: dict[str, Any]) -> None:
    served = target.get("url", {"mcpServers": {"shop": target}})
    client = str(ROOT / "tests/mcp_peers/fastmcp_client.py")
    check(heard([str(peers / "fast/bin/python"), client, json.dumps(served)], who="fastmcp"))


def test_the_npm_sdks_client_drives_our_server(peers: Path, target: dict[str, Any]) -> None:
    sdk = str(peers / "node/node_modules/@modelcontextprotocol/sdk")
    client = str(ROOT / "tests/mcp_peers/client.mjs")
    check(heard(["node", client, sdk, json.dumps(target)], who="npm"))


@pytest.mark.parametrize("kind", ["scripted", "text"])
def test_our_host_uses_a_server_that_tells_the_time(kind: str, peers: Path, tmp_path: Path) -> None:
    clock = McpServer(
        "time",
        allow=("*",),
        command=str(peers / "time/bin/mcp-server-time"),
        args=("--local-timezone", "UTC"),
        read_only=("get_current_time", "convert_time"),
        timeout_s=30,
    )
    pins = Pins(tmp_path / "trust.json")
    tools = Toolbox([clock], pins)
    pins.accept(tools.definitions("time"))
    steps = ScriptedSteps(
        [
            ToolCall("get_current_time", {"timezone": "Mars/Olympus"}),
            ToolCall("convert_time", {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}),
            FinalAnswer("It is nine in the evening."),
        ]
    )
    texts = ScriptedCompleter(
        [
            'Thought: now\nAction: get_current_time\nAction Input: {"timezone": "Mars/Olympus"}',
            'Action: convert_time(source_timezone="UTC", time="12:00", target_timezone="Asia/Tokyo")',
            "Final Answer: It is nine in the evening.",
        ]
    )
    agent = McpShoppingAgent(
        steps if kind == "scripted" else TextStepModel(texts), FakeSearchClient(SHOP), tools=tools, turn_timeout_s=60
    )
    events = list(agent.stream("what time is it in Tokyo when it is noon in London?"))
    agent.close()
    wrong, right = (event for event in events if isinstance(event, StepTaken))
    [answer] = [event for event in events if isinstance(event, ToolAnswered)]
    sys.stdout.write(f"\nmcp-server-time: {wrong.observation} -> {answer.text}\n")
    assert wrong.is_error and "Mars/Olympus" in wrong.observation
    assert not right.is_error and "T21:00:00+09:00" in answer.text
