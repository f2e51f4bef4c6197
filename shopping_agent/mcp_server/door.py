"""Who gets in over HTTP: right host, right origin, right token; everybody else is told why, and so is the log.

An ASGI application around the protocol's. Server push is not offered, so that no connection is held open for nothing.
"""

from __future__ import annotations

import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from shopping_agent.mcp_server.settings import McpServerSettings

log = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

PATH = "/mcp"
HEALTH_PATH = "/health"


class Door:
    """Lets requests through to `app`, or answers them with the reason why not."""

    def __init__(self, app: AsgiApp, settings: McpServerSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["path"] == HEALTH_PATH:
            await _answer(send, 200, "ok")
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _answer(send, *refusal)
            return
        origin = headers.get("origin")
        if origin is None or not _matches(origin, self._settings.allowed_origins):
            await self._app(scope, receive, send)
        elif scope["method"] == "OPTIONS":
            await send({"type": "http.response.start", "status": 204, "headers": [*_readable_by(origin), *_PREFLIGHT]})
            await send({"type": "http.response.body", "body": b""})
        else:
            await self._app(scope, receive, _with_headers(send, _readable_by(origin)))

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        """Status and reason, None where the request may pass."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if not _matches(host, self._settings.hosts):
            log.warning("refused (421) a request for host %r: to allow it, add it to MCP_ALLOWED_HOSTS", host[:200])
            return 421, "This host name is not served here; the operator can allow it."
        if origin is not None and not _matches(origin, self._settings.origins):
            log.warning("refused (403) a page of %r: to allow it, add it to MCP_ALLOWED_ORIGINS", origin[:200])
            return 403, "Pages of this origin may not call this server; the operator can allow it."
        if scope["method"] == "OPTIONS":
            return None  # what a browser asks before it sends the page's request, without its token
        if self._settings.token and not self._is_known(headers.get("authorization", "")):
            log.warning("refused (401) a request without the bearer token")
            return 401, "Send the server's token: Authorization: Bearer …"
        if scope["method"] == "GET" and scope["path"] == PATH:
            return 405, "There is no stream to listen to: every answer comes with its request."
        return None

    def _is_known(self, authorization: str) -> bool:
        scheme, _, token = authorization.partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(
            token.strip().encode("latin-1", "replace"), self._settings.token.encode()
        )


# A page may send what the protocol needs, and nothing that a browser adds by itself (no cookies).
_PREFLIGHT = [
    (b"access-control-allow-methods", b"POST"),
    (
        b"access-control-allow-headers",
        b"authorization, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, x-shopper",
    ),
    (b"access-control-max-age", b"600"),
]


def _readable_by(origin: str) -> list[tuple[bytes, bytes]]:
    return [(b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"Origin")]


def _with_headers(send: Send, headers: list[tuple[bytes, bytes]]) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *headers]}
        await send(message)

    return sending


def _matches(value: str, allowed: Iterable[str]) -> bool:
    folded = value.casefold()
    for pattern in map(str.casefold, allowed):
        if folded == pattern:
            return True
        name, _, port = folded.rpartition(":")
        if pattern.endswith(":*") and name == pattern[:-2] and port.isascii() and port.isdecimal():
            return True
    return False


async def _answer(send: Send, status: int, reason: str) -> None:
    body = json.dumps({"status" if status == 200 else "error": reason}).encode()
    extra = {401: [(b"www-authenticate", b'Bearer realm="mcp"')], 405: [(b"allow", b"POST")]}.get(status, [])
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *extra]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
