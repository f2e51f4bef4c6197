"""A reply that came in pieces, put together again: server-sent events in, one response body out. Pure."""

from __future__ import annotations

import codecs
import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shopping_agent.errors import ModelUnavailableError


def events_in(chunks: Iterable[bytes]) -> Iterator[str]:
    """The `data` of each event, however the bytes are cut. An event that the end of the stream cut off is left out."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    waiting, data = "", list[str]()
    for chunk in chunks:
        waiting += decoder.decode(chunk).replace("\r\n", "\n").replace("\r", "\n")
        *lines, waiting = waiting.split("\n")
        for line in lines:
            if line.startswith("data:"):
                data.append(line[5:].removeprefix(" "))
            elif not line and data:
                yield "\n".join(data)
                data = []
    # Some servers leave out the blank line behind the last event; a whole line is a whole event.
    if data and not waiting:
        yield "\n".join(data)


def merged_stream(chunks: Iterable[bytes]) -> dict[str, Any]:
    """One body of Chat Completions, or of the Responses API, from a stream of its events.

    Ends at `[DONE]` or an error event without waiting for the connection to close. Raises `ModelUnavailableError` where
    the stream broke off before its end.
    """
    return merged_chunks(_values(events_in(chunks)))


_DONE = object()


def _values(events: Iterable[str]) -> Iterator[Any]:
    for data in events:
        if data.strip() == "[DONE]":
            yield _DONE
            return
        with contextlib.suppress(ValueError):
            yield json.loads(data)


def merged_chunks(chunks: Iterable[Any]) -> dict[str, Any]:
    """The same from chunks that are parsed already; an end that the SDK does not hand on counts as one."""
    merged = _Merged()
    for chunk in chunks:
        if chunk is _DONE:
            merged.done = True
            break
        if isinstance(chunk, Mapping) and chunk.get("error"):
            return {"error": chunk["error"]}
        if isinstance(chunk, Mapping) and isinstance(whole := chunk.get("response"), Mapping) and _ends(chunk):
            return dict(whole)
        merged.add(chunk)
    if not (merged.done or merged.finish):
        raise ModelUnavailableError("The answer broke off before its end.", reason="interrupted")
    return merged.body()


def _ends(event: Mapping[str, Any]) -> bool:
    """Whether an event of the Responses API carries the whole response."""
    return event.get("type") in ("response.completed", "response.incomplete", "response.failed")


class _Merged:
    """What the chunks so far say."""

    def __init__(self) -> None:
        self.done = False
        self.finish = ""
        self.text: list[str] = []
        self.refusal: list[str] = []
        self.usage: Any = None
        self.calls: list[dict[str, Any]] = []
        self._open: dict[int, dict[str, Any]] = {}

    def add(self, chunk: Any) -> None:
        if not isinstance(chunk, Mapping):
            return
        self.usage = chunk.get("usage") or self.usage
        choices = chunk.get("choices")
        for choice in choices[:1] if isinstance(choices, list) else ():
            if isinstance(choice, Mapping):
                self.finish = choice.get("finish_reason") or self.finish
                self._add_delta(choice.get("delta") or choice.get("message"))

    def _add_delta(self, delta: Any) -> None:
        if not isinstance(delta, Mapping):
            return
        self.text.append(str(delta.get("content") or ""))
        self.refusal.append(str(delta.get("refusal") or ""))
        for piece in delta.get("tool_calls") or ():
            if isinstance(piece, Mapping):
                self._add_call(piece)

    def _add_call(self, piece: Mapping[str, Any]) -> None:
        told = piece.get("index")
        index = told if isinstance(told, int) else len(self.calls)
        given = piece.get("function")
        function: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
        call = self._open.get(index)
        # Some servers send index 0 for every call: another id is another call.
        if call is None or (piece.get("id") and call["id"] and piece["id"] != call["id"]):
            call = {"id": piece.get("id"), "name": "", "arguments": []}
            self._open[index] = call
            self.calls.append(call)
        call["name"] = function.get("name") or call["name"]
        arguments = function.get("arguments")
        if arguments is not None:
            call["arguments"].append(arguments if isinstance(arguments, str) else json.dumps(arguments))

    def body(self) -> dict[str, Any]:
        calls = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": "".join(call["arguments"])},
            }
            for call in self.calls
        ]
        message = {
            "role": "assistant",
            "content": "".join(self.text) or None,
            "refusal": "".join(self.refusal) or None,
            "tool_calls": calls,
        }
        return {"choices": [{"index": 0, "message": message, "finish_reason": self.finish}], "usage": self.usage}
