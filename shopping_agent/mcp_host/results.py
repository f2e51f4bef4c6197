"""What a tool gave back: bounded text for the model, and which products of our own catalog it names. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from shopping_agent.conversation import shown_in

MAX_TEXT_CHARS = 6_000
MAX_NODES = 5_000
MAX_IDS = 40
_WORD = re.compile(r"\w{2,}")


@dataclass(frozen=True, slots=True)
class NamedProduct:
    """An id in a result, with what it was called there."""

    id: str
    title: str

    def is_likely(self, title: str) -> bool:
        """Whether our record of this id is what the tool meant: another shop's id may be the same by chance."""
        return not {word.casefold() for word in _WORD.findall(self.title)}.isdisjoint(
            word.casefold() for word in _WORD.findall(title)
        )


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool's answer."""

    tool: str
    server: str
    text: str
    """As the tool wrote it, bounded; an error's text if `is_error`."""
    is_error: bool = False
    products: tuple[NamedProduct, ...] = ()


def tool_result(tool: str, server: str, *, blocks: list[str], structured: Any, is_error: bool) -> ToolResult:
    """The result out of text blocks and structured content, which stand in for each other."""
    text = "\n".join(block for block in blocks if block).strip()
    if not text and structured is not None:
        text = json.dumps(structured, ensure_ascii=False, default=str)
    if len(text) > MAX_TEXT_CHARS:
        left = len(text) - MAX_TEXT_CHARS
        text = f"{text[:MAX_TEXT_CHARS]}\n({left:,} more characters were left out: ask for less at once.)"
    products = (*_in_structure(structured), *(NamedProduct(each.id, each.title) for each in shown_in(text)))
    unique = {product.id: product for product in reversed(products)}
    return ToolResult(tool, server, text, is_error, tuple(reversed(unique.values()))[:MAX_IDS])


def _in_structure(structured: Any) -> Iterator[NamedProduct]:
    """Objects that carry an id and a title, in order, wherever they stand."""
    waiting = [structured]
    for _ in range(MAX_NODES):
        if not waiting:
            return
        node = waiting.pop()
        if isinstance(node, Mapping):
            product_id = node.get("product_id", node.get("id"))
            title = node.get("title") or node.get("name")
            if isinstance(product_id, str | int) and isinstance(title, str):
                yield NamedProduct(str(product_id), title)
            waiting += reversed(list(node.values()))
        elif isinstance(node, list):
            waiting += reversed(node)
