"""A product search service over HTTP: the contract of `wire`, one attempt a call, every failure in our own words."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import quote

import httpx

from search_client.bounds import MAX_ID_CHARS
from search_client.codec import product_from_json
from search_client.errors import (
    CatalogError,
    InvalidQueryError,
    InvalidRecordError,
    ProductNotFoundError,
    SearchClientError,
    SearchTimeoutError,
    SearchUnavailableError,
    SettingsError,
)
from search_client.models import ANYONE, Hit, Product, SearchQuery, SearchResults, Shopper, Vocabulary
from search_client.wire import hits_from_json, query_to_params, results_from_json, vocabulary_from_json

T = TypeVar("T")

MAX_ANSWER_BYTES = 16 * 1024 * 1024
_DETAIL_CHARS = 200


@dataclass(frozen=True, slots=True)
class HttpTimeouts:
    """How long one call may take, in seconds."""

    connect_s: float = 2.0
    read_s: float = 5.0
    """Between two pieces of the answer, and until the first."""
    whole_s: float = 8.0
    """The call as a whole; a server that sends drop by drop is left at the next drop."""


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    body: bytes
    retry_after_s: float | None


class HttpSearchClient:
    """A `SearchClient` over a service that speaks the catalog API. Thread-safe; connections are kept and reused.

    `api_key` is sent as a bearer token; only with it does a service honour the shopper's groups.
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        timeouts: HttpTimeouts | None = None,
        vocabulary_ttl_s: float = 30.0,
        transport: httpx.BaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._timeouts = timeouts or HttpTimeouts()
        self._base_url = _checked(base_url)
        self._clock = clock
        self._vocabulary_ttl_s = vocabulary_ttl_s
        self._vocabulary: tuple[float, Vocabulary] | None = None
        if api_key is not None and not (
            api_key.isascii() and api_key.isprintable() and api_key.strip() == api_key != ""
        ):
            raise SettingsError("CATALOG_API_KEY must be printable ASCII without blanks at its ends.")
        headers = {"Accept": "application/json", "User-Agent": "shopping-assistant"}
        self._http = httpx.Client(
            base_url=self._base_url,
            headers=headers | ({"Authorization": f"Bearer {api_key}"} if api_key else {}),
            timeout=httpx.Timeout(self._timeouts.read_s, connect=self._timeouts.connect_s),
            limits=httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=30),
            transport=transport,
            follow_redirects=False,
        )

    def search(self, query: SearchQuery, *, shopper: Shopper = ANYONE) -> SearchResults:
        return self._ask(
            "api/products", shopper, params=query_to_params(query), read=lambda data: results_from_json(data, query)
        )

    def get_product_details(self, product_id: str, *, shopper: Shopper = ANYONE) -> Product:
        product = self._ask(_path_of(product_id), shopper, read=product_from_json, product_id=product_id)
        if product.id != product_id:
            raise CatalogError(f"{self._base_url} answered product {product.id!r} where {product_id!r} was asked for.")
        return product

    def alternatives(self, product_id: str, *, limit: int = 4, shopper: Shopper = ANYONE) -> tuple[Hit, ...]:
        path = _path_of(product_id) + "/alternatives"
        return self._ask(path, shopper, params=[("limit", str(limit))], read=hits_from_json, product_id=product_id)

    def vocabulary(self) -> Vocabulary:
        known = self._vocabulary
        if known is not None and self._clock() - known[0] < self._vocabulary_ttl_s:
            return known[1]
        vocabulary = self._ask("api/vocabulary", ANYONE, read=vocabulary_from_json)
        self._vocabulary = (self._clock(), vocabulary)
        return vocabulary

    def close(self) -> None:
        self._http.close()

    def _ask(
        self,
        path: str,
        shopper: Shopper,
        *,
        read: Callable[[object], T],
        params: Sequence[tuple[str, str]] = (),
        product_id: str | None = None,
    ) -> T:
        answer = self._get(path, params, shopper)
        data = self._parsed(answer)
        if answer.status != 200:
            raise self._refusal(answer, data, product_id)
        try:
            return read(data)
        except InvalidRecordError as error:
            raise CatalogError(f"{self._base_url} answered {path} against the catalog API: {error}") from error

    def _get(self, path: str, params: Sequence[tuple[str, str]], shopper: Shopper) -> _Answer:
        deadline = self._clock() + self._timeouts.whole_s
        try:
            with self._http.stream("GET", path, params=list(params), headers=_headers_of(shopper)) as response:
                body = self._body(response, deadline)
                return _Answer(response.status_code, body, _seconds(response.headers.get("Retry-After")))
        except httpx.TimeoutException as error:
            raise SearchTimeoutError(
                f"{self._base_url} did not answer within {self._timeouts.read_s:g} s ({type(error).__name__})."
            ) from error
        except (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL) as error:
            raise SearchUnavailableError(f"{self._base_url} does not answer: {str(error)[:_DETAIL_CHARS]}.") from error
        except RuntimeError as error:  # httpx: the client has been closed
            raise CatalogError("This client is closed; open another one.") from error

    def _body(self, response: httpx.Response, deadline: float) -> bytes:
        body = bytearray()
        for piece in response.iter_bytes():
            body += piece
            if len(body) > MAX_ANSWER_BYTES:
                raise CatalogError(f"{self._base_url} answered more than {MAX_ANSWER_BYTES:,} bytes.")
            if self._clock() > deadline:
                raise SearchTimeoutError(
                    f"{self._base_url} was still answering after {self._timeouts.whole_s:g} s: left it."
                )
        return bytes(body)

    def _parsed(self, answer: _Answer) -> object:
        try:
            data: object = json.loads(answer.body)
        except (ValueError, RecursionError) as error:
            if answer.status == 200:
                raise CatalogError(
                    f"{self._base_url} answered something that is no JSON: is it a catalog API?"
                ) from error
            return None
        return data

    def _refusal(self, answer: _Answer, data: object, product_id: str | None) -> SearchClientError:
        code, message = _error_of(data)
        said = f"{self._base_url} answered {answer.status}" + (f": {message}" if message else "")
        match code, answer.status:
            case "not_found", _ if product_id is not None:
                return ProductNotFoundError(product_id)
            case ("invalid_query", _) | (_, 400 | 414 | 422):
                return InvalidQueryError(message or f"{said}.")
            case ("unauthorized", _) | (_, 401 | 403):
                return CatalogError(f"{said}. Set CATALOG_API_KEY to a key that this service accepts.")
            case ("timeout", _) | (_, 408 | 504):
                return SearchTimeoutError(f"{said}.", retry_after_s=answer.retry_after_s)
            case ("unavailable" | "rate_limited", _) | (_, 429 | 502 | 503):
                return SearchUnavailableError(f"{said}.", retry_after_s=answer.retry_after_s)
            case ("catalog_error", _):
                return CatalogError(f"{said}.")
        if answer.status >= 500:
            return SearchUnavailableError(f"{said}.", retry_after_s=answer.retry_after_s)
        return CatalogError(f"{said}: is it the address of a catalog API?")


