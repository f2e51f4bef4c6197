"""The one place where concrete classes are chosen."""

from __future__ import annotations

import os
from datetime import timedelta

from flask import Flask
from flask_wtf.csrf import CSRFProtect

from shopping_agent.agent import ShoppingAgent
from shopping_agent.factory import build_agent
from web.blueprints.catalog_api import create_catalog_api
from web.blueprints.health import health
from web.blueprints.operator import operator
from web.headers import protect
from web.identity import IdentityHook, nobody, signed_header
from web.limits import limit
from web.metrics import Metrics
from web.requests import name_requests
from web.retention import Retention
from web.services import EXTENSION, Services
from web.settings import WebSettings, web_settings_from_env
from web.shopfront import install
from web.spans import open_spans
from web.starters import Starters
from web.store.cart import CartStore
from web.store.conversation_store import ConversationStore
from web.store.engine import open_engine
from web.store.sessions import SessionStore
from web.store.spending import SqlLedger
from web.store.sql_conversations import SqlConversationStore
from web.store.traces import TraceStore

MAX_BODY_BYTES = 16 * 1024  # the longest message in four-byte characters, twice
PATIENCE_S = 30.0  # how long a message waits for the one before it


def create_app(
    settings: WebSettings | None = None,
    *,
    agent: ShoppingAgent | None = None,
    store: ConversationStore | None = None,
    carts: CartStore | None = None,
    identity: IdentityHook | None = None,
) -> Flask:
    """The web app. What is not given is built from `settings`, and these from the environment.

    `identity` tells who shops; without it the signed header counts where `shopper_secret` is set.

    Raises `WebSettingsError`, `AgentSettingsError`, `SearchClientError` before anything is served.
    """
    settings = settings or web_settings_from_env(os.environ)
    app = Flask("web")
    app.config.update(
        SECRET_KEY=settings.secret_key,
        SECRET_KEY_FALLBACKS=list(settings.secret_key_fallbacks),
        PERMANENT_SESSION_LIFETIME=timedelta(days=30),
        MAX_CONTENT_LENGTH=MAX_BODY_BYTES,
        WTF_CSRF_TIME_LIMIT=None,  # a chat may stay open for hours
    )
    protect(app, settings.deployment)
    CSRFProtect(app)
    app.extensions[EXTENSION] = found = _services(settings, agent, store, carts, identity)
    install(app, settings)
    catalog_api = create_catalog_api(found.catalog, api_key=settings.serve_catalog_key or None)
    for blueprint in (health, operator, catalog_api):
        app.register_blueprint(blueprint)
    name_requests(app)
    limit(app, settings.limits)
    return app


def _services(
    settings: WebSettings,
    agent: ShoppingAgent | None,
    store: ConversationStore | None,
    carts: CartStore | None,
    identity: IdentityHook | None,
) -> Services:
    """What is given, and the rest on one database, which the conversation store brings up to date."""
    engine = open_engine(settings.database_url)
    kept, sessions, ledger = (
        SqlConversationStore(engine, patience_s=PATIENCE_S),
        SessionStore(engine),
        SqlLedger(engine),
    )
    agent = agent or build_agent(ledger=ledger)

    def purge(before: float) -> int:
        sessions.purge()
        ledger.purge(before=before)
        return kept.purge(before=before)

    retention = Retention(purge, days=settings.retention_days)
    retention.tick()
    return Services(
        settings=settings,
        agent=agent,
        catalog=agent.client,
        conversations=store or kept,
        carts=carts or CartStore(engine),
        sessions=sessions,
        traces=TraceStore(engine),
        starters=Starters(agent.client, look=settings.look),
        metrics=Metrics(),
        spans=open_spans(settings.spans_endpoint),
        retention=retention,
        identity=identity or (signed_header(settings.shopper_secret) if settings.shopper_secret else nobody),
    )
