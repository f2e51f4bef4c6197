"""Arguments fitted to a tool's own schema and checked against it, before anything is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match
from referencing import Registry
from referencing.exceptions import Unresolvable

from shopping_agent.mcp_host.errors import ToolCallError, ToolGoneError

MAX_ARGUMENT_CHARS = 20_000
MAX_TOLD_CHARS = 300


class ArgumentCheck:
    """Checks calls of one tool. Nothing a schema refers to is ever fetched."""

    def __init__(self, tool: str, schema: Mapping[str, Any]) -> None:
        """Raises `ToolGoneError` where the schema is none."""
        self._tool = tool
        self._schema = dict(schema)
        try:
            Draft202012Validator.check_schema(self._schema)
        except SchemaError as error:
            raise ToolGoneError(f"The schema of {tool!r} cannot be read: {error.message[:MAX_TOLD_CHARS]}.") from error
        self._validator = Draft202012Validator(self._schema, registry=Registry())

    def fitted(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as the schema wants them: nulls for absent ones left out, numbers and objects read from text.

        Raises `ToolCallError` saying what is wrong and what the tool takes.
        """
        properties = self._schema.get("properties", {})
        arguments = {
            name: _fitted(value, properties.get(name, {}))
            for name, value in given.items()
            if value is not None or _takes_null(properties.get(name, {}))
        }
        if len(json.dumps(arguments, default=str)) > MAX_ARGUMENT_CHARS:
            raise ToolCallError(
                f"The arguments of {self._tool} are over {MAX_ARGUMENT_CHARS:,} characters: shorten them."
            )
        try:
            error = best_match(self._validator.iter_errors(arguments))
        except Unresolvable as unresolvable:
            raise ToolGoneError(f"The schema of {self._tool!r} refers to what is not in it: {unresolvable}.") from None
        if error is not None:
            place = ".".join(map(str, error.absolute_path)) or "arguments"
            raise ToolCallError(f"{place}: {error.message[:MAX_TOLD_CHARS]}. {self._tool} takes {self.takes}.")
        return arguments

    @property
    def takes(self) -> str:
        """The arguments in words: `table (string, required), rows (integer)`."""
        required = self._schema.get("required", [])
        told = [
            f"{name} ({_kind(schema)}{', required' if name in required else ''})"
            for name, schema in self._schema.get("properties", {}).items()
        ]
        return ", ".join(told) or "no arguments"


def _kinds(schema: Any) -> list[str]:
    """Type names a schema allows at its top, through `anyOf`; empty: anything."""
    if not isinstance(schema, Mapping):
        return []
    kind = schema.get("type")
    kinds = [kind] if isinstance(kind, str) else list(kind or [])
    for option in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        kinds += _kinds(option)
    return kinds


def _kind(schema: Any) -> str:
    kinds = [kind for kind in dict.fromkeys(_kinds(schema)) if kind != "null"]
    values = schema.get("enum") if isinstance(schema, Mapping) else None
    return f"one of {values}" if values else " or ".join(kinds) or "any"


def _takes_null(schema: Any) -> bool:
    return "null" in _kinds(schema)


def _fitted(value: Any, schema: Any) -> Any:
    """Text where a number, a flag, a list or an object is wanted is read as one, if it is one."""
    kinds = _kinds(schema)
    if not isinstance(value, str) or not kinds or "string" in kinds:
        return str(value) if kinds == ["string"] and isinstance(value, int | float) and value is not True else value
    try:
        read = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return read if not isinstance(read, str) else value