def _checked(base_url: str) -> str:
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL as error:
        raise SettingsError(f"The service URL {base_url!r} cannot be read: {error}.") from error
    if url.scheme not in {"http", "https"} or not url.host or url.query or url.fragment:
        raise SettingsError(f"The service URL {base_url!r} must be http(s)://host[/path] without ? and #.")
    if url.userinfo:
        raise SettingsError(f"The service URL of {url.host!r} holds a password: use CATALOG_API_KEY.")
    return str(url).rstrip("/") + "/"


def _path_of(product_id: str) -> str:
    """The path of one product; what can be no id is not asked for."""
    if not product_id.strip(".") or len(product_id) > MAX_ID_CHARS or any(char < " " for char in product_id):
        raise ProductNotFoundError(product_id)
    try:
        return "api/products/" + quote(product_id, safe="")
    except UnicodeEncodeError as error:
        raise ProductNotFoundError(product_id) from error


def _headers_of(shopper: Shopper) -> dict[str, str]:
    headers = {}
    if shopper.groups:
        headers["Shopper-Groups"] = ",".join(quote(group, safe="") for group in shopper.groups)
    if shopper.currency:
        headers["Shopper-Currency"] = quote(shopper.currency, safe="")
    if shopper.region:
        headers["Shopper-Region"] = quote(shopper.region, safe="")
    return headers


def _seconds(retry_after: str | None) -> float | None:
    return float(retry_after) if retry_after and retry_after.isascii() and retry_after.isdigit() else None


def _error_of(data: object) -> tuple[str | None, str]:
    """Code and message of `{"error": {"code": …, "message": …}}`; None where the answer is of another kind."""
    error = data.get("error") if isinstance(data, dict) else None
    if not isinstance(error, dict):
        return None, ""
    code, message = error.get("code"), error.get("message")
    text = message[:_DETAIL_CHARS].rstrip(".") if isinstance(message, str) else ""
    return (code if isinstance(code, str) else None), text
