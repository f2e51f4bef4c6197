"""Which MCP servers there are and what may be used of them: one JSON file in the form desktop assistants use."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from shopping_agent.errors import AgentSettingsError

_VARIABLE = re.compile(r"\$\{(\w+)\}")
EVERY = "*"


class _Entry(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)

    command: str | None = None
    args: list[str] = Field(default_factory=list)
    env: dict[str, str] = Field(default_factory=dict)
    url: str | None = None
    headers: dict[str, str] = Field(default_factory=dict)
    allow: list[str] = Field(min_length=1)
    read_only: list[str] = Field(default_factory=list, alias="readOnly")
    timeout_s: float = Field(default=15.0, gt=0, le=600, alias="timeoutS")


class _File(BaseModel):
    servers: dict[str, _Entry] = Field(alias="mcpServers")


@dataclass(frozen=True, slots=True)
class McpServer:
    """One server and what may be used of it."""

    name: str
    allow: tuple[str, ...]
    """Names of tools that may be used; `*`: all that are accepted."""
    command: str | None = None
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    read_only: tuple[str, ...] = ()
    """Tools the operator knows to change nothing although the server does not say so."""
    timeout_s: float = 15.0
    """Longest wait for one answer."""

    def allows(self, tool: str) -> bool:
        """Whether the tool may be used, were it accepted."""
        return EVERY in self.allow or tool in self.allow


def read_servers(path: Path, environ: Mapping[str, str] = os.environ) -> tuple[McpServer, ...]:
    """The servers of a file; `${NAME}` in env and headers stands for a variable of the environment.

    Raises `AgentSettingsError` naming the file, the place and what is expected.
    """
    try:
        file = _File.model_validate_json(path.read_bytes())
    except OSError as error:
        raise AgentSettingsError(f"The file of MCP servers {str(path)!r} cannot be read: {error.strerror}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise AgentSettingsError(
            f"{str(path)!r}: {place}: {first['msg']}. Each server needs a command or a url, and allow: the tools that "
            'may be used, {"mcpServers": {"time": {"command": "mcp-server-time", "allow": ["get_current_time"]}}}.'
        ) from error
    return tuple(_server(name, entry, environ) for name, entry in file.servers.items())


def _server(name: str, entry: _Entry, environ: Mapping[str, str]) -> McpServer:
    if (entry.command is None) == (entry.url is None):
        raise AgentSettingsError(f"MCP server {name!r} needs either a command or a url.")
    return McpServer(
        name=name,
        allow=tuple(entry.allow),
        command=entry.command,
        args=tuple(entry.args),
        env=_filled(entry.env, environ, name),
        url=entry.url,
        headers=_filled(entry.headers, environ, name),
        read_only=tuple(entry.read_only),
        timeout_s=entry.timeout_s,
    )


def _filled(given: Mapping[str, str], environ: Mapping[str, str], server: str) -> dict[str, str]:
    def value(match: re.Match[str]) -> str:
        if match[1] not in environ:
            raise AgentSettingsError(f"MCP server {server!r} needs the variable {match[1]}, which is not set: set it.")
        return environ[match[1]]

    return {key: _VARIABLE.sub(value, text) for key, text in given.items()}
