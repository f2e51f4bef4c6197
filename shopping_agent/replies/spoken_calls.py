"""Calls that a model wrote as text: in fences, tags, its own syntax, behind its thinking. Found, not executed here."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from shopping_agent.replies.tolerant_json import parse_at

MAX_OBJECTS = 12
MAX_TEXT_CHARS = 20_000
MAX_SAID_CHARS = 8_000  # of what is left without thinking: the action stands at its end
MAX_CALL_CHARS = 2_000

_THINKING = re.compile(r"<(think|thinking|reasoning|thought)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"^.*?</(?:think|thinking|reasoning|thought)>", re.DOTALL | re.IGNORECASE)
_ANALYSIS = re.compile(r"<\|channel\|>analysis.*?(?=<\|channel\|>|<\|start\|>|\Z)", re.DOTALL)
_CONTROL = re.compile(r"<\|[^|<>\n]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|</?s>|</?(?:start|end)_of_turn>|\[/?INST\]")
_NAME = r"(?:\w{1,40}[.:/]){0,4}(?P<name>[A-Za-z_]\w{2,40})"
_NAME_BEFORE = re.compile(
    rf"{_NAME}(?::\d+)?[\"'`*]?\s*(?:[>:(=\]]|\n|Action Input:?|arguments?:?|json|`)*\s*$", re.IGNORECASE
)
_PYTHONIC = re.compile(rf"\b{_NAME}\(")
_TAG_CALL = re.compile(
    r"<(?:function|invoke)[\s=]+(?:name=)?[\"']?(?P<name>[\w.]+)[\"']?\s*>(?P<body>.*?)(?:</(?:function|invoke)>|\Z)",
    re.DOTALL,
)
_TAG_FIELD = re.compile(
    r"<parameter[\s=]+(?:name=)?[\"']?(?P<field>\w+)[\"']?[^>]*>(?P<value>.*?)</parameter>", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class SpokenCall:
    """An object found in text, with the name that stands before it if one does."""

    value: Any
    name: str = ""
    lost: bool = False


def spoken_text(text: str) -> str:
    """What was said to somebody: without thinking and control tokens."""
    text = _ANALYSIS.sub(" ", _THINKING.sub(" ", text[:MAX_TEXT_CHARS]))
    return _CONTROL.sub(" ", _THOUGHT_END.sub(" ", text)).strip()[-MAX_SAID_CHARS:]


def spoken_calls(text: str) -> list[SpokenCall]:
    """Every object or call that stands in `text`, in order; thinking is not read."""
    said = spoken_text(text)
    return [*_tagged(said)] or [*_objects(said)] or [*_pythonic(said)]


def _tagged(text: str) -> Iterator[SpokenCall]:
    for match in itertools.islice(_TAG_CALL.finditer(text), MAX_OBJECTS):
        body = match["body"][:MAX_CALL_CHARS]
        fields = {field["field"]: _field_value(field["value"]) for field in _TAG_FIELD.finditer(body)}
        if fields:
            yield SpokenCall(fields, match["name"])


def _field_value(text: str) -> Any:
    stripped = text.strip()
    parsed = parse_at(stripped) if stripped[:1] in ("[", "{") else None
    return parsed.value if parsed else stripped


def _objects(text: str) -> Iterator[SpokenCall]:
    at = 0
    for _ in range(MAX_OBJECTS):
        starts = [index for index in (text.find("{", at), text.find("[", at)) if index >= 0]
        if not starts:
            return
        at = min(starts)
        parsed = parse_at(text, at)
        if parsed is None or not _holds_object(parsed.value):
            at += 1
            continue
        before = _NAME_BEFORE.search(text[max(0, at - 120) : at])
        yield SpokenCall(parsed.value, before["name"] if before else "", parsed.lost)
        at = max(parsed.end, at + 1)


def _holds_object(value: Any) -> bool:
    return (isinstance(value, dict) and bool(value)) or (
        isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
    )


def _pythonic(text: str) -> Iterator[SpokenCall]:
    """`Search(keywords=["lamp"], max_price=50)`: read as an expression with literal arguments, never evaluated."""
    for match in list(_PYTHONIC.finditer(text))[:MAX_OBJECTS]:
        end = _closing(text, match.end())
        try:
            node = ast.parse(f"f({text[match.end() : end]})", mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if isinstance(node, ast.Call) and node.keywords:
            yield SpokenCall({k.arg: _literal(k.value) for k in node.keywords if k.arg}, match["name"])


def _closing(text: str, start: int) -> int:
    """Index of the bracket that closes the one before `start`; the end of the text where none does."""
    depth, quote = 1, ""
    for at in range(start, min(len(text), start + MAX_CALL_CHARS)):
        char = text[at]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        else:
            depth += {"(": 1, ")": -1}.get(char, 0)
            if not depth:
                return at
    return len(text)


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, RecursionError):
        return ast.unparse(node)
