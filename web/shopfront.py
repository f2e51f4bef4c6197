"""Puts everything a shopper sees into the app."""

from __future__ import annotations

import hashlib
from pathlib import Path

from flask import Flask, Response
from jinja2 import StrictUndefined

from search_client.errors import ProductNotFoundError, SearchClientError
from web.blueprints.cart import cart
from web.blueprints.chat import chat
from web.blueprints.conversations import conversations
from web.blueprints.look import look
from web.blueprints.pictures import pictures
from web.blueprints.products import products
from web.errors import ConversationNotFoundError
from web.page import current_page, html
from web.settings import WebSettings


def install(app: Flask, settings: WebSettings) -> None:
    """Register the routes, and the pages for what is not there."""
    app.config["ASSETS_VERSION"] = assets_version(Path(app.static_folder or ""), settings.look.color)
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    for blueprint in (chat, conversations, products, cart, look, pictures):
        app.register_blueprint(blueprint)
    app.register_error_handler(ConversationNotFoundError, _conversation_gone)
    app.register_error_handler(ProductNotFoundError, _product_gone)
    app.register_error_handler(SearchClientError, _search_down)


def assets_version(folder: Path, color: str) -> str:
    """Changes whenever a static file or the theme does."""
    digest = hashlib.sha256(color.encode())
    for path in sorted(folder.rglob("*.*")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:10]


def error_page(key: str, *, status: int) -> Response:
    """What went wrong and where to go on, in the shopper's words."""
    page = current_page()
    return html(page.render("error.html", text=page.t(f"error.{key}")), status=status)


def _conversation_gone(_error: Exception) -> Response:
    return error_page("conversation", status=404)


def _product_gone(_error: Exception) -> Response:
    return error_page("product", status=404)


def _search_down(_error: Exception) -> Response:
    return error_page("search", status=503)
