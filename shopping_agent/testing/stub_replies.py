"""What the stub service answers: whole bodies, streams and faults."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

USAGE = {"prompt_tokens": 210, "completion_tokens": 24, "total_tokens": 234}


@dataclass(frozen=True, slots=True)
class Answer:
    """One HTTP answer."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "application/json"})


@dataclass(frozen=True, slots=True)
class Fault:
    """No proper answer.

    `hang`: never a byte. `hang_headers`: headers, then nothing. `dribble`: one byte every `every_s`. `reset`: the
    connection is torn down; in the middle of the body if there is one. `unreachable`: no connection at all.
    """

    kind: Literal["hang", "hang_headers", "dribble", "reset", "unreachable"]
    body: bytes = b""
    every_s: float = 0.05


Step = Answer | Fault | Callable[[dict[str, Any]], "Answer | Fault"]
"""A step may depend on the request it answers."""


def completion(
    *,
    text: str | None = None,
    calls: Sequence[tuple[str, Any]] = (),
    refusal: str | None = None,
    finish: str | None = None,
    usage: Any = USAGE,
    **message: Any,
) -> Answer:
    """A Chat Completions body; `calls` are (name, arguments as sent)."""
    tool_calls = [
        {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for n, (name, arguments) in enumerate(calls, start=1)
    ]
    told: dict[str, Any] = {"role": "assistant", "content": text, "refusal": refusal, **message}
    if tool_calls:
        told["tool_calls"] = tool_calls
    reason = finish or ("tool_calls" if tool_calls else "stop")
    body = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1700000000,
        "model": "stub",
        "choices": [{"index": 0, "message": told, "logprobs": None, "finish_reason": reason}],
        "usage": usage,
    }
    return Answer(json.dumps(body).encode())


def responses_body(*, arguments: str | None, text: str | None = None) -> Answer:
    """A Responses API body with one function call or one message."""
    if arguments is not None:
        item: dict[str, Any] = {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "call_1",
            "name": "NextActionResponse",
        }
        item["arguments"] = arguments
    else:
        content: list[dict[str, Any]] = [{"type": "output_text", "text": text, "annotations": []}]
        item = {"type": "message", "id": "msg_1", "role": "assistant", "content": content}
    body = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1700000000,
        "model": "stub",
        "status": "completed",
        "output": [{"type": "reasoning", "id": "rs_1", "summary": []}, item],
        "usage": {"input_tokens": 210, "input_tokens_details": {"cached_tokens": 128}, "output_tokens": 24},
    }
    return Answer(json.dumps(body).encode())


def chooses(**action: Any) -> Step:
    """The action in whatever shape the request asked for: a tool call, JSON text, a Responses item."""
    return says(json.dumps({"next_action": action}))


def says(arguments: str) -> Step:
    """`arguments` word for word, as a call's arguments or as the text of a JSON mode."""

    def answer(request: dict[str, Any]) -> Answer:
        if "input" in request:
            return responses_body(arguments=arguments)
        if "tools" in request:
            return completion(calls=[(request["tools"][0]["function"]["name"], arguments)])
        return completion(text=arguments)

    return answer


def error(status: int, message: str, *, kind: str = "invalid_request_error", **more: Any) -> Answer:
    """An error body as OpenAI words it; `headers` are added to the answer's."""
    headers = {"content-type": "application/json", **more.pop("headers", {})}
    told = {"message": message, "type": kind, "param": None, "code": None, **more}
    return Answer(json.dumps({"error": told}).encode(), status, headers)


def streams(*events: Any, done: bool = True) -> Answer:
    """A server-sent stream of `events` (JSON values), ended by `[DONE]`."""
    lines = [f"data: {json.dumps(event)}\n\n" for event in events] + (["data: [DONE]\n\n"] if done else [])
    return Answer("".join(lines).encode(), headers={"content-type": "text/event-stream"})


PIECE_CHARS = 7


def in_pieces(answer: Answer | Fault) -> Answer | Fault:
    """A whole answer as the stream that a request with `stream` gets; faults and refusals stay as they are."""
    if isinstance(answer, Fault) or answer.status != 200:
        return answer
    try:
        body = json.loads(answer.body)
    except ValueError:
        return answer
    if "output" in body:
        return streams(
            {"type": "response.created", "response": {"output": []}}, {"type": "response.completed", "response": body}
        )
    if not body.get("choices"):
        return streams(body)
    choice = body["choices"][0]
    deltas = [{"content": piece} for piece in _cut(choice["message"].get("content") or "")]
    deltas += [{"refusal": choice["message"]["refusal"]}] if choice["message"].get("refusal") else []
    for index, call in enumerate(choice["message"].get("tool_calls", ())):
        deltas.append({"tool_calls": [{**call, "index": index, "function": {**call["function"], "arguments": ""}}]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": p}}]}
            for p in _cut(call["function"]["arguments"])
        ]
    events = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]}
    return streams({"choices": []}, *events, end, {"choices": [], "usage": body.get("usage")})


def _cut(text: Any) -> list[Any]:
    """Pieces of a few characters; what is no text comes whole."""
    if not isinstance(text, str):
        return [text]
    return [text[at : at + PIECE_CHARS] for at in range(0, len(text), PIECE_CHARS)]
