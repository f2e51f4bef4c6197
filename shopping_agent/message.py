"""A shopper's message as everything behind the page sees it: bounded, without control characters."""

from __future__ import annotations

import unicodedata

MAX_MESSAGE_CHARS = 2000


def clean_message(text: str) -> str:
    """At most `MAX_MESSAGE_CHARS` characters in NFC: control characters become spaces, lone surrogates go.

    Empty where nothing of it can be seen.
    """
    kept = unicodedata.normalize("NFC", text[:MAX_MESSAGE_CHARS])
    chars = (" " if unicodedata.category(c) == "Cc" and c != "\n" else c for c in kept if not "\ud800" <= c <= "\udfff")
    cleaned = "".join(chars).strip()
    return "" if all(c.isspace() or unicodedata.category(c) == "Cf" for c in cleaned) else cleaned
