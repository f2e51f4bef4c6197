"""Feeds by address: only public https, only as much as allowed, only where the merchant pointed."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from search_client.errors import FeedError
from search_client.feeds import FeedLimits, FeedOptions, open_feed
from search_client.feeds.fetch import downloaded

CSV = b"id,title,price\nA,Cup,4.00\n"


def fetch(
    url: str,
    handler: Callable[[httpx.Request], httpx.Response],
    *,
    options: FeedOptions | None = None,
    addresses: dict[str, list[str]] | None = None,
) -> bytes:
    table = addresses or {}

    def resolving(host: str, port: int) -> list[str]:
        return table.get(host, ["93.184.216.34"])

    given = options or FeedOptions()
    with downloaded(url, given, resolving=resolving, transport=httpx.MockTransport(handler)) as path:
        return path.read_bytes()


def test_the_file_is_brought_from_the_address_that_was_checked() -> None:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, stream=httpx.ByteStream(CSV))

    assert fetch("https://shop.example/feeds/all.csv?token=1", handler) == CSV
    assert (seen[0].url.host, seen[0].headers["host"], seen[0].url.query) == (
        "93.184.216.34",
        "shop.example",
        b"token=1",
    )
    assert seen[0].extensions["sni_hostname"] == "shop.example"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.9",
        "172.16.5.5",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
        "fd00::1",
        "fe80::1%eth0",
        "::ffff:10.0.0.1",
        "2002:0a00:0001::1",
    ],
)
def test_no_private_address_is_reached_even_behind_a_public_name(address: str) -> None:
    with pytest.raises(FeedError, match="private address"):
        fetch("https://shop.example/a.csv", _never, addresses={"shop.example": ["93.184.216.34", address]})


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://shop.example/a.csv", "only https"),
        ("ftp://shop.example/a.csv", "only https"),
        ("file:///etc/passwd", "only https"),
        ("https:///a.csv", "only https"),
        ("https://shop.example:99999/a.csv", "no address"),
        ("https://user:secret@shop.example/a.csv", "password"),
    ],
)
def test_other_addresses_are_refused(url: str, message: str) -> None:
    with pytest.raises(FeedError, match=message):
        fetch(url, _never)


def test_a_redirect_on_the_same_host_is_followed_and_its_address_checked_again() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/new":
            return httpx.Response(200, stream=httpx.ByteStream(CSV))
        return httpx.Response(302, headers={"location": "/new"})

    assert fetch("https://shop.example/old", handler) == CSV


def test_a_redirect_to_another_host_is_followed_only_when_told() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        if request.headers["host"] == "cdn.example":
            return httpx.Response(200, stream=httpx.ByteStream(CSV))
        return httpx.Response(301, headers={"location": "https://cdn.example/all.csv"})

    with pytest.raises(FeedError, match=r"--allow-host cdn\.example"):
        fetch("https://shop.example/a", handler)
    assert fetch("https://shop.example/a", handler, options=FeedOptions(allow_hosts=("cdn.example",))) == CSV
    inside = {"cdn.example": ["10.0.0.1"]}
    with pytest.raises(FeedError, match="private address"):
        fetch("https://shop.example/a", handler, options=FeedOptions(allow_hosts=("cdn.example",)), addresses=inside)


def test_a_redirect_away_from_https_or_without_end_is_refused() -> None:
    with pytest.raises(FeedError, match="only https"):
        fetch("https://shop.example/a", lambda _: httpx.Response(302, headers={"location": "http://shop.example/b"}))
    with pytest.raises(FeedError, match="redirects more than"):
        fetch("https://shop.example/a", lambda _: httpx.Response(302, headers={"location": "/a"}))


def test_size_status_and_outages_are_told() -> None:
    small = FeedOptions(limits=FeedLimits(max_download_bytes=10))
    with pytest.raises(FeedError, match="larger than 10 bytes"):
        fetch("https://shop.example/a", lambda _: httpx.Response(200, stream=httpx.ByteStream(CSV)), options=small)
    with pytest.raises(FeedError, match="larger than 10 bytes"):
        fetch("https://shop.example/a", lambda _: httpx.Response(200, content=iter([CSV, CSV])), options=small)
    late = FeedOptions(limits=FeedLimits(max_download_s=-1))
    with pytest.raises(FeedError, match="takes longer"):
        fetch("https://shop.example/a", lambda _: httpx.Response(200, stream=httpx.ByteStream(CSV)), options=late)
    with pytest.raises(FeedError, match="status 403"):
        fetch("https://shop.example/a", lambda _: httpx.Response(403))
    with pytest.raises(FeedError, match="Cannot download"):
        fetch("https://shop.example/a", _times_out)


def test_an_unknown_host_is_told() -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise OSError("Name or service not known")

    with (
        pytest.raises(FeedError, match=r"Cannot find the host 'shop\.example'"),
        downloaded("https://shop.example/a", FeedOptions(), resolving=unknown),
    ):
        pass


def test_open_feed_takes_an_address_and_refuses_a_private_one() -> None:
    with pytest.raises(FeedError, match=r"private address 127\.0\.0\.1"):
        open_feed("https://127.0.0.1:8/feed.csv")


def _never(request: httpx.Request) -> httpx.Response:
    raise AssertionError(f"reached {request.url}")


def _times_out(request: httpx.Request) -> httpx.Response:
    raise httpx.ReadTimeout("timed out", request=request)
