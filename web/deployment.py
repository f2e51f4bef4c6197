"""Where the shop stands: behind which proxy, under which names, framed by whom. Read once, checked before serving."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from web.errors import WebSettingsError

_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:\d{1,5})?", re.IGNORECASE)
_HOST = re.compile(r"\.?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Deployment:
    """Settings of the place."""

    https: bool = False
    """`HTTPS`: the shop is reached over TLS only; cookies become `__Host-` and `Secure`, and HSTS is sent."""
    trusted_hosts: tuple[str, ...] = ()
    """`TRUSTED_HOSTS`: names it answers to, separated by commas; empty: any."""
    proxy_hops: int = 0
    """`PROXY_HOPS`: number of own proxies whose `X-Forwarded-*` headers count."""
    widget_origins: tuple[str, ...] = ()
    """`WIDGET_ORIGINS`: shop pages that may frame the bubble, as `https://shop.example`, separated by commas."""
    image_hosts: tuple[str, ...] = ()
    """`IMAGE_HOSTS`: origins product pictures may come from; empty: any https address."""


DEFAULT_DEPLOYMENT = Deployment()


def deployment_from_env(environ: Mapping[str, str]) -> Deployment:
    """Read and check. Raises `WebSettingsError` naming the variable and its value."""
    return Deployment(
        https=flag(environ, "HTTPS"),
        trusted_hosts=_list(environ, "TRUSTED_HOSTS", _HOST, "a host name like shop.example"),
        proxy_hops=_count(environ, "PROXY_HOPS"),
        widget_origins=_list(environ, "WIDGET_ORIGINS", _ORIGIN, "an origin like https://shop.example"),
        image_hosts=_list(environ, "IMAGE_HOSTS", _ORIGIN, "an origin like https://cdn.example"),
    )


def flag(environ: Mapping[str, str], name: str) -> bool:
    """A yes or no, no where it is not set. Raises `WebSettingsError`."""
    value = environ.get(name, "").strip().lower()
    if value not in ("", "0", "1", "no", "yes", "false", "true", "off", "on"):
        raise WebSettingsError(f"{name} {value!r} is neither yes nor no.")
    return value in ("1", "yes", "true", "on")


def _count(environ: Mapping[str, str], name: str) -> int:
    value = environ.get(name, "").strip() or "0"
    if not (value.isascii() and value.isdecimal() and int(value) <= 10):
        raise WebSettingsError(f"{name} {value!r} is not a number from 0 to 10.")
    return int(value)


def _list(environ: Mapping[str, str], name: str, shape: re.Pattern[str], like: str) -> tuple[str, ...]:
    values = tuple(part.strip().rstrip("/") for part in environ.get(name, "").split(",") if part.strip())
    wrong = next((value for value in values if not shape.fullmatch(value)), None)
    if wrong is not None:
        raise WebSettingsError(f"{name}: {wrong!r} is not {like}.")
    return values
