"""Who is on the other side: a random id made by the server, alone in the signed cookie."""

from __future__ import annotations

import secrets

from flask import session


def current_owner() -> str:
    """The id that owns this browser's conversations and cart; made by the server, 128 random bits."""
    if "id" not in session:
        session["id"] = secrets.token_hex(16)
        session.permanent = True
    return str(session["id"])
