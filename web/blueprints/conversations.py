"""All conversations of a shopper: rename, delete for good, take along."""

from __future__ import annotations

import json
from dataclasses import asdict

from flask import Blueprint, Response, request

from shopping_agent.message import clean_message
from web.answers import html, see_other
from web.page import current_page
from web.services import services
from web.sessions import current_owner

conversations = Blueprint("conversations", __name__)


@conversations.get("/conversations")
def index() -> Response:
    """Every conversation, latest first."""
    page = current_page()
    return html(
        page.render("conversations.html", conversations=services().conversations.conversations(current_owner()))
    )


@conversations.post("/c/<conversation_id>/rename")
def rename(conversation_id: str) -> Response:
    """Another title; an empty one changes nothing."""
    title = " ".join(clean_message(request.form.get("title", "")).split())
    if title:
        services().conversations.rename(current_owner(), conversation_id, title)
    return _to_index()


@conversations.post("/c/<conversation_id>/delete")
def delete(conversation_id: str) -> Response:
    """Gone for good."""
    services().conversations.delete(current_owner(), conversation_id)
    return _to_index()


@conversations.get("/c/<conversation_id>/export")
def export(conversation_id: str) -> Response:
    """The whole conversation as a JSON file."""
    record = services().conversations.conversation(current_owner(), conversation_id)
    body = json.dumps(asdict(record), ensure_ascii=False, indent=2, default=dict)
    return Response(
        body,
        mimetype="application/json",
        headers={
            "Content-Disposition": f'attachment; filename="conversation-{conversation_id[:8]}.json"',
            "Cache-Control": "private, no-store",
        },
    )


def _to_index() -> Response:
    return see_other(current_page().url("conversations.index"))
