"""What a request needs, chosen once by `create_app`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from flask import Request, current_app

from search_client.client import SearchClient
from search_client.models import Shopper
from shopping_agent.agent import ShoppingAgent
from web.metrics import Metrics
from web.retention import Retention
from web.settings import WebSettings
from web.spans import TurnSpans
from web.starters import Starters
from web.store.cart import CartStore
from web.store.conversation_store import ConversationStore
from web.store.sessions import SessionStore
from web.store.traces import TraceStore

EXTENSION = "shopping_assistant"


@dataclass(frozen=True, slots=True)
class Services:
    """The app's collaborators."""

    settings: WebSettings
    agent: ShoppingAgent
    catalog: SearchClient
    conversations: ConversationStore
    carts: CartStore
    sessions: SessionStore
    traces: TraceStore
    starters: Starters
    metrics: Metrics
    spans: TurnSpans | None
    retention: Retention
    identity: Callable[[Request], Shopper]


def services() -> Services:
    """Those of the app that handles the current request."""
    return cast(Services, current_app.extensions[EXTENSION])
