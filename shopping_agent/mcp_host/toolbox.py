"""All tools that may be used now: discovered, allowed by name, accepted by an operator, checked before each call."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from shopping_agent.errors import AgentSettingsError
from shopping_agent.mcp_host.arguments import ArgumentCheck
from shopping_agent.mcp_host.connection import Connection, InProcess, Portal
from shopping_agent.mcp_host.errors import ToolCallError, ToolGoneError
from shopping_agent.mcp_host.pins import Definition, Pins
from shopping_agent.mcp_host.results import ToolResult
from shopping_agent.mcp_host.settings import EVERY, McpServer
from shopping_agent.steps.step import ToolOffer

log = logging.getLogger(__name__)

REFRESH_S = 30.0  # a tool that changes meanwhile is noticed within it
MAX_DESCRIPTION_CHARS = 2_000
_UNFIT = re.compile(r"[^A-Za-z0-9_-]")  # what OpenAI refuses in the name of a function
TRUST = "python -m shopping_agent.mcp_host trust"


@dataclass(frozen=True, slots=True)
class Usable:
    """A tool that may be called."""

    offer: ToolOffer
    definition: Definition
    check: ArgumentCheck
    read_only: bool
    """False: only with the shopper's own confirmation."""


@dataclass(frozen=True, slots=True)
class Discovered:
    """What was found at one moment."""

    usable: Mapping[str, Usable]
    """By the name that models are told."""
    problems: tuple[str, ...]
    """What is missing, changed or away, each in one sentence for operators."""
    at_s: float


class Toolbox:
    """Tools of several servers. Thread-safe; servers are asked on first use and every `REFRESH_S` from then on."""

    def __init__(
        self,
        servers: Iterable[McpServer],
        pins: Pins,
        *,
        in_process: Mapping[str, InProcess] | None = None,
        tell: Callable[[str], None] = log.warning,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._servers = {server.name: server for server in servers}
        self._pins = pins
        self._tell = tell
        self._clock = clock
        self._portal = Portal()
        given = in_process or {}
        self._connections = {
            name: Connection(server, self._portal, in_process=given.get(name), clock=clock)
            for name, server in self._servers.items()
        }
        self._lock = threading.Lock()
        self._found: Discovered | None = None

    def discover(self, *, again: bool = False) -> Discovered:
        """What may be used now; `again` asks the servers whatever is remembered."""
        if self._lock.locked() and self._found is not None and not again:
            return self._found  # somebody asks the servers already; a slow one costs one turn the wait, not all
        with self._lock:
            found = self._found
            if again or found is None or self._clock() > found.at_s + REFRESH_S:
                found = self._found = self._discovered()
                for problem in found.problems:
                    self._tell(problem)
            return found

    @property
    def servers(self) -> tuple[str, ...]:
        """Names of all servers, in the order of their file."""
        return tuple(self._servers)

    def definitions(self, server: str) -> tuple[Definition, ...]:
        """Every allowed tool of a server as it is now, accepted or not, for operators. Raises `ToolGoneError`."""
        found = self._connections[server].definitions()
        return tuple(definition for definition in found if self._servers[server].allows(definition.name))

    def find(self, name: str) -> Usable:
        """The tool that models know under `name`. Raises `ToolGoneError` naming those there are."""
        usable = self.discover().usable
        if name not in usable:
            raise ToolGoneError(f"There is no tool {name[:80]!r}; there are {', '.join(usable) or 'none right now'}.")
        return usable[name]

    def fitted(self, tool: Usable, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as the tool takes them. Raises `ToolCallError`."""
        return tool.check.fitted(arguments)

    def call(self, tool: Usable, arguments: dict[str, Any]) -> ToolResult:
        """Run a tool with arguments that were fitted. Raises `ToolCallError`; whoever calls has the confirmation."""
        definition = tool.definition
        try:
            return self._connections[definition.server].call(definition.name, arguments, may_repeat=tool.read_only)
        except ToolGoneError:
            raise
        except ToolCallError as error:
            self._refresh_if_gone(tool)
            raise error

    def close(self) -> None:
        """End all sessions; a second call does nothing."""
        for connection in self._connections.values():
            connection.close()
        self._portal.close()

    def _refresh_if_gone(self, tool: Usable) -> None:
        """A server that refuses a call may have dropped or changed the tool: what may be used is asked anew."""
        now = self.discover(again=True).usable.get(tool.offer.name)
        if now is None or now.definition.digest != tool.definition.digest:
            raise ToolGoneError(f"The tool {tool.offer.name!r} is not offered any more as it was accepted.")

    def _discovered(self) -> Discovered:
        usable: dict[str, Usable] = {}
        problems: list[str] = []
        try:
            self._pins.refresh()
        except AgentSettingsError as error:  # what was accepted before stays so
            problems.append(str(error))
        for name, server in self._servers.items():
            try:
                definitions = self._connections[name].definitions()
            except ToolCallError as error:
                problems.append(str(error))
                continue
            problems += self._missing(server, definitions)
            for definition in definitions:
                if server.allows(definition.name):
                    self._admit(definition, server, usable, problems)
        return Discovered(usable, tuple(problems), self._clock())

    def _missing(self, server: McpServer, definitions: Iterable[Definition]) -> list[str]:
        there = [definition.name for definition in definitions]
        wanted = [name for name in (*server.allow, *self._pins.names(server.name)) if name != EVERY]
        others = [name for name in there if not server.allows(name)]
        hint = f"; it also offers {', '.join(others[:10])}, which are not allowed" if others else ""
        return [
            f"The tool {name!r} of the server {server.name!r} is gone or renamed{hint}."
            for name in dict.fromkeys(wanted)
            if name not in there and server.allows(name)
        ]

    def _admit(self, definition: Definition, server: McpServer, usable: dict[str, Usable], problems: list[str]) -> None:
        verdict = self._pins.verdict(definition)
        if verdict != "accepted":
            told = "was never accepted" if verdict == "new" else "has changed since it was accepted"
            problems.append(
                f"The tool {definition.name!r} of the server {definition.server!r} {told} and is not used: read it and "
                f"accept it with `{TRUST}`."
            )
            return
        try:
            check = ArgumentCheck(definition.name, definition.schema)
        except ToolGoneError as error:
            problems.append(str(error))
            return
        name = _UNFIT.sub("_", definition.name)[:64]
        if name in usable:
            name = _UNFIT.sub("_", f"{definition.server}__{definition.name}")[:64]
        offer = ToolOffer(name, definition.description[:MAX_DESCRIPTION_CHARS], definition.schema)
        read_only = definition.says_read_only or definition.name in server.read_only
        usable[name] = Usable(offer, definition, check, read_only)
