"""How a route answers: the whole page, a part of it, events, or the way to another page."""

from __future__ import annotations

from flask import Response, redirect, request

from web import sse


def html(text: str, *, status: int = 200) -> Response:
    """A page that is this shopper's alone."""
    response = Response(text, status=status, mimetype="text/html")
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Cookie, Accept"
    return response


def see_other(target: str) -> Response:
    """After a form: look there, so that a reload sends nothing again."""
    response = redirect(target, code=303)
    assert isinstance(response, Response)  # werkzeug promises its own base class only
    return response


def wants_part() -> bool:
    """Whether a script asks for parts of the page to put in place."""
    return request.headers.get("X-Part") == "1"


def wants_stream() -> bool:
    """Whether a script asks for events."""
    return request.accept_mimetypes.best_match(["text/html", sse.MIMETYPE]) == sse.MIMETYPE


def local_path(path: str | None) -> str:
    """A path of this site to go back to, or nothing: no address of another host passes."""
    safe = path and path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if safe and path else ""
