"""For balancers and Prometheus: is the process alive, can it answer, what did it do."""

from __future__ import annotations

import hmac

from flask import Blueprint, Response, abort, jsonify, request

from search_client.errors import SearchClientError
from web.errors import StoreUnavailableError
from web.services import services

health = Blueprint("health", __name__)


@health.get("/healthz")
def alive() -> Response:
    """The process answers; nothing else is asked."""
    return jsonify(status="ok")


@health.get("/readyz")
def ready() -> tuple[Response, int]:
    """Whether the catalog and the conversations can be read; 503 names what does not answer."""
    found = services()
    parts = {"catalog": "ok", "conversations": "ok"}
    try:
        found.catalog.vocabulary()
    except SearchClientError:
        parts["catalog"] = "unavailable"
    try:
        found.conversations.conversations("nobody", limit=1)
    except StoreUnavailableError:
        parts["conversations"] = "unavailable"
    ok = set(parts.values()) == {"ok"}
    return jsonify(status="ok" if ok else "unavailable", **parts), 200 if ok else 503


@health.get("/metrics")
def metrics() -> Response:
    """Prometheus' text format; with an operator token set only for its bearer, else only on this machine."""
    token = services().settings.operator_token
    given = request.authorization
    if token:
        if not hmac.compare_digest(str(given.token or given.password or "") if given else "", token):
            abort(401)
    elif request.remote_addr not in ("127.0.0.1", "::1"):
        abort(404)
    return Response(services().metrics.exposition(), mimetype="text/plain; version=0.0.4")
