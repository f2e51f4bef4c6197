"""A JSON schema made small: what a model is sent with every turn, so each byte is paid for each time."""

from __future__ import annotations

from typing import Any


def compact_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The same schema without `$defs`, `oneOf`, titles, descriptions, defaults and null alternatives within.

    An optional field is one that is not required: saying so again as `anyOf: [..., null]` doubles its size. What the
    fields mean stands in the system prompt, once, with examples.
    """
    definitions = schema.pop("$defs", {})
    compact: dict[str, Any] = _compact(schema, definitions)
    return {"title": schema["title"], "description": schema["description"], **compact}


def _compact(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_compact(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _compact({**definitions[node["$ref"].rsplit("/", 1)[-1]], **_without(node, "$ref")}, definitions)
    if alternatives := node.get("anyOf"):
        kept = [option for option in alternatives if option != {"type": "null"}]
        if len(kept) == 1:
            return _compact({**kept[0], **_without(node, "anyOf")}, definitions)
    small: dict[str, Any] = {}
    for key, value in _without(node, "title", "description", "default", "discriminator").items():
        if key == "properties":
            small[key] = {name: _compact(field, definitions) for name, field in value.items()}
        else:
            small["anyOf" if key == "oneOf" else key] = _compact(value, definitions)
    if "const" in small:
        small.pop("type", None)
    if "properties" in small and "kind" in small["properties"]:
        small["required"] = ["kind", *small.get("required", [])]
    return small


def _without(node: dict[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in node.items() if key not in names}


MAX_ITEMS = 6
MAX_CHARS = 80


def bounded_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The same schema with every list and string bounded.

    For servers that turn a schema into a grammar: a small model that repeats itself then ends with complete JSON
    instead of running into the token limit.
    """
    bounded = {key: _bounded(value) for key, value in schema.items()}
    if schema.get("type") == "array":
        bounded["maxItems"] = MAX_ITEMS
    if schema.get("type") == "string" and "enum" not in schema:
        bounded["maxLength"] = MAX_CHARS
    return bounded


def _bounded(value: Any) -> Any:
    if isinstance(value, dict):
        return bounded_schema(value)
    return [_bounded(item) for item in value] if isinstance(value, list) else value
