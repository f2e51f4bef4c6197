"""Who may reach the server over HTTP. Read once, checked before serving."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from shopping_agent.errors import AgentSettingsError
from shopping_agent.keys import MIN_TOKEN_CHARS, is_guessable

DEFAULT_PORT = 8931
LOOPBACK = ("127.0.0.1", "localhost", "::1")
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*(:(\d{1,5}|\*))?", re.IGNORECASE)
_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:(\d{1,5}|\*))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class McpServerSettings:
    """Settings of the MCP server. Those of the catalog are read by `search_client`."""

    host: str = "127.0.0.1"
    """`MCP_HOST`: the address it listens on; any but the machine's own needs a token."""
    port: int = DEFAULT_PORT
    """`MCP_PORT`: 0 takes a free one."""
    token: str = ""
    """`MCP_TOKEN`: clients send it as `Authorization: Bearer …`; empty: none is asked for."""
    allowed_hosts: tuple[str, ...] = ()
    """`MCP_ALLOWED_HOSTS`: further names in the `Host` header, separated by commas: those a proxy passes on."""
    allowed_origins: tuple[str, ...] = ()
    """`MCP_ALLOWED_ORIGINS`: web pages that may call it, as `https://shop.example`, separated by commas."""
    shopper_secret: str = ""
    """`SHOPPER_SECRET`: as for the page; the signed `X-Shopper` header then says who shops."""
    rate_limit: int = 300
    """`MCP_RATE_LIMIT`: requests a minute of one shopper or, without a signed header, one address; 0: any number."""
    timeout_s: float = 10.0
    """`MCP_TIMEOUT_S`: longest run of one call."""

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise AgentSettingsError(f"MCP_PORT {self.port!r} is no port from 0 to 65535: set one.")
        if self.token and (is_guessable(self.token) or not self.token.isascii() or " " in self.token):
            raise AgentSettingsError(
                f"MCP_TOKEN is shorter than {MIN_TOKEN_CHARS} characters, easy to guess or not plain ASCII: "
                "set a random one, for example from `openssl rand -hex 32`."
            )
        if self.shopper_secret and is_guessable(self.shopper_secret):
            raise AgentSettingsError("SHOPPER_SECRET is too easy to guess: use one made by 'openssl rand -hex 32'.")
        if self.host not in LOOPBACK and not self.token:
            raise AgentSettingsError(
                f"MCP_HOST {self.host!r} can be reached from other machines and MCP_TOKEN is not set: set one, or "
                "listen on 127.0.0.1."
            )
        if self.rate_limit < 0:
            raise AgentSettingsError(f"MCP_RATE_LIMIT {self.rate_limit!r} is less than 0: set 0 for no limit.")
        if not 0 < self.timeout_s <= 600:
            raise AgentSettingsError(f"MCP_TIMEOUT_S {self.timeout_s!r} is not within 0 to 600 seconds: set it so.")

    @property
    def hosts(self) -> tuple[str, ...]:
        """Every name the server answers to; `:*` stands for any port."""
        own = ("127.0.0.1", "localhost", "[::1]") if self.host in LOOPBACK else (self.host,)
        return (*(f"{name}:*" for name in own), *own, *self.allowed_hosts)

    @property
    def origins(self) -> tuple[str, ...]:
        """Every page that may call it from a browser."""
        return ("http://127.0.0.1:*", "http://localhost:*", "http://[::1]:*", *self.allowed_origins)


def mcp_server_settings_from_env(environ: Mapping[str, str]) -> McpServerSettings:
    """Read and check; empty equals unset. Raises `AgentSettingsError` naming the variable, its value and what to do."""
    env = {name: value.strip() for name, value in environ.items() if value.strip()}
    return McpServerSettings(
        host=env.get("MCP_HOST", "127.0.0.1"),
        port=int(_number(env, "MCP_PORT", DEFAULT_PORT)),
        token=env.get("MCP_TOKEN", ""),
        allowed_hosts=_list(env, "MCP_ALLOWED_HOSTS", _HOST, "a host name like shop.example or shop.example:8443"),
        allowed_origins=_list(env, "MCP_ALLOWED_ORIGINS", _ORIGIN, "an origin like https://shop.example"),
        shopper_secret=env.get("SHOPPER_SECRET", ""),
        rate_limit=int(_number(env, "MCP_RATE_LIMIT", 300)),
        timeout_s=_number(env, "MCP_TIMEOUT_S", 10.0),
    )


def log_level_from_env(environ: Mapping[str, str]) -> str:
    """What is logged to stderr. Raises `AgentSettingsError`."""
    given = environ.get("LOG_LEVEL", "").strip() or "WARNING"
    if given.upper() not in LOG_LEVELS:
        raise AgentSettingsError(f"LOG_LEVEL {given!r} is none of {', '.join(LOG_LEVELS)}: set one of them.")
    return given.upper()


def _number(env: Mapping[str, str], name: str, default: float) -> float:
    try:
        value = float(env.get(name, default))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise AgentSettingsError(f"{name} {env[name]!r} is not a number: set one.")
    return value


def _list(env: Mapping[str, str], name: str, shape: re.Pattern[str], like: str) -> tuple[str, ...]:
    values = tuple(part.strip().rstrip("/") for part in env.get(name, "").split(",") if part.strip())
    wrong = next((value for value in values if not shape.fullmatch(value)), None)
    if wrong is not None:
        raise AgentSettingsError(f"{name}: {wrong!r} is not {like}.")
    return values
