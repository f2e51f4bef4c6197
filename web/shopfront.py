"""Puts everything a shopper sees into the app."""

from __future__ import annotations

import hashlib
from pathlib import Path

from flask import Flask
from jinja2 import Environment, StrictUndefined

from web.bidi import shown
from web.blueprints.cart import cart
from web.blueprints.chat import chat
from web.blueprints.conversations import conversations
from web.blueprints.look import look
from web.blueprints.pictures import pictures
from web.blueprints.products import products
from web.blueprints.tools import tools
from web.failures import install_failures
from web.page import FRAMED_NAME, FRAMED_PREFIX, TEMPLATES
from web.settings import WebSettings
from web.strings import languages
from web.templating import in_language


def install(app: Flask, settings: WebSettings) -> None:
    """Register the routes, and the words for what cannot be answered."""
    app.config["ASSETS_VERSION"] = assets_version(Path(app.static_folder or ""), settings.look.color)
    install_failures(app)
    app.extensions[TEMPLATES] = _templates(app)
    for blueprint in (chat, conversations, products, cart, look, tools, pictures):
        app.register_blueprint(blueprint)
    for blueprint in (chat, conversations, products, cart, look, tools):
        app.register_blueprint(blueprint, url_prefix=FRAMED_PREFIX, name=FRAMED_NAME + blueprint.name)


def _templates(app: Flask) -> dict[str, Environment]:
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.finalize = shown
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    return {language: in_language(app.jinja_env, language) for language in languages()}


def compile_templates(language: str) -> None:
    """Compile every template for `language`, for the apps of this process and of those that are forked from it."""
    own = _templates(Flask("web"))[language]
    for name in own.list_templates(extensions=("html",)):
        own.get_template(name)


def assets_version(folder: Path, color: str) -> str:
    """Changes whenever a static file or the theme does."""
    digest = hashlib.sha256(color.encode())
    for path in sorted(folder.rglob("*.*")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:10]
