from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from search_client.errors import (
    CatalogError,
    InvalidQueryError,
    ProductNotFoundError,
    SearchTimeoutError,
    SearchUnavailableError,
    SettingsError,
)
from search_client.http_client import HttpSearchClient, HttpTimeouts
from search_client.models import Filters, SearchQuery, Shopper, Sort
from search_client.testing import FakeSearchClient
from tests.search_client.service import ServedClient
from tests.search_client.shop import MUG, SHIRT, SHOP, STAFF

KEY = "k" * 32
STAFF_SHOPPER = Shopper(currency="USD", region="US", groups=("staff", "vip, gold"))


def answering(status: int, body: object, headers: dict[str, str] | None = None) -> HttpSearchClient:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return HttpSearchClient(
        "http://shop.example",
        transport=httpx.MockTransport(lambda _: httpx.Response(status, content=content, headers=headers)),
    )


def failing(error: Exception) -> HttpSearchClient:
    def fail(_: httpx.Request) -> httpx.Response:
        raise error

    return HttpSearchClient("http://shop.example", transport=httpx.MockTransport(fail))


@pytest.mark.parametrize(
    "query",
    [
        SearchQuery(),
        SearchQuery(("shirt",), sort=Sort.PRICE_ASC, limit=1, offset=1),
        SearchQuery(("t shirt", "red & blue")),
        SearchQuery(("café",)),
        SearchQuery(("shirt",), exclude=("wool",), filters=Filters(max_price=30, brands=("Nike", "Nikee"))),
        SearchQuery(filters=Filters(attributes=(("Material", "Wool"), ("a=b.c", "ü&")), in_stock=True)),
    ],
)
def test_a_service_gives_the_answers_of_its_catalog(query: SearchQuery) -> None:
    assert ServedClient(FakeSearchClient(SHOP)).search(query) == FakeSearchClient(SHOP).search(query)


def test_details_alternatives_and_vocabulary_come_through_whatever_the_id() -> None:
    client, plain = ServedClient(FakeSearchClient(SHOP)), FakeSearchClient(SHOP)
    assert client.get_product_details(SHIRT.id) == SHIRT
    assert client.get_product_details(MUG.id) == MUG
    assert client.alternatives(SHIRT.id, limit=1) == plain.alternatives(SHIRT.id, limit=1)
    assert client.vocabulary() == plain.vocabulary()


@pytest.mark.parametrize("product_id", ["p9", "", ".", "..", "x" * 300, "a\nb", "\ud800", "p1/../p2", "%2e%2e"])
def test_an_unknown_id_is_not_found(product_id: str) -> None:
    client = ServedClient(FakeSearchClient(SHOP))
    with pytest.raises(ProductNotFoundError):
        client.get_product_details(product_id)
    with pytest.raises(ProductNotFoundError):
        client.alternatives(product_id)


def test_groups_count_only_with_the_key() -> None:
    trusted = ServedClient(FakeSearchClient(SHOP), api_key=KEY, sent_key=KEY)
    assert trusted.get_product_details(STAFF.id, shopper=STAFF_SHOPPER) == STAFF
    assert trusted.search(SearchQuery(("staff",)), shopper=STAFF_SHOPPER).total == 1
    with pytest.raises(ProductNotFoundError):
        trusted.get_product_details(STAFF.id)
    with pytest.raises(ProductNotFoundError):
        ServedClient(FakeSearchClient(SHOP)).get_product_details(STAFF.id, shopper=STAFF_SHOPPER)


@pytest.mark.parametrize("sent_key", [None, "wrong"])
def test_a_catalog_with_a_key_answers_nobody_without(sent_key: str | None) -> None:
    with pytest.raises(CatalogError, match="CATALOG_API_KEY"):
        ServedClient(FakeSearchClient(SHOP), api_key=KEY, sent_key=sent_key).search(SearchQuery())


def test_bounds_are_refused_by_the_service_in_its_words() -> None:
    client = ServedClient(FakeSearchClient(SHOP))
    with pytest.raises(InvalidQueryError, match="limit 101 is not within"):
        client.search(SearchQuery(limit=101))
    with pytest.raises(InvalidQueryError, match="limit: 0"):
        client.alternatives("p1", limit=0)


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        (SearchUnavailableError("db 10.0.0.1 down", retry_after_s=7), SearchUnavailableError),
        (SearchTimeoutError("slow"), SearchTimeoutError),
        (CatalogError("/var/secret is corrupt"), CatalogError),
    ],
)
def test_a_failing_catalog_is_told_without_its_inner_words(inside: Exception, outside: type[Exception]) -> None:
    catalog = FakeSearchClient(SHOP)
    catalog.error = inside  # type: ignore[assignment]
    with pytest.raises(outside) as caught:
        ServedClient(catalog).vocabulary()
    assert type(caught.value) is outside
    assert not {"10.0.0.1", "secret"} & set(str(caught.value).replace("/", " ").split())
    if isinstance(caught.value, SearchUnavailableError) and isinstance(inside, SearchUnavailableError):
        assert caught.value.retry_after_s == inside.retry_after_s


