"""Pictures of the demo catalog, drawn on request: no file is kept and no host is asked."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from search_client.demo.pictures import UnknownPictureError, picture

pictures = Blueprint("pictures", __name__)


@pictures.get("/pictures/<name>")
def show(name: str) -> Response:
    """One drawing; the same for everybody, for good."""
    try:
        drawn = picture(request.path)
    except UnknownPictureError:
        abort(404)
    return Response(drawn, mimetype="image/svg+xml", headers={"Cache-Control": "public, max-age=31536000, immutable"})
