"""One reply of a service, whatever API it came from, as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from shopping_agent.usage import NOTHING_SPENT, Usage


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call."""

    name: str
    arguments: Any
    """JSON text as sent, or what a sloppy server sent in its place: an object, null."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    refusal: str | None = None
    """The model's own words of refusal; None: it did not refuse."""
    finish: str = ""
    """Why it ended: `stop`, `tool_calls`, `length`, `content_filter`, or a server's own word."""
    usage: Usage = NOTHING_SPENT
    """Tokens only; `calls` and time are the sender's to count."""
    error: Mapping[str, Any] | None = None
    """An error object that came with status 200."""

    @property
    def is_empty(self) -> bool:
        """Whether it holds neither text nor a call."""
        return not (self.calls or self.text.strip())


def reply_from(body: Any) -> Reply:
    """The reply in a response body of Chat Completions or of the Responses API; an empty one for anything else."""
    if not isinstance(body, Mapping):
        return Reply()
    if isinstance(error := body.get("error"), (Mapping, str)) and error:
        return Reply(error=error if isinstance(error, Mapping) else {"message": error}, usage=usage_from(body))
    if isinstance(body.get("output"), list):
        return _from_responses(body)
    return _from_chat(body)


def _maps(value: Any) -> Iterator[Mapping[str, Any]]:
    yield from (item for item in value or () if isinstance(item, Mapping)) if isinstance(value, list) else ()


def _map(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _from_chat(body: Mapping[str, Any]) -> Reply:
    choice = next(_maps(body.get("choices")), {})
    message = _map(choice.get("message"))
    functions = [_map(call.get("function") or call.get("custom")) for call in _maps(message.get("tool_calls"))]
    if isinstance(message.get("function_call"), Mapping):
        functions.append(message["function_call"])
    refusal = message.get("refusal")
    return Reply(
        text=content_text(message.get("content")),
        calls=tuple(Call(str(f.get("name") or ""), f.get("arguments", f.get("input"))) for f in functions),
        refusal=refusal if isinstance(refusal, str) and refusal else None,
        finish=str(choice.get("finish_reason") or ""),
        usage=usage_from(body),
    )


def content_text(content: Any) -> str:
    """The text of a message's content: a string or a list of parts."""
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text") or "") for part in _maps(content))


def _from_responses(body: Mapping[str, Any]) -> Reply:
    items = list(_maps(body.get("output")))
    parts = [part for item in items if item.get("type") == "message" for part in _maps(item.get("content"))]
    refusal = next((part.get("refusal") for part in parts if part.get("type") == "refusal"), None)
    reason = _map(body.get("incomplete_details")).get("reason")
    return Reply(
        text="".join(str(part.get("text") or "") for part in parts if part.get("type") == "output_text"),
        calls=tuple(
            Call(str(i.get("name") or ""), i.get("arguments")) for i in items if i.get("type") == "function_call"
        ),
        refusal=str(refusal) if refusal else None,
        finish={"max_output_tokens": "length"}.get(str(reason), str(reason or body.get("status") or "")),
        usage=usage_from(body),
    )


def _count(usage: Mapping[str, Any], *names: str) -> int | None:
    value = next((usage[name] for name in names if usage.get(name) is not None), None)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def usage_from(body: Mapping[str, Any]) -> Usage:
    """Tokens as told by the service; None where it does not tell."""
    told = _map(body.get("usage"))
    details = _map(told.get("prompt_tokens_details") or told.get("input_tokens_details"))
    return Usage(
        input_tokens=_count(told, "prompt_tokens", "input_tokens"),
        cached_tokens=_count(details, "cached_tokens"),
        output_tokens=_count(told, "completion_tokens", "output_tokens"),
    )
