"""An id for every request: in the log lines it causes and in its answer."""

from __future__ import annotations

import secrets

import structlog
from flask import Flask, Response, g


def name_requests(app: Flask) -> None:
    """Give each request an id, `X-Request-Id`."""

    @app.before_request
    def _name() -> None:
        g.request_id = secrets.token_hex(8)
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request=g.request_id)

    @app.after_request
    def _tell(response: Response) -> Response:
        if "request_id" in g:
            response.headers["X-Request-Id"] = g.request_id
        return response
