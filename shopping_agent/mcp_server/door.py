"""Who gets in over HTTP: right host, origin and token, not too often, not too many at once; others are told why.

An ASGI application around the protocol's. Server push is not offered, so that no connection is held open for nothing.
"""

from __future__ import annotations

import hmac
import json
import logging
import math
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from search_client.models import ANYONE, Shopper
from shopping_agent import identity
from shopping_agent.mcp_server.allowance import Allowance
from shopping_agent.mcp_server.settings import McpServerSettings

log = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]
Refusal = tuple[int, str, float]
"""Status, reason, and the seconds after which another try may succeed, 0 where none will."""

PATH = "/mcp"
HEALTH_PATH = "/health"
SHOPPER = "shopping_assistant.shopper"
"""Where the application finds who shops, in the scope of a request."""
MAX_IN_FLIGHT = 64  # four times what runs at once: who would wait longer had better ask again


class Door:
    """Lets requests through to `app`, or answers them with the reason why not."""

    def __init__(self, app: AsgiApp, settings: McpServerSettings, *, clock: Callable[[], float]) -> None:
        self._app = app
        self._settings = settings
        self._allowance = Allowance(settings.rate_limit, clock=clock)
        self._in_flight = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["path"] == HEALTH_PATH:
            await _answer(send, 200, "ok")
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        page = self._page(headers)
        if page is not None:
            send = _with_headers(send, _readable_by(page))
        shopper = scope[SHOPPER] = self._shopper(headers)
        refusal = self._stranger(headers) or self._too_much(scope, shopper) or self._unfit(scope, headers)
        if refusal is not None:
            await _answer(send, *refusal)
            return
        self._in_flight += 1
        try:
            if scope["method"] == "OPTIONS" and page is not None:
                await send({"type": "http.response.start", "status": 204, "headers": _PREFLIGHT})
                await send({"type": "http.response.body", "body": b""})
            else:
                await self._app(scope, receive, send)
        finally:
            self._in_flight -= 1

    def _page(self, headers: dict[str, str]) -> str | None:
        """The origin of a page that may read what is answered, refusals included; None for any other caller."""
        origin = headers.get("origin")
        return origin if origin is not None and _matches(origin, self._settings.allowed_origins) else None

    def _shopper(self, headers: dict[str, str]) -> Shopper:
        """Who shops, by the signed header; nobody in particular without one."""
        header, secret = headers.get(identity.HEADER.lower()), self._settings.shopper_secret
        if not header or not secret:
            return ANYONE
        shopper = identity.read_signed(header, secret=secret, now=time.time())
        if shopper is None:
            log.warning("a shopper header was forged, expired or malformed")
        return shopper or ANYONE

    def _stranger(self, headers: dict[str, str]) -> Refusal | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not _matches(host, self._settings.hosts):
            log.warning("refused (421) a request for host %r: to allow it, add it to MCP_ALLOWED_HOSTS", host[:200])
            return 421, "This host name is not served here; the operator can allow it.", 0
        if origin is not None and not _matches(origin, self._settings.origins):
            log.warning("refused (403) a page of %r: to allow it, add it to MCP_ALLOWED_ORIGINS", origin[:200])
            return 403, "Pages of this origin may not call this server; the operator can allow it.", 0
        return None

    def _too_much(self, scope: Scope, shopper: Shopper) -> Refusal | None:
        client = scope.get("client")
        caller = f"shopper {shopper.id}" if shopper.id else f"address {client[0] if client else 'unknown'}"
        wait_s = self._allowance.wait_s(caller)
        if wait_s:
            log.warning("refused (429) a request of %s: more than MCP_RATE_LIMIT in a minute", caller)
            return 429, "Too many requests: wait as Retry-After says.", wait_s
        if self._in_flight >= MAX_IN_FLIGHT:
            log.warning("refused (503) a request: %d are being answered", self._in_flight)
            return 503, "Too many requests at once: try again in a moment.", 1
        return None

    def _unfit(self, scope: Scope, headers: dict[str, str]) -> Refusal | None:
        if scope["method"] == "OPTIONS":
            return None  # what a browser asks before it sends the page's request, without its token
        if self._settings.token and not self._is_known(headers.get("authorization", "")):
            log.warning("refused (401) a request without the bearer token")
            return 401, "Send the server's token: Authorization: Bearer …", 0
        if scope["method"] == "GET" and scope["path"] == PATH:
            return 405, "There is no stream to listen to: every answer comes with its request.", 0
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
    return [
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-expose-headers", b"retry-after"),
        (b"vary", b"Origin"),
    ]


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


async def _answer(send: Send, status: int, reason: str, wait_s: float = 0) -> None:
    body = json.dumps({"status" if status == 200 else "error": reason}).encode()
    extra = {401: [(b"www-authenticate", b'Bearer realm="mcp"')], 405: [(b"allow", b"POST")]}.get(status, [])
    if wait_s:
        extra = [(b"retry-after", str(math.ceil(wait_s)).encode())]
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *extra]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
