"""A feed from an https address, brought to a temporary file.

The address is resolved here and the connection made to what was checked, so that no name can lead into the network the
shop runs in, now or after a second look-up. Another host is followed only when told.
"""

from __future__ import annotations

import ipaddress
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urljoin, urlsplit, urlunsplit

import httpx

from search_client.errors import FeedError
from search_client.feeds.options import FeedOptions

Resolve = Callable[[str, int], list[str]]
"""A host name and port to addresses. Raises `OSError`."""
_MAX_REDIRECTS = 5
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_CHUNK = 1 << 18


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a host."""
    return [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


@contextmanager
def downloaded(
    url: str, options: FeedOptions, *, resolving: Resolve = resolve, transport: httpx.BaseTransport | None = None
) -> Iterator[Path]:
    """The file behind `url`, gone when the context ends.

    Raises `FeedError` for another scheme, a private address, a redirect to another host, a status that is no success,
    more bytes than allowed, or a server that does not answer in time.
    """
    with tempfile.TemporaryDirectory(prefix="feed-") as folder:
        path = Path(folder) / (Path(urlsplit(url).path).name[:100] or "feed")
        timeout = httpx.Timeout(options.timeout_s)
        with httpx.Client(transport=transport, timeout=timeout, trust_env=False, follow_redirects=False) as client:
            try:
                _follow(client, url, path, options, resolving)
            except httpx.InvalidURL as error:
                raise FeedError(f"{url!r} is no address: {error}.") from error
            except httpx.HTTPError as error:
                raise FeedError(f"Cannot download {url!r}: {error or type(error).__name__}.") from error
        yield path


def _follow(client: httpx.Client, url: str, path: Path, options: FeedOptions, resolving: Resolve) -> None:
    first = _host_of(url)
    for _ in range(_MAX_REDIRECTS + 1):
        request = _pinned(client, url, resolving)
        response = client.send(request, stream=True)
        try:
            if response.status_code in _REDIRECTS:
                url = urljoin(url, response.headers.get("location", ""))
                _check_host(_host_of(url), first, options)
                continue
            if response.status_code != 200:
                raise FeedError(f"{url!r} answered with status {response.status_code}.")
            _save(response, path, options)
            return
        finally:
            response.close()
    raise FeedError(f"{url!r} redirects more than {_MAX_REDIRECTS} times.")


def _host_of(url: str) -> str:
    """The host of an https address. Raises `FeedError` for any other."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise FeedError(f"{url!r} is no address: {error}.") from error
    if parts.scheme != "https" or not host:
        raise FeedError(f"{url!r}: only https addresses are downloaded.")
    if parts.username or parts.password:
        raise FeedError(
            "An address with a password in it would end up in logs: use a feed address with a token instead."
        )
    return host


def _check_host(host: str, first: str, options: FeedOptions) -> None:
    if host != first and host not in options.allow_hosts:
        raise FeedError(f"{first!r} redirects to another host, {host!r}. If that is right: --allow-host {host}")


def _pinned(client: httpx.Client, url: str, resolving: Resolve) -> httpx.Request:
    """A request to the address that was checked, with the name for TLS and the Host header."""
    parts = urlsplit(url)
    host, port = _host_of(url), parts.port or 443
    address = _public_address(host, port, resolving)
    netloc = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    target = urlunsplit((parts.scheme, netloc, parts.path or "/", parts.query, ""))
    named = host if port == 443 else f"{host}:{port}"
    headers = {"Host": named, "Accept-Encoding": "identity", "User-Agent": "shopping-assistant-import"}
    return client.build_request("GET", target, headers=headers, extensions={"sni_hostname": host})


def _public_address(host: str, port: int, resolving: Resolve) -> str:
    try:
        addresses = resolving(host, port)
    except OSError as error:
        raise FeedError(f"Cannot find the host {host!r}: {error}.") from error
    if not addresses:
        raise FeedError(f"Cannot find the host {host!r}.")
    for address in addresses:
        if not _is_public(address):
            raise FeedError(f"{host!r} leads to the private address {address}: not downloaded.")
    return addresses[0]


def _is_public(address: str) -> bool:
    """Whether the address, and the IPv4 address it may stand for, is of the public internet."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if inner is not None and not inner.is_global:
            return False
    return found.is_global and not found.is_multicast


def _save(response: httpx.Response, path: Path, options: FeedOptions) -> None:
    most = options.limits.max_download_bytes
    told = response.headers.get("content-length", "")
    size, deadline = 0, time.monotonic() + options.limits.max_download_s
    if told.isdigit() and int(told) > most:
        raise FeedError(f"The feed is larger than {most:,} bytes.")
    with path.open("wb") as file:
        for chunk in response.iter_raw(_CHUNK):
            size += len(chunk)
            if size > most:
                raise FeedError(f"The feed is larger than {most:,} bytes.")
            if time.monotonic() > deadline:
                raise FeedError(f"The download takes longer than {options.limits.max_download_s:,.0f} s.")
            file.write(chunk)
