"""Who is on the other side: a random id made by the server, alone in the signed cookie."""

from __future__ import annotations

import secrets

from flask import g, request, session

from web.identity import current_shopper
from web.services import services

_READING = ("GET", "HEAD", "OPTIONS")


def current_owner() -> str:
    """The id that owns this browser's conversations and cart.

    An id the server does not know is replaced, never adopted. A request that only reads makes no session: a browser
    without one owns nothing yet. When the host shop says that somebody else shops, the id changes; what an anonymous
    shopper had gathered moves along, what another person had does not.
    """
    if "owner" not in g:
        g.owner = _find() or _start()
    owner: str = g.owner
    return owner


def _find() -> str | None:
    """The owner of the cookie's session, None where there is none or it is another person's."""
    session_id = session.get("id")
    record = services().sessions.find(session_id) if isinstance(session_id, str) else None
    if record is None or record.shopper_id == current_shopper().id:
        return record.owner if record else None
    if request.method in _READING:
        return record.owner if record.shopper_id is None else None
    if record.shopper_id is None:
        session["id"] = services().sessions.start(
            shopper_id=current_shopper().id, owner=record.owner, instead_of=session_id
        )
        return record.owner
    services().sessions.end(str(session_id))
    return None


def _start() -> str:
    if request.method in _READING:
        return secrets.token_hex(16)
    owner = secrets.token_hex(16)
    session["id"] = services().sessions.start(shopper_id=current_shopper().id, owner=owner)
    session.permanent = True
    return owner
