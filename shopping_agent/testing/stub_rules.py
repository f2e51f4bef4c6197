"""What the real service refuses, with its own 400 bodies, and what some compatible servers refuse besides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from shopping_agent.testing.stub_replies import Answer, error

_CHAT = """
    messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens
    max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty
    prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format
    safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools
    top_logprobs top_p user verbosity web_search_options
"""
_CHAT_FIELDS = frozenset(_CHAT.split())
_RESPONSES = """
    model input instructions tools tool_choice parallel_tool_calls max_output_tokens temperature store text
    stream reasoning metadata previous_response_id include top_p truncation user
"""
_RESPONSES_FIELDS = frozenset(_RESPONSES.split())
_ROLES = ("system", "assistant", "user", "function", "tool", "developer")
_MINIMAL_FIELDS = frozenset(["model", "messages", "tools", "tool_choice", "stream", "temperature", "max_tokens"])
_NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")


@dataclass(frozen=True, slots=True)
class Quirks:
    """What a compatible server refuses although OpenAI takes it."""

    no_tools: bool = False
    no_tool_choice: bool = False
    no_response_format: bool = False
    no_system_role: bool = False
    strict_alternation: bool = False
    minimal_fields: bool = False
    max_chars: int | None = None
    """Context: more is refused as `context_length_exceeded`."""


NO_QUIRKS = Quirks()


def refusal(path: str, request: Any, quirks: Quirks) -> Answer | None:
    """The 400 (or 404) that `request` gets; None where it is taken."""
    if not isinstance(request, dict):
        return error(400, "We could not parse the JSON body of your request.")
    if path.endswith("/responses"):
        return next(_responses_faults(request), None)
    if not path.endswith("/v1/chat/completions") or "//" in path:
        return Answer(b"404 page not found", 404, {"content-type": "text/plain"})
    return next(_chat_faults(request), None) or next(_quirk_faults(request, quirks), None)


def _responses_faults(request: Mapping[str, Any]) -> Iterator[Answer]:
    yield from _unknown(request, _RESPONSES_FIELDS)
    if not isinstance(request.get("model"), str) or not request["model"]:
        yield error(400, "you must provide a model parameter")
    for tool in request.get("tools", []):
        yield from _schema_faults(tool.get("name"), tool.get("parameters", {}))
    if any("tool_calls" in item for item in request.get("input", [])):
        yield error(400, "Unknown parameter: 'input[0].tool_calls'.", code="unknown_parameter")


def _chat_faults(request: Mapping[str, Any]) -> Iterator[Answer]:
    yield from _unknown(request, _CHAT_FIELDS)
    if not isinstance(request.get("model"), str) or not request["model"]:
        yield error(400, "you must provide a model parameter")
    if "max_tokens" in request and "max_completion_tokens" in request:
        yield error(400, "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")
    yield from _tool_faults(request)
    shape = request.get("response_format")
    if shape and shape.get("type") == "json_schema" and not _NAME.match(str(shape["json_schema"].get("name") or "")):
        yield error(400, "Missing required parameter: 'response_format.json_schema.name'.")
    messages = request.get("messages")
    if not isinstance(messages, list) or not messages:
        told = (
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead."
        )
        yield error(400, told, param="messages", code="empty_array")
        return
    for index, message in enumerate(messages):
        yield from _message_faults(message, index)
    yield from _pairing_faults(messages)


def _unknown(request: Mapping[str, Any], known: frozenset[str]) -> Iterator[Answer]:
    for name in request.keys() - known:
        yield error(400, f"Unrecognized request argument supplied: {name}")


def _tool_faults(request: Mapping[str, Any]) -> Iterator[Answer]:
    tools = request.get("tools")
    if tools == []:
        yield error(400, "Invalid 'tools': empty array. Expected an array with minimum length 1.", code="empty_array")
    for name in ("tool_choice", "parallel_tool_calls"):
        if name in request and not tools:
            yield error(400, f"'{name}' is only allowed when 'tools' are specified.", param=name)
    names = []
    for tool in tools or []:
        function = tool.get("function", {})
        names.append(function.get("name"))
        yield from _schema_faults(function.get("name"), function.get("parameters", {}))
    choice = request.get("tool_choice")
    if isinstance(choice, dict) and choice.get("function", {}).get("name") not in names:
        yield error(400, "Tool choice not found in 'tools' parameter.", param="tool_choice")


def _schema_faults(name: Any, parameters: Mapping[str, Any]) -> Iterator[Answer]:
    if not _NAME.match(str(name or "")):
        expected = "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
        told = f"Invalid 'tools[0].function.name': {expected}"
        yield error(400, told, param="tools[0].function.name", code="invalid_value")
    if parameters.get("type") != "object":
        told = f"Invalid schema for function '{name}': schema must be a JSON Schema of 'type: \"object\"'."
        yield error(400, told, param="tools[0].function.parameters", code="invalid_function_parameters")
    for place, key in _refused_keywords(parameters, ()):
        told = f"Invalid schema for function '{name}': In context={place!r}, '{key}' is not permitted."
        yield error(400, told, param="tools[0].function.parameters", code="invalid_function_parameters")


def _refused_keywords(node: Any, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("oneOf", "allOf", "not"):
                yield place, key
            yield from _refused_keywords(value, (*place, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from _refused_keywords(value, (*place, str(index)))


def _message_faults(message: Any, index: int) -> Iterator[Answer]:
    if not isinstance(message, dict) or message.get("role") not in _ROLES:
        role = message.get("role") if isinstance(message, dict) else message
        supported = ", ".join(f"'{name}'" for name in _ROLES)
        told = f"Invalid value: '{role}'. Supported values are: {supported}."
        yield error(400, told, param=f"messages[{index}].role", code="invalid_value")
        return
    unknown = message.keys() - {
        "role",
        "content",
        "name",
        "tool_calls",
        "tool_call_id",
        "refusal",
        "audio",
        "function_call",
    }
    for name in unknown:
        yield error(400, f"Unknown parameter: 'messages[{index}].{name}'.", code="unknown_parameter")
    content = message.get("content")
    if content == []:
        told = f"Invalid 'messages[{index}].content': empty array. Expected an array with minimum length 1."
        yield error(400, told, param=f"messages[{index}].content", code="empty_array")
    if content is None and not message.get("tool_calls"):
        told = f"Invalid value for 'content': expected a string, got null. (messages[{index}].content)"
        yield error(400, told, param=f"messages[{index}].content")


def _pairing_faults(messages: list[dict[str, Any]]) -> Iterator[Answer]:
    open_ids: set[str] = set()
    for message in messages:
        if message.get("role") == "tool":
            if message.get("tool_call_id") not in open_ids:
                told = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
                yield error(400, f"Invalid parameter: {told}", param="messages")
            open_ids.discard(str(message.get("tool_call_id")))
            continue
        if open_ids:
            break
        open_ids = {call["id"] for call in message.get("tool_calls") or []}
    if open_ids:
        told = "An assistant message with 'tool_calls' must be followed by tool messages for each 'tool_call_id'."
        yield error(400, told, param="messages")


def _quirk_faults(request: Mapping[str, Any], quirks: Quirks) -> Iterator[Answer]:
    roles = [message["role"] for message in request["messages"]]
    if quirks.no_tools and "tools" in request:
        yield error(400, "stub:135m does not support tools", kind="api_error")
    if quirks.no_tool_choice and "tool_choice" in request:
        yield error(400, "tool_choice is not supported")
    if quirks.no_response_format and "response_format" in request:
        yield error(400, "'response_format' of type 'json_schema' is not supported")
    if quirks.no_system_role and "system" in roles:
        yield error(400, "Only user and assistant roles are supported")
    if "system" in roles[1:]:
        yield error(400, "System message must be at the beginning.") if quirks.strict_alternation else error(400, "")
    turns = [role for role in roles if role != "system"]
    if quirks.strict_alternation and turns != ["user", "assistant"] * (len(turns) // 2) + ["user"]:
        yield error(400, "Conversation roles must alternate user/assistant/user/assistant/...")
    if quirks.minimal_fields:
        for name in request.keys() - _MINIMAL_FIELDS:
            yield error(400, f"Extra inputs are not permitted: {name}")
    if quirks.max_chars is not None and sum(len(str(m["content"])) for m in request["messages"]) > quirks.max_chars:
        yield error(400, "This model's maximum context length is exceeded.", code="context_length_exceeded")
