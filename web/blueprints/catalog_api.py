"""The catalog as a read-only service: another deployment's `HttpSearchClient` speaks to it, or any program."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable
from functools import wraps
from urllib.parse import unquote

from flask import Blueprint, Response, jsonify, request

from search_client.client import SearchClient
from search_client.codec import product_to_json
from search_client.errors import (
    InvalidQueryError,
    ProductNotFoundError,
    SearchClientError,
    SearchTimeoutError,
    SearchUnavailableError,
)
from search_client.models import Shopper
from search_client.wire import hits_to_json, query_from_params, results_to_json, vocabulary_to_json

log = logging.getLogger(__name__)

MAX_ALTERNATIVES = 20
_RETRY_AFTER_S = 2


def create_catalog_api(client: SearchClient | Callable[[], SearchClient], *, api_key: str | None = None) -> Blueprint:
    """`GET /api/products`, `/api/products/<id>`, `/api/products/<id>/alternatives` and `/api/vocabulary`.

    With `api_key` every request must carry it as a bearer token, and may then name the shopper's groups; without, the
    API is open to all and shows what everybody may see.
    """
    api = Blueprint("catalog_api", __name__)

    def catalog() -> SearchClient:
        return client() if callable(client) else client

    @api.before_request
    def _authorize() -> Response | None:
        if api_key is None or _has_key(api_key):
            return None
        return _refusal("unauthorized", "This catalog needs a key: Authorization: Bearer …", status=401)

    @api.get("/api/products")
    @_answered
    def search() -> Response:
        query = query_from_params(request.args.items(multi=True))
        return jsonify(results_to_json(catalog().search(query, shopper=_shopper(trusted=api_key is not None))))

    @api.get("/api/products/<path:product_id>")
    @_answered
    def details(product_id: str) -> Response:
        shopper = _shopper(trusted=api_key is not None)
        return jsonify(product_to_json(catalog().get_product_details(product_id, shopper=shopper)))

    @api.get("/api/products/<path:product_id>/alternatives")
    @_answered
    def alternatives(product_id: str) -> Response:
        limit = request.args.get("limit", 4, type=int)
        if not 1 <= limit <= MAX_ALTERNATIVES:
            raise InvalidQueryError(f"limit: {limit!r} is not within 1 to {MAX_ALTERNATIVES}.")
        hits = catalog().alternatives(product_id, limit=limit, shopper=_shopper(trusted=api_key is not None))
        return jsonify({"hits": hits_to_json(hits)})

    @api.get("/api/vocabulary")
    @_answered
    def vocabulary() -> Response:
        return jsonify(vocabulary_to_json(catalog().vocabulary()))

    return api


def _answered(view: Callable[..., Response]) -> Callable[..., Response]:
    """Turns errors of the catalog into the contract's refusals; what went wrong inside goes to the log only."""

    @wraps(view)
    def answer(**arguments: str) -> Response:
        try:
            return view(**arguments)
        except ProductNotFoundError as error:
            return _refusal("not_found", str(error), status=404)
        except InvalidQueryError as error:
            return _refusal("invalid_query", str(error), status=400)
        except SearchTimeoutError as error:
            log.warning("catalog API: %s", error)
            return _refusal("timeout", "The catalog took longer than allowed.", status=504)
        except SearchUnavailableError as error:
            log.warning("catalog API: %s", error)
            refusal = _refusal("unavailable", "The catalog does not answer now.", status=503)
            refusal.headers["Retry-After"] = str(round(error.retry_after_s or _RETRY_AFTER_S))
            return refusal
        except SearchClientError as error:
            log.error("catalog API: %s", error)
            return _refusal("catalog_error", "The catalog cannot be used; its operator has been told.", status=500)

    return answer


def _refusal(code: str, message: str, *, status: int) -> Response:
    response = jsonify({"error": {"code": code, "message": message}})
    response.status_code = status
    return response


def _has_key(api_key: str) -> bool:
    given = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
    return hmac.compare_digest(given.encode(), api_key.encode())


def _shopper(*, trusted: bool) -> Shopper:
    currency, region = (unquote(request.headers.get(f"Shopper-{name}", "")) for name in ("Currency", "Region"))
    groups = request.headers.get("Shopper-Groups", "") if trusted else ""
    return Shopper(
        currency=currency or None,
        region=region or None,
        groups=tuple(unquote(group) for group in groups.split(",") if group),
    )