@pytest.mark.parametrize(
    ("client", "expected", "message"),
    [
        (answering(200, b"<html>"), CatalogError, "no JSON"),
        (answering(200, b"[" * 100_000), CatalogError, "no JSON"),
        (answering(200, {"hits": []}), CatalogError, "total is missing"),
        (answering(404, b"<html>"), CatalogError, "is it the address of a catalog API"),
        (answering(404, {"error": {"code": "not_found"}}), CatalogError, "404"),
        (answering(302, b"", {"Location": "http://evil"}), CatalogError, "302"),
        (answering(400, {"error": "no object"}), InvalidQueryError, "answered 400"),
        (answering(429, b"", {"Retry-After": "3"}), SearchUnavailableError, "429"),
        (answering(503, {"error": {"code": "unavailable", "message": "later."}}), SearchUnavailableError, "later"),
        (answering(500, b"oops"), SearchUnavailableError, "500"),
        (answering(504, b""), SearchTimeoutError, "504"),
        (answering(500, {"error": {"code": "catalog_error", "message": "x"}}), CatalogError, "500: x"),
        (answering(200, b"x" * (17 * 1024 * 1024)), CatalogError, "more than 16,777,216 bytes"),
        (failing(httpx.ConnectError("refused")), SearchUnavailableError, "refused"),
        (failing(httpx.ReadTimeout("slow")), SearchTimeoutError, "within 5 s"),
        (failing(httpx.RemoteProtocolError("cut")), SearchUnavailableError, "cut"),
    ],
)
def test_whatever_a_service_answers_is_an_answer_or_an_error_of_ours(
    client: HttpSearchClient, expected: type[Exception], message: str
) -> None:
    with pytest.raises(expected) as caught:
        client.search(SearchQuery())
    assert type(caught.value) is expected
    assert message in str(caught.value)


def test_every_error_of_the_http_library_is_translated() -> None:
    kinds = [
        kind
        for kind in vars(httpx).values()
        if isinstance(kind, type)
        and issubclass(kind, httpx.TransportError | httpx.DecodingError | httpx.TooManyRedirects)
    ]
    assert len(kinds) > 10
    for kind in kinds:
        with pytest.raises(SearchUnavailableError):
            failing(kind("boom")).search(SearchQuery())


def test_a_product_of_another_id_is_not_taken() -> None:
    with pytest.raises(CatalogError, match="'p2' where 'p1'"):
        answering(200, {"id": "p2", "title": "Mug"}).get_product_details("p1")


def test_a_vocabulary_is_asked_for_again_when_its_time_is_over() -> None:
    now = [0.0]
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        return httpx.Response(200, json={"revision": len(asked), "product_count": 1})

    client = HttpSearchClient("http://x/base", transport=httpx.MockTransport(answer), clock=lambda: now[0])
    assert [client.vocabulary().revision, client.vocabulary().revision] == [1, 1]
    now[0] = 31
    assert client.vocabulary().revision == 2
    assert asked == ["/base/api/vocabulary"] * 2


@pytest.mark.parametrize(
    "url",
    ["ftp://shop", "shop.example", "http://", "http://shop/?q=1", "http://me:secret@shop/", "http://x:y/", ""],
)
def test_a_url_that_is_no_service_is_refused(url: str) -> None:
    with pytest.raises(SettingsError) as caught:
        HttpSearchClient(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("key", ["kß", "a\nb", " "])
def test_a_key_that_no_header_can_carry_is_refused(key: str) -> None:
    with pytest.raises(SettingsError, match="CATALOG_API_KEY"):
        HttpSearchClient("http://shop.example", api_key=key)


def test_a_closed_client_says_so() -> None:
    client = ServedClient(FakeSearchClient(SHOP))
    client.close()
    client.close()
    with pytest.raises(CatalogError, match="closed"):
        client.search(SearchQuery())


@pytest.fixture
def dribbling() -> Iterator[str]:
    """The address of a service that answers one byte at a time, as long as it is listened to."""
    released = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            while not released.is_set():
                try:
                    self.wfile.write(b" ")
                except OSError:
                    return

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        released.set()
        server.shutdown()
        thread.join()


def test_a_service_that_never_ends_is_left_after_the_whole_time(dribbling: str) -> None:
    client = HttpSearchClient(dribbling, timeouts=HttpTimeouts(whole_s=0.05))
    with closing(client), pytest.raises(SearchTimeoutError, match="still answering after"):
        client.search(SearchQuery())


def test_connections_are_reused() -> None:
    connections: set[object] = set()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            connections.add(self.client_address)
            body = b'{"total": 0, "hits": []}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        with closing(HttpSearchClient(f"http://127.0.0.1:{server.server_address[1]}")) as client:
            assert [client.search(SearchQuery()).total for _ in range(5)] == [0] * 5
        server.shutdown()
        thread.join()
    assert len(connections) == 1
