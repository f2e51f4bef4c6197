"""The tools as an MCP server of the official SDK, over stdio or streamable HTTP.

On the SDK's low-level server: the high-level one reads text that looks like JSON as JSON and drops unknown arguments.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.metadata
import json
import logging
import socket
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import anyio
import mcp.types as types
import uvicorn
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError

from search_client.client import SearchClient
from search_client.errors import SearchClientError, SearchTimeoutError, SearchUnavailableError
from search_client.models import ANYONE
from shopping_agent.mcp_server.definitions import INSTRUCTIONS, TOOLS, ToolDefinition
from shopping_agent.mcp_server.door import PATH, SHOPPER, AsgiApp, Door
from shopping_agent.mcp_server.settings import McpServerSettings
from shopping_agent.mcp_server.tools import ToolAnswer, ToolError, call

log = logging.getLogger(__name__)

MAX_AT_ONCE = 16
MAX_BODY_BYTES = 256 * 1024  # arguments of ours are under 2
TOOLS_TTL_MS = 3_600_000
BACKLOG = 1_024
UNAVAILABLE = "The catalog does not answer right now; the same call may succeed in a moment."
BROKEN = "The shop could not answer this call; its log says why. Another call may succeed."

_BY_NAME = {tool.name: tool for tool in TOOLS}
_Context = ServerRequestContext[ThreadPoolExecutor, Any]


def build_server(client: SearchClient, settings: McpServerSettings | None = None) -> Server[ThreadPoolExecutor]:
    """A server for `client`'s catalog; it closes nothing that it was given."""
    settings = settings or McpServerSettings()

    async def list_tools(_: _Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=_LISTED, ttl_ms=TOOLS_TTL_MS, cache_scope="public")

    async def call_tool(context: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        definition = _BY_NAME.get(params.name)
        if definition is None:
            raise MCPError(
                types.INVALID_PARAMS, f"There is no tool {params.name[:80]!r}; there are {', '.join(_BY_NAME)}."
            )
        shopper = ANYONE if context.request is None else context.request.scope.get(SHOPPER, ANYONE)
        run = partial(call, definition, params.arguments, client=client, shopper=shopper)
        return await _answered(definition, run, threads=context.lifespan_context, timeout_s=settings.timeout_s)

    server: Server[ThreadPoolExecutor] = Server(
        "shop-catalog",
        version=importlib.metadata.version("shopping-assistant"),
        title="Shop catalog",
        instructions=INSTRUCTIONS,
        lifespan=_lifespan,
        get_tool_input_schema=_input_schema,  # without it the SDK lists all tools before each call over HTTP
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.append(_read_arguments)
    return server


@contextlib.asynccontextmanager
async def _lifespan(_: Server[ThreadPoolExecutor]) -> AsyncIterator[ThreadPoolExecutor]:
    threads = ThreadPoolExecutor(MAX_AT_ONCE, thread_name_prefix="mcp")
    try:
        yield threads
    finally:
        threads.shutdown(wait=False, cancel_futures=True)


def _listing(tool: ToolDefinition) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


_LISTED = [_listing(tool) for tool in TOOLS]


def _input_schema(name: str) -> dict[str, Any] | None:
    tool = _BY_NAME.get(name)
    return tool.input_schema if tool else None


async def _read_arguments(ctx: _Context, call_next: CallNext) -> HandlerResult:
    """Arguments that came as the text of a JSON object are that object; other shapes are refused by name."""
    params = ctx.params
    if ctx.method == "tools/call" and params is not None:
        given = params.get("arguments")
        if isinstance(given, str):
            with contextlib.suppress(ValueError, RecursionError):
                given = json.loads(given or "{}")
        if given is not None and not isinstance(given, dict):
            raise MCPError(
                types.INVALID_PARAMS, f"arguments must be a JSON object such as {{}}, not {type(given).__name__}."
            )
        if given is not params.get("arguments"):
            ctx = replace(ctx, params={**params, "arguments": given})
    return await call_next(ctx)


async def _answered(
    definition: ToolDefinition,
    run: Callable[[], ToolAnswer],
    *,
    threads: ThreadPoolExecutor,
    timeout_s: float,
) -> types.CallToolResult:
    """The answer, or an error that a model can act on; what went wrong inside goes to the log only.

    A call that the client takes back, or that takes too long, never starts or is left to its thread: it only reads,
    and keeps its place among `MAX_AT_ONCE` until it ends.
    """
    try:
        with anyio.fail_after(timeout_s):
            answer = await asyncio.wrap_future(threads.submit(run))
    except ToolError as error:
        return _failed(str(error))
    except (SearchUnavailableError, SearchTimeoutError, TimeoutError):
        log.exception("%s: the catalog does not answer", definition.name)
        return _failed(UNAVAILABLE)
    except SearchClientError:
        log.exception("%s failed", definition.name)
        return _failed(BROKEN)
    except Exception:  # the border: a client gets a sentence, the operator the traceback
        log.exception("%s failed", definition.name)
        return _failed(BROKEN)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=answer.text)], structured_content=answer.data
    )


def _failed(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def http_app(
    client: SearchClient, settings: McpServerSettings, *, clock: Callable[[], float] = time.monotonic
) -> AsgiApp:
    """The server as an ASGI application at `/mcp`: stateless, so that a restart or a second machine is not noticed."""
    app = build_server(client, settings).streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        json_response=True,
        max_request_body_size=MAX_BODY_BYTES,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # `Door` checks, and logs
    )
    return Door(app, settings, clock=clock)


def serve_http(
    client: SearchClient, settings: McpServerSettings, *, started: Callable[[str, Callable[[], None]], None]
) -> None:
    """Serve until interrupted; `started` gets the address and what ends it. Raises `OSError` for a port in use."""
    server = uvicorn.Server(uvicorn.Config(http_app(client, settings), log_config=None, access_log=False))

    def stop() -> None:
        server.should_exit = True

    with contextlib.closing(listening_socket(settings.host, settings.port)) as listening:
        host, port = listening.getsockname()[:2]
        started(f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}", stop)
        server.run(sockets=[listening])


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that says it is TCP: asyncio sends small answers at once only then, else each waits 40 ms for an ACK."""
    family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listening = socket.socket(family, kind, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(BACKLOG)  # who hears the address may call at once, and waits until it is served
    except OSError:
        listening.close()
        raise
    return listening


def serve_stdio(client: SearchClient) -> None:
    """Serve one client on stdin and stdout until it goes away; nothing but protocol reaches stdout."""

    async def run() -> None:
        server = build_server(client)
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(run)
