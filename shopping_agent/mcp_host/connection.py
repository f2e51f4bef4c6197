"""One open session with one MCP server, used from threads: the only file of the host that knows the SDK."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

import anyio
import httpx2
from anyio.from_thread import BlockingPortal
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from mcp.types import CONNECTION_CLOSED, INVALID_REQUEST, CallToolResult, Implementation, TextContent, Tool

from shopping_agent.mcp_host.errors import ToolCallError, ToolGoneError
from shopping_agent.mcp_host.pins import Definition
from shopping_agent.mcp_host.results import ToolResult, tool_result
from shopping_agent.mcp_host.settings import McpServer

log = logging.getLogger(__name__)
T = TypeVar("T")

CONNECT_TIMEOUT_S = 10.0  # a command may have to start an interpreter
AWAY_S = 15.0  # a server that could not be reached is not asked again sooner: each try costs a turn the time-out
MAX_TOOLS = 500
MAX_PAGES = 50
MAX_TOLD_CHARS = 1_000
InProcess = Server[Any] | MCPServer
# A server that was restarted knows the session no more and says -32600; the SDK says the same for a bare 404.
_SESSION_OVER = (CONNECTION_CLOSED, INVALID_REQUEST)
_US = Implementation(name="shopping-assistant", version="0.1.0")


class Portal:
    """The process's one event loop for MCP, in a thread of its own; started on first use, and anew after a fork."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pid = 0
        self._running: tuple[BlockingPortal, threading.Thread] | None = None

    def get(self) -> BlockingPortal:
        """The running loop. One that a parent process started is left alone: its thread is not in this process."""
        with self._lock:
            if self._running is None or self._pid != os.getpid():
                self._running = _started()
                self._pid = os.getpid()
            return self._running[0]

    def close(self) -> None:
        """End the loop and everything in it; a second call does nothing."""
        with self._lock:
            if self._running is not None and self._pid == os.getpid():
                portal, thread = self._running
                portal.call(portal.stop, True)
                thread.join()
            self._running = None


def _started() -> tuple[BlockingPortal, threading.Thread]:
    """Not by anyio's own context manager: dropped in a forked child, it would wait for a thread that is not there."""
    ready: Future[BlockingPortal] = Future()

    async def hold() -> None:
        async with BlockingPortal() as portal:
            ready.set_result(portal)
            await portal.sleep_until_stopped()

    thread = threading.Thread(target=anyio.run, args=(hold,), name="mcp", daemon=True)
    thread.start()
    return ready.result(), thread


