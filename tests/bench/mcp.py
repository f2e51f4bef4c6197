"""What a call of our MCP server costs above the SDK's own echo tool, side by side: in memory and over HTTP."""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.server.mcpserver import MCPServer

from search_client import demo
from search_client.client import SearchClient
from search_client.factory import open_catalog_store, open_search_client
from search_client.models import Filters, SearchQuery
from search_client.settings import CatalogSettings
from shopping_agent.mcp_server.server import build_server, listening_socket

ROOT = Path(__file__).parents[2]
CALLS = 400
ROUNDS = 5
MAX_MS_ABOVE = {"in memory": 1.0, "over HTTP": 2.0}
ECHO: tuple[str, dict[str, Any]] = ("echo", {"text": "running shoes"})
TOOLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("search_products", {"query": "running shoes", "max_price": 120}),
    ("get_product_details", {"product_id": "p1556"}),
    ("compare_products", {"product_ids": ["p1556", "p1550"]}),
    ("list_categories", {}),
)


def echo_server() -> MCPServer:
    server = MCPServer("echo", log_level="ERROR")

    @server.tool()
    def echo(text: str) -> str:
        return text

    return server


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds a call."""

    tool: str
    cpu_ms: float
    """Processor time of client and server, median over the rounds: what other work on the machine does not change."""
    median_ms: float
    """Wall time, median over all calls."""


CpuSeconds = Callable[[], float]


def own_cpu_s() -> float:
    return time.process_time()


def with_server(pid: int) -> CpuSeconds:
    """Processor seconds of this process and of the server."""
    tick = os.sysconf("SC_CLK_TCK")

    def both() -> float:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return time.process_time() + (int(fields[11]) + int(fields[12])) / tick

    return both


@dataclass(slots=True)
class Seen:
    """One tool's rounds."""

    cpu_ms: list[float] = field(default_factory=list)
    wall_ms: list[float] = field(default_factory=list)

    async def round(self, client: Client, cpu_s: CpuSeconds, tool: str, arguments: dict[str, Any]) -> None:
        """Call it `CALLS // ROUNDS` times on an open session."""
        before = cpu_s()
        for _ in range(CALLS // ROUNDS):
            begun = time.perf_counter()
            result = await client.call_tool(tool, arguments)
            self.wall_ms.append((time.perf_counter() - begun) * 1000)
            assert not result.is_error, result.content
        self.cpu_ms.append((cpu_s() - before) * 1000 / (CALLS // ROUNDS))

    def cost(self, tool: str) -> Cost:
        """Without the first round, which warms up."""
        wall = self.wall_ms[CALLS // ROUNDS :]
        return Cost(tool, statistics.median(self.cpu_ms[1:]), statistics.median(wall))


async def side_by_side(echo: Client, shop: Client, *, echo_cpu: CpuSeconds, shop_cpu: CpuSeconds) -> list[Cost]:
    """All tools and the echo in turns, so that a busy machine burdens all alike."""
    calls = [(echo, echo_cpu, *ECHO), *((shop, shop_cpu, *tool) for tool in TOOLS)]
    seen = {name: Seen() for _, _, name, _ in calls}
    for _ in range(ROUNDS + 1):
        for client, cpu_s, name, arguments in calls:
            await seen[name].round(client, cpu_s, name, arguments)
    return [each.cost(name) for name, each in seen.items()]


@asynccontextmanager
async def served(*command: str) -> AsyncIterator[tuple[str, CpuSeconds]]:
    """The address of a server started as a process of its own, and what it and this process have used."""
    environment = os.environ | {"MCP_RATE_LIMIT": "0"}
    process = subprocess.Popen([sys.executable, *command], cwd=ROOT, env=environment, text=True, stderr=subprocess.PIPE)
    assert process.stderr is not None
    try:
        yield process.stderr.readline().removeprefix("Listening on ").strip(), with_server(process.pid)
    finally:
        process.terminate()
        process.wait()


def serve_echo() -> None:
    """The SDK's own server with the settings that ours has."""
    import uvicorn

    app = echo_server().streamable_http_app(stateless_http=True, json_response=True)
    config = uvicorn.Config(app, log_config=None, access_log=False)
    listening = listening_socket("127.0.0.1", 0)
    print(f"Listening on http://127.0.0.1:{listening.getsockname()[1]}/mcp", file=sys.stderr, flush=True)
    uvicorn.Server(config).run(sockets=[listening])


def shares_ms(client: SearchClient) -> dict[str, float]:
    """Processor milliseconds that the catalog alone takes for what each of `TOOLS` asks it, median."""
    query = SearchQuery(("running shoes",), filters=Filters(max_price=120))
    asked: tuple[Callable[[], object], ...] = (
        lambda: client.search(query),
        lambda: client.get_product_details("p1556"),
        lambda: (client.get_product_details("p1556"), client.get_product_details("p1550")),
        client.vocabulary,
    )
    shares = {}
    for (tool, _), ask in zip(TOOLS, asked, strict=True):
        times = []
        for _ in range(CALLS):
            begun = time.thread_time()
            ask()
            times.append((time.thread_time() - begun) * 1000)
        shares[tool] = statistics.median(times)
    return shares


def told(where: str, costs: list[Cost], shares: dict[str, float]) -> bool:
    """Print one table; whether every tool keeps within the bound."""
    echo, *ours = costs
    print(f"{where}, {CALLS} calls each on an open session; processor time of client and server, ms a call")
    print(f"  {'':22} {'cpu':>6} {'above the echo':>15} {'of it the catalog':>18} {'wall':>7}")
    print(f"  {echo.tool:22} {echo.cpu_ms:6.2f} {'':15} {'':18} {echo.median_ms:7.2f}")
    for cost in ours:
        above = f"{cost.cpu_ms - echo.cpu_ms:+15.2f} {shares[cost.tool]:18.2f}"
        print(f"  {cost.tool:22} {cost.cpu_ms:6.2f} {above} {cost.median_ms:7.2f}")
    worst = max(cost.cpu_ms for cost in ours) - echo.cpu_ms
    print(f"  worst {worst:.2f} ms above the echo, bound {MAX_MS_ABOVE[where]:g} ms")
    return worst <= MAX_MS_ABOVE[where]


async def run(catalog: CatalogSettings) -> bool:
    with closing(open_search_client(catalog)) as client:
        async with Client(echo_server()) as echo, Client(build_server(client)) as shop:
            in_memory = await side_by_side(echo, shop, echo_cpu=own_cpu_s, shop_cpu=own_cpu_s)
        shares = shares_ms(client)
    command = ("-m", "shopping_agent.mcp_server", "--http", "--port", "0", "--catalog", catalog.catalog_url)
    async with (
        served("-m", "tests.bench.mcp") as (echo_url, echo_cpu),
        served(*command) as (shop_url, shop_cpu),
        Client(echo_url) as echo,
        Client(shop_url) as shop,
    ):
        over_http = await side_by_side(echo, shop, echo_cpu=echo_cpu, shop_cpu=shop_cpu)
    return all([told("in memory", in_memory, shares), told("over HTTP", over_http, shares)])


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        catalog = CatalogSettings(f"sqlite:///{folder}/catalog.sqlite")
        with closing(open_catalog_store(catalog)) as store:
            store.write(demo.products())
        return 0 if asyncio.run(run(catalog)) else 1


if __name__ == "__main__":
    serve_echo()
