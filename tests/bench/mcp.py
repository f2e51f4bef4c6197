"""What a call of our MCP server costs above the SDK's own echo tool, side by side: in memory and over HTTP."""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
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
    """Milliseconds a call, median over all."""

    tool: str
    median_ms: float
    p95_ms: float


async def measured(client: Client, tool: str, arguments: dict[str, Any]) -> list[float]:
    """Milliseconds of each call on an open session."""
    times = []
    for _ in range(CALLS // ROUNDS):
        begun = time.perf_counter()
        result = await client.call_tool(tool, arguments)
        times.append((time.perf_counter() - begun) * 1000)
        assert not result.is_error, result.content
    return times


async def side_by_side(echo: Client, shop: Client) -> list[Cost]:
    """All tools and the echo in turns, so that a busy machine burdens all alike; the first round warms up."""
    calls = [(echo, *ECHO), *((shop, *tool) for tool in TOOLS)]
    times: dict[str, list[float]] = {}
    for _ in range(ROUNDS + 1):
        for client, name, arguments in calls:
            times.setdefault(name, []).extend(await measured(client, name, arguments))
    warm = CALLS // ROUNDS
    return [
        Cost(name, statistics.median(seen[warm:]), statistics.quantiles(seen[warm:], n=20)[-1])
        for name, seen in times.items()
    ]


@asynccontextmanager
async def served(*command: str) -> AsyncIterator[str]:
    """The address of a server started as a process of its own."""
    environment = os.environ | {"MCP_RATE_LIMIT": "0"}
    process = subprocess.Popen([sys.executable, *command], cwd=ROOT, env=environment, text=True, stderr=subprocess.PIPE)
    assert process.stderr is not None
    try:
        yield process.stderr.readline().removeprefix("Listening on ").strip()
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


def searching_ms(client: SearchClient) -> float:
    """What the catalog alone takes for the search of `TOOLS`, median."""
    query = SearchQuery(("running shoes",), filters=Filters(max_price=120))
    times = []
    for _ in range(CALLS):
        begun = time.perf_counter()
        client.search(query)
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


def told(where: str, costs: list[Cost], *, catalog_ms: float) -> bool:
    """Print one table; whether every tool keeps within the bound."""
    echo, *ours = costs
    worst = max(cost.median_ms for cost in ours) - echo.median_ms
    print(f"{where}, {CALLS} calls each on an open session")
    for cost in costs:
        above = "" if cost is echo else f"  {cost.median_ms - echo.median_ms:+.2f} above the echo"
        print(f"  {cost.tool:22} median {cost.median_ms:6.2f} ms  p95 {cost.p95_ms:6.2f} ms{above}")
    own = ours[0].median_ms - echo.median_ms - catalog_ms
    print(f"  the catalog's own share of search_products {catalog_ms:.2f} ms, so {own:+.2f} ms is the server's")
    print(f"  worst median above the echo {worst:.2f} ms, bound {MAX_MS_ABOVE[where]:g} ms")
    return worst <= MAX_MS_ABOVE[where]


async def run(catalog: CatalogSettings) -> bool:
    with closing(open_search_client(catalog)) as client:
        async with Client(echo_server()) as echo, Client(build_server(client)) as shop:
            in_memory = await side_by_side(echo, shop)
        catalog_ms = searching_ms(client)
    command = ("-m", "shopping_agent.mcp_server", "--http", "--port", "0", "--catalog", catalog.catalog_url)
    async with (
        served("-m", "tests.bench.mcp") as echo_url,
        served(*command) as shop_url,
        Client(echo_url) as echo,
        Client(shop_url) as shop,
    ):
        over_http = await side_by_side(echo, shop)
    kept = [
        told("in memory", in_memory, catalog_ms=catalog_ms),
        told("over HTTP", over_http, catalog_ms=catalog_ms),
    ]
    return all(kept)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        catalog = CatalogSettings(f"sqlite:///{folder}/catalog.sqlite")
        with closing(open_catalog_store(catalog)) as store:
            store.write(demo.products())
        return 0 if asyncio.run(run(catalog)) else 1


if __name__ == "__main__":
    serve_echo()
