"""The one place where concrete classes are chosen."""

from __future__ import annotations

import os
from datetime import timedelta

from flask import Flask
from flask_wtf.csrf import CSRFProtect

from shopping_agent.agent import ShoppingAgent
from shopping_agent.factory import build_agent
from web.services import EXTENSION, Services
from web.settings import WebSettings, web_settings_from_env
from web.store.cart import CartStore
from web.store.conversation_store import ConversationStore
from web.store.engine import open_engine
from web.store.sql_conversations import SqlConversationStore


def create_app(
    settings: WebSettings | None = None,
    *,
    agent: ShoppingAgent | None = None,
    store: ConversationStore | None = None,
    carts: CartStore | None = None,
) -> Flask:
    """The web app. What is not given is built from `settings`, and these from the environment.

    Raises `WebSettingsError`, `AgentSettingsError`, `SearchClientError` before anything is served.
    """
    settings = settings or web_settings_from_env(os.environ)
    agent = agent or build_agent()
    if store is None or carts is None:
        engine = open_engine(settings.database_url)
        store = store or SqlConversationStore(engine)
        carts = carts or CartStore(engine)
    app = Flask("web")
    app.config.update(
        SECRET_KEY=settings.secret_key,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=timedelta(days=30),
        MAX_CONTENT_LENGTH=64 * 1024,
        WTF_CSRF_TIME_LIMIT=None,  # a chat may stay open for hours
    )
    CSRFProtect(app)
    app.extensions[EXTENSION] = Services(
        settings=settings, agent=agent, catalog=agent.client, conversations=store, carts=carts
    )
    return app
