"""What a shopper reads when a request cannot be answered: our words, never the exception's."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable

from flask import Flask, Response, current_app, g, jsonify, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge, SecurityError, ServiceUnavailable, TooManyRequests

from search_client.errors import ProductNotFoundError, SearchClientError
from web.answers import html, wants_part, wants_stream
from web.errors import ConversationNotFoundError, StoreUnavailableError
from web.page import current_language, current_page
from web.services import services
from web.strings import Strings

log = logging.getLogger(__name__)

_WORDS: tuple[tuple[type[Exception], str, int], ...] = (
    (ConversationNotFoundError, "error.conversation", 404),
    (ProductNotFoundError, "error.product", 404),
    (SearchClientError, "error.search", 503),
    (StoreUnavailableError, "error.store", 503),
    (CSRFError, "error.form", 400),
    (RequestEntityTooLarge, "error.large", 413),
    (TooManyRequests, "error.many", 429),
    (ServiceUnavailable, "error.busy", 503),
)
RETRY_AFTER_S = 5


def install_failures(app: Flask) -> None:
    """Answer every error on every route."""
    for error, key, status in _WORDS:
        app.register_error_handler(error, _told(key, status))
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unforeseen)


def _told(key: str, status: int) -> Callable[[Exception], Response]:
    def handler(error: Exception) -> Response:
        if status == 503:
            log.warning("request failed: %s", type(error).__name__, exc_info=error)
        response = _answer(key, status)
        if status in (429, 503):
            services().metrics.limited.labels(str(status)).inc()
        if status in (429, 503):
            wait_s = getattr(error, "retry_after", None) or _window_s(error) or RETRY_AFTER_S
            response.headers["Retry-After"] = str(math.ceil(float(wait_s)))
        return response

    return handler


def _window_s(error: Exception) -> float | None:
    limit = getattr(error, "limit", None)
    return limit.limit.get_expiry() if limit is not None else None


def _http(error: HTTPException) -> Response:
    if isinstance(error, SecurityError):  # no page: its links would carry the very host that is not trusted
        return Response("This shop does not answer to that name.\n", 400, mimetype="text/plain")
    status = error.code or 500
    response = _answer("error.page" if status in (404, 405) else "error.request", status)
    if status == 405 and error.get_response().headers.get("Allow"):
        response.headers["Allow"] = error.get_response().headers["Allow"]
    return response


def _unforeseen(error: Exception) -> Response:
    log.error("unforeseen error", exc_info=error)
    return _answer("error.internal", 500)


def _answer(key: str, status: int) -> Response:
    """A page, a fragment for the script, or JSON for a program: the same words in each."""
    try:
        return _answer_in_full(key, status)
    except StoreUnavailableError:  # session and cart stand in the database that does not answer
        text = Strings(current_language())(key)
        return Response(f"{text}\n", status, mimetype="text/plain")


def _answer_in_full(key: str, status: int) -> Response:
    page = current_page()
    text = page.t(key)
    if request.path.startswith("/api/"):
        response = jsonify(error=text, request_id=g.get("request_id"))
        response.status_code = status
        return response
    values = {"alert": text}
    if key == "error.form" and page.framed and current_app.config["SESSION_COOKIE_NAME"] not in request.cookies:
        values = {"alert": page.t("error.framed"), "away": url_for("chat.new")}
    template = "parts/alert.html" if wants_stream() or wants_part() else "error.html"
    return html(page.render(template, **values), status=status)
