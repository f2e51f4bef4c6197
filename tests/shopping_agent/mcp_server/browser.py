"""Raw requests to the server's ASGI application, without a socket."""

from __future__ import annotations

from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2

from search_client.client import SearchClient
from shopping_agent.mcp_server.server import http_app
from shopping_agent.mcp_server.settings import McpServerSettings
from tests.shopping_agent.mcp_server.shop import shop

HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
}


@asynccontextmanager
async def http(settings: McpServerSettings | None = None, *, client: SearchClient | None = None) -> AsyncIterator[Any]:
    """A client of the server's ASGI application, its lifespan running."""
    app = http_app(client or shop(), settings or McpServerSettings(rate_limit=0), clock=lambda: 100.0)
    inbox: list[dict[str, Any]] = [{"type": "lifespan.startup"}]
    scope: dict[str, Any] = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
    started, stopped = anyio.Event(), anyio.Event()

    async def receive() -> MutableMapping[str, Any]:
        if inbox:
            return inbox.pop()
        await stopped.wait()
        return {"type": "lifespan.shutdown"}

    async def send(message: Any) -> None:
        if message["type"] == "lifespan.startup.complete":
            started.set()

    async def live() -> None:
        await app(scope, receive, send)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(live)
        await started.wait()
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://127.0.0.1:8931") as browser:
            yield browser
        stopped.set()
