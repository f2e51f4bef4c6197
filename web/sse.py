"""Server-sent events: one name, one JSON object on one line. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping

MIMETYPE = "text/event-stream"
HEADERS = {
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
}
"""What keeps a proxy from holding events back."""


def encode(name: str, data: Mapping[str, object]) -> str:
    """One event as it goes over the wire; JSON keeps line breaks of `data` out of the framing."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
