"""A conversation as the code sees it: who said what, and which products stood on the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from search_client.models import Product

# `1. Trail Runner (ID: p1) — 89.00 USD`; the name may itself hold brackets. Sellers' pages also write ASIN and SKU.
_SHOWN = re.compile(
    r"(?:^|[\n;,:]|\b(?:and|or)\b)\s*(?:(?P<position>\d{1,3})[.)]\s+)?(?P<title>[^\n;:]{1,300}?)\s*"
    r"[(\[](?:ID|ASIN|SKU)[:\s]\s*(?P<id>[^\s)\]]{1,128})[)\]]",
    re.IGNORECASE,
)
# A line of ours: its number says where the title begins, so the title may hold `:`, `;`, `and`.
_NUMBERED = re.compile(
    r"^\s*\d{1,3}[.)]\s+(?P<title>.{1,300}?)\s*[(\[](?:ID|ASIN|SKU)[:\s]\s*(?P<id>[^\s)\]]{1,128})[)\]]", re.IGNORECASE
)
_MARKS = ("(id", "[id", "(asin", "[asin", "(sku", "[sku")
MAX_READ_CHARS = 20_000  # a list of 100 products is 8,000
# The facts behind the bracket, as `render.line` writes them.
_PRICE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?) [A-Z]{3}\b")
_RATING = re.compile(r"\brated (\d(?:\.\d+)?)\b")

FactsOf = Callable[[str], Product | None]
"""The record of a product id, or None where the shopper may not see it (any more)."""


@dataclass(frozen=True, slots=True)
class ShownProduct:
    """A product as it stood in an assistant turn."""

    id: str
    title: str
    position: int
    """Counted from 1 within its turn."""
    price: float | None = None
    """As the line said; None: it did not."""
    rating: float | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One message."""

    role: str
    """`user` or `assistant`."""
    text: str
    shown: tuple[ShownProduct, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """All turns, oldest first."""

    turns: tuple[Turn, ...] = ()

    @property
    def shown(self) -> tuple[ShownProduct, ...]:
        """What the last assistant turn that showed products showed: “the second one” counts here."""
        return next((turn.shown for turn in reversed(self.turns) if turn.shown), ())

    @property
    def ever_shown(self) -> dict[str, ShownProduct]:
        """Every product shown so far by id, latest position."""
        return {shown.id: shown for turn in self.turns for shown in turn.shown}


@lru_cache(maxsize=4096)  # a conversation is read anew each turn: only its new lines cost anything
def shown_in(text: str) -> tuple[ShownProduct, ...]:
    """The products an assistant text lists as `Name (ID: p1)`, in order."""
    text = text[:MAX_READ_CHARS]
    folded = text.casefold()
    if not any(mark in folded for mark in _MARKS):
        return ()
    matches = [match for line in text.split("\n") for match in _in_line(line)]
    return tuple(
        ShownProduct(
            id=match["id"],
            title=match["title"].strip(),
            position=index,
            price=_fact(_PRICE, match),
            rating=_fact(_RATING, match),
        )
        for index, match in enumerate(matches, start=1)
    )


def _in_line(line: str) -> list[re.Match[str]]:
    """The products of one line: one in a numbered line, else any number."""
    numbered = _NUMBERED.match(line)
    return [numbered] if numbered else list(_SHOWN.finditer(line))


def _fact(pattern: re.Pattern[str], listed: re.Match[str]) -> float | None:
    """The number `pattern` finds in the rest of the line that lists a product."""
    match = pattern.search(listed.string, listed.end())
    return float(match[1]) if match else None


def _text(content: Any) -> str:
    """The text of a message's content: a string, or content parts of which the text ones count."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping)).strip()
    return ""


def parse_conversation(history: Iterable[Mapping[str, Any]] | None) -> Conversation:
    """Read a history of `{"role", "content"}`; messages of other shapes are left out, never fatal."""
    turns = []
    for message in history or ():
        if not isinstance(message, Mapping) or message.get("role") not in ("user", "assistant"):
            continue
        text = _text(message.get("content"))
        if text:
            role = str(message["role"])
            turns.append(Turn(role, text, shown_in(text) if role == "assistant" else ()))
    return Conversation(tuple(turns))