class Connection:
    """A session that is opened when it is needed and again when it broke. Thread-safe."""

    def __init__(
        self,
        server: McpServer,
        portal: Portal,
        *,
        in_process: InProcess | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`in_process`: a server object to talk to in place of a command or an address, for tests and for our own."""
        self._clock = clock
        self._away_until_s = 0.0
        self._server = server
        self._portal = portal
        self._in_process = in_process
        self._lock = threading.Lock()
        self._open: tuple[BlockingPortal, Client, anyio.Event, Future[None]] | None = None

    def definitions(self) -> tuple[Definition, ...]:
        """All tools as the server describes them now. Raises `ToolGoneError` where it does not answer."""
        tools = self._again(self._listed)
        return tuple(_definition(self._server.name, tool) for tool in tools)

    def call(self, tool: str, arguments: dict[str, Any], *, may_repeat: bool) -> ToolResult:
        """The tool's answer. A call that changes nothing is made once more where the session had broken.

        Raises `ToolCallError` for what the server refuses, `ToolGoneError` where it does not answer.
        """

        async def ask(client: Client) -> CallToolResult:
            return await client.call_tool(tool, arguments)

        result = self._again(ask, attempts=2 if may_repeat else 1)
        blocks = [block.text if isinstance(block, TextContent) else f"({block.type})" for block in result.content]
        return tool_result(
            tool, self._server.name, blocks=blocks, structured=result.structured_content, is_error=result.is_error
        )

    def close(self) -> None:
        """End the session; a later call opens another."""
        with self._lock:
            opened, self._open = self._open, None
        if opened is not None:
            portal, _, closing, held = opened
            with contextlib.suppress(Exception, CancelledError):
                portal.call(closing.set)
                held.result(5)

    async def _listed(self, client: Client) -> list[Tool]:
        tools: list[Tool] = []
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            page = await client.list_tools(cursor=cursor, cache_mode="refresh")
            tools += page.tools
            cursor = page.next_cursor
            if cursor is None or len(tools) >= MAX_TOOLS:
                break
        return tools[:MAX_TOOLS]

    def _again(self, ask: Callable[[Client], Awaitable[T]], *, attempts: int = 2) -> T:
        """What `ask` gives; on a session that had broken it is asked again on a fresh one."""
        for attempt in range(1, attempts + 1):
            portal, client = self._session()
            try:
                return self._asked(portal, client, ask)
            except MCPError as error:
                if error.code not in _SESSION_OVER:
                    raise ToolCallError(f"{self._server.name}: {error.message[:MAX_TOLD_CHARS]}") from error
                broken: BaseException = error
            except TimeoutError as error:
                raise ToolGoneError(
                    f"{self._server.name} did not answer within {self._server.timeout_s:g} s."
                ) from error
            except (Exception, CancelledError) as error:  # whatever a transport raises: the session is of no more use
                broken = _root(error)
            log.warning("MCP server %s: the session broke: %r", self._server.name, broken)
            self.close()
            if attempt == attempts:
                raise ToolGoneError(f"The server {self._server.name} does not answer now.") from broken
        raise AssertionError("attempts is at least 1")

    def _asked(self, portal: BlockingPortal, client: Client, ask: Callable[[Client], Awaitable[T]]) -> T:
        async def bounded() -> T:
            with anyio.fail_after(self._server.timeout_s):
                return await ask(client)

        future: Future[T] = portal.start_task_soon(bounded)
        return future.result(self._server.timeout_s + 5)

    def _session(self) -> tuple[BlockingPortal, Client]:
        """The open session, opened where there is none. Raises `ToolGoneError`."""
        portal = self._portal.get()
        with self._lock:
            if self._open is None or self._open[0] is not portal or self._open[3].done():
                if self._clock() < self._away_until_s:
                    raise ToolGoneError(f"The server {self._server.name} cannot be reached now.")
                self._open = (portal, *self._opened(portal))
            return portal, self._open[1]

    def _opened(self, portal: BlockingPortal) -> tuple[Client, anyio.Event, Future[None]]:
        ready: Future[tuple[Client, anyio.Event]] = Future()

        async def hold() -> None:
            closing = anyio.Event()
            try:
                # One scope around the whole session: a scope that ends before it would tear its task groups apart.
                with anyio.CancelScope(deadline=anyio.current_time() + CONNECT_TIMEOUT_S) as scope:
                    async with self._client() as client:
                        session: Any = client.session
                        session.validate_tool_result = _take_as_it_is
                        scope.deadline = float("inf")
                        ready.set_result((client, closing))
                        await closing.wait()
                if not ready.done():
                    raise TimeoutError(f"no session within {CONNECT_TIMEOUT_S:g} s")
            except BaseException as error:
                if not ready.done():
                    ready.set_exception(_root(error))
                    return
                raise

        held = portal.start_task_soon(hold)
        try:
            client, closing = ready.result(CONNECT_TIMEOUT_S + 5)
        except Exception as error:
            log.warning("MCP server %s cannot be reached: %r", self._server.name, error)
            self._away_until_s = self._clock() + AWAY_S
            held.cancel()
            raise ToolGoneError(f"The server {self._server.name} cannot be reached now.") from error
        return client, closing, held

    @contextlib.asynccontextmanager
    async def _client(self) -> AsyncIterator[Client]:
        server = self._server
        if self._in_process is not None:
            async with Client(self._in_process, client_info=_US) as client:
                yield client
        elif server.url is not None:
            async with (
                httpx2.AsyncClient(headers=dict(server.headers), timeout=server.timeout_s) as http,
                Client(streamable_http_client(server.url, http_client=http), client_info=_US) as client,
            ):
                yield client
        else:
            command = StdioServerParameters(command=server.command or "", args=list(server.args), env=dict(server.env))
            async with Client(stdio_client(command, errlog=sys.__stderr__ or sys.stderr), client_info=_US) as client:
                yield client


async def _take_as_it_is(name: str, result: CallToolResult) -> None:
    """A result that breaks its tool's own output schema is a result still: we read what is there."""


def _definition(server: str, tool: Tool) -> Definition:
    annotations = tool.annotations.model_dump(by_alias=True, exclude_none=True) if tool.annotations else {}
    return Definition(
        server=server,
        name=tool.name,
        description=tool.description or "",
        schema=tool.input_schema,
        annotations=annotations,
        title=tool.title,
    )


def _root(error: BaseException) -> BaseException:
    """What really happened: the SDK's task groups wrap it in groups of one."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error
