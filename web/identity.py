"""Who sends a request: asked of the host shop's hook, or read from its signed header (`shopping_agent.identity`)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from flask import Request, g, request

from search_client.models import ANYONE, Shopper
from shopping_agent.identity import HEADER, read_signed
from web.services import services

log = logging.getLogger(__name__)

IdentityHook = Callable[[Request], Shopper]
"""A merchant's own way to tell who shops. It must not raise; `ANYONE` stands for somebody unknown."""


def signed_header(secret: str, *, clock: Callable[[], float] = time.time) -> IdentityHook:
    """A hook that trusts the signed header, and nobody without one."""

    def hook(incoming: Request) -> Shopper:
        value = incoming.headers.get(HEADER)
        if not value:
            return ANYONE
        shopper = read_signed(value, secret=secret, now=clock())
        if shopper is None:
            log.warning("a shopper header was forged, expired or malformed")
        return shopper or ANYONE

    return hook


def nobody(_incoming: Request) -> Shopper:
    """The hook of a shop without accounts."""
    return ANYONE


def current_shopper() -> Shopper:
    """Who sends the current request."""
    if "shopper" not in g:
        g.shopper = services().identity(request)
    shopper: Shopper = g.shopper
    return shopper
