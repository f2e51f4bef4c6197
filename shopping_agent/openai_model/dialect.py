"""What a server understands: which API, which fields, which roles. Learned from its refusals, at most once each."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from shopping_agent.schema import bounded_schema

Mode = Literal["tools", "json_schema", "md_json", "responses"]
SystemRole = Literal["system", "developer", "user"]

OPTIONAL_FIELDS = ("parallel_tool_calls", "tool_choice", "temperature", "stream_options")
_JSON_ONLY = (
    "Answer with one JSON object and nothing else, without a code fence. It must match this JSON schema:\n{schema}"
)
# A server that checks its fields names one at a time: all that it may not know go at once.
_STRICT_SERVER = re.compile(
    r"extra (?:inputs|fields)|unexpected keyword|unknown field|unrecognized (?:request argument|field)"
)
_LUXURIES = frozenset(["parallel_tool_calls", "temperature", "stream_options"])


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one server is spoken to."""

    mode: Mode = "tools"
    system_role: SystemRole = "system"
    """`user`: the system prompt is put in front of the first user message, for templates that know no system role."""
    token_field: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    stream: bool = False
    """Whether the answer is asked for in pieces, for servers and proxies that cut silent connections."""
    left_out: frozenset[str] = frozenset()
    """Optional fields that this server refuses."""

    @property
    def path(self) -> str:
        """Of the API under the base URL."""
        return "/responses" if self.mode == "responses" else "/chat/completions"

    @property
    def speaks_json(self) -> bool:
        """Whether an action in the text is what was asked for."""
        return self.mode in ("json_schema", "md_json")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may ask for."""

    max_tokens: int = 400
    """Of the answer, thinking included where the model thinks."""
    temperature: float | None = None
    """None: the service's own."""


def build_request(
    dialect: Dialect, messages: list[dict[str, Any]], *, model: str, schema: Mapping[str, Any], limits: Limits
) -> dict[str, Any]:
    """The keyword arguments of `create`, which are also the body. `schema`: `name`, `parameters`."""
    if dialect.mode == "responses":
        request = _responses_request(messages, schema)
    else:
        request = {"messages": messages, **_answer_shape(dialect, schema)}
    request |= {"model": model}
    request["max_output_tokens" if dialect.mode == "responses" else dialect.token_field] = limits.max_tokens
    if dialect.stream:
        request["stream"] = True
        if dialect.mode != "responses":
            request["stream_options"] = {"include_usage": True}
    if limits.temperature is not None:
        request["temperature"] = limits.temperature
    if dialect.mode == "md_json":
        request["messages"] = _with_schema(messages, schema)
    if dialect.mode != "responses" and dialect.system_role != "system":
        request["messages"] = _with_system_as(dialect.system_role, request["messages"])
    return {key: value for key, value in request.items() if key not in dialect.left_out}


def _answer_shape(dialect: Dialect, schema: Mapping[str, Any]) -> dict[str, Any]:
    name = schema["name"]
    match dialect.mode:
        case "tools":
            return {
                "tools": [{"type": "function", "function": dict(schema)}],
                "tool_choice": {"type": "function", "function": {"name": name}},
                "parallel_tool_calls": False,
            }
        case "json_schema":
            shape = {"name": name, "schema": bounded_schema(schema["parameters"])}
            return {"response_format": {"type": "json_schema", "json_schema": shape}}
        case _:
            return {}


def _responses_request(messages: list[dict[str, Any]], schema: Mapping[str, Any]) -> dict[str, Any]:
    system, *others = messages
    return {
        "instructions": system["content"],
        "input": others,
        "tools": [{"type": "function", **schema, "strict": False}],
        "tool_choice": {"type": "function", "name": schema["name"]},
        "parallel_tool_calls": False,
        "store": False,
    }


def _with_schema(messages: list[dict[str, Any]], schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    told = _JSON_ONLY.format(schema=json.dumps(schema["parameters"], separators=(",", ":"), ensure_ascii=False))
    system, *others = messages
    return [{**system, "content": f"{system['content']}\n\n{told}"}, *others]


def _with_system_as(role: SystemRole, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    system, first, *others = messages
    if role == "developer":
        return [{**system, "role": "developer"}, first, *others]
    return [{"role": "user", "content": f"{system['content']}\n\n{first['content']}"}, *others]


def adapted(dialect: Dialect, error: Mapping[str, Any]) -> Dialect | None:
    """The dialect without what the server's error object complains of; None where it names nothing that can change.

    Servers state it in `param` or in words only, so words are read here: the one place where they are.
    """
    words = f"{error.get('param') or ''} {error.get('message') or ''} {error.get('code') or ''}".casefold()
    for candidate in _without_what_is_named(dialect, words):
        if candidate != dialect:
            return candidate
    return None


def _without_what_is_named(dialect: Dialect, words: str) -> list[Dialect]:
    found: list[Dialect] = []
    if _STRICT_SERVER.search(words):
        found.append(replace(dialect, left_out=_LUXURIES, token_field="max_tokens"))
    if "v1/responses" in words or "responses api" in words:
        found.append(replace(dialect, mode="responses"))
    if "max_completion_tokens" in words or "max_tokens" in words:
        other: Literal["max_completion_tokens", "max_tokens"] = (
            "max_tokens" if dialect.token_field == "max_completion_tokens" else "max_completion_tokens"
        )
        found.append(replace(dialect, token_field=other))
    if named := {field for field in OPTIONAL_FIELDS if field in words}:
        found.append(replace(dialect, left_out=dialect.left_out | named))
    if ("system" in words and "role" in words) or "user and assistant roles" in words:
        found.append(replace(dialect, system_role="user"))
    if "response_format" in words or "json_schema" in words:
        found.append(replace(dialect, mode="md_json"))
    if dialect.mode == "tools" and ("tool" in words or "function call" in words):
        found.append(replace(dialect, mode="json_schema"))
    return found
