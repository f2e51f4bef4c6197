"""A streamed reply is put together whatever its pieces look like, and is never taken for whole where it broke off."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from shopping_agent.actions import Search
from shopping_agent.errors import ModelUnavailableError
from shopping_agent.replies import read_actions, reply_from
from shopping_agent.replies.stream import events_in, merged_stream


def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"id": "c1", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def piece(
    arguments: str | None, *, index: int = 0, name: str | None = None, call_id: str | None = None
) -> dict[str, Any]:
    return {"index": index, "id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calls(*pieces: dict[str, Any]) -> dict[str, Any]:
    return chunk({"tool_calls": list(pieces)})


def sse(*events: Any, done: bool = True) -> bytes:
    lines = [f"data: {json.dumps(event, ensure_ascii=False)}\n\n" for event in events] + (
        ["data: [DONE]\n\n"] if done else []
    )
    return "".join(lines).encode()


def read(*events: Any, done: bool = True) -> list[Search]:
    reading = read_actions(reply_from(merged_stream([sse(*events, done=done)])))
    searches = [reading.action, *reading.later]
    return [action for action in searches if isinstance(action, Search)]


END = chunk({}, "tool_calls")
METADATA = {"id": "", "object": "", "choices": [], "prompt_filter_results": []}


def test_a_call_in_one_delta_is_complete() -> None:
    whole = calls(piece('{"query":"desk lamp","max_price":50}', name="Search", call_id="a"))
    assert read(whole, END) == [Search(keywords=["desk lamp"], max_price=50)]


def test_a_call_in_many_deltas_is_complete() -> None:
    text = '{"query":"desk lamp","category":null,"max_price":null}'
    deltas = [calls(piece(char)) for char in text]
    assert read(calls(piece("", name="Search", call_id="a")), *deltas, END) == [Search(keywords=["desk lamp"])]


def test_chunks_without_choices_are_skipped() -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}
    body = merged_stream([sse(METADATA, calls(piece('{"query":"lamp"}', name="Search")), END, usage)])
    assert reply_from(body).usage.input_tokens == 7


def test_several_entries_in_one_delta_all_count() -> None:
    first = calls(piece("", name="Search", call_id="a"), piece('{"query":'))
    second = calls(piece('"lamp"}'), piece('{"query":"monitor"}', index=1, name="Search", call_id="b"))
    assert read(first, second, END) == [Search(keywords=["lamp"]), Search(keywords=["monitor"])]


def test_calls_that_all_carry_index_0_are_told_apart_by_their_ids() -> None:
    first = calls(piece('{"query":"lamp"}', name="Search", call_id="a"))
    second = calls(piece('{"query":"monitor"}', name="Search", call_id="b"))
    assert read(first, second, END) == [Search(keywords=["lamp"]), Search(keywords=["monitor"])]


def test_arguments_whose_last_delta_was_swallowed_are_closed() -> None:
    deltas = [calls(piece('{"query":"desk la', name="Search", call_id="a")), calls(piece('mp"'))]
    assert read(*deltas, END) == [Search(keywords=["desk lamp"])]


def test_a_call_streamed_as_text_is_a_call() -> None:
    pieces = ['{"na', 'me":"Search","argu', 'ments":{"query":"lamp"}}']
    assert read(*[chunk({"content": text}) for text in pieces], chunk({}, "stop")) == [Search(keywords=["lamp"])]


def test_thinking_and_control_tokens_split_over_deltas_are_left_out() -> None:
    pieces = ["<thi", 'nk>{"query":"x"}</th', 'ink>{"kind":"search","keywords":"lamp"}<|im_', "end|>"]
    assert read(*[chunk({"content": text}) for text in pieces], chunk({}, "stop")) == [Search(keywords=["lamp"])]


def test_reasoning_is_not_the_answer() -> None:
    reasoning = [chunk({"reasoning_content": "The shopper wants"})] * 3
    assert read(*reasoning, calls(piece('{"query":"lamp"}', name="Search")), END) == [Search(keywords=["lamp"])]


def test_nested_fields_are_validated_once_at_the_end() -> None:
    pieces = ['{"action":{', '"query":"la', 'mp","price":{', '"max":50', "}}}"]
    deltas = [calls(piece(text, name="Search" if not number else None)) for number, text in enumerate(pieces)]
    assert read(*deltas, END) == [Search(keywords=["lamp"], max_price=50)]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_characters_and_events_cut_at_any_byte_are_whole_again(size: int) -> None:
    content = sse(calls(piece('{"query":"Größe 42 – Wanderstiefel 🥾"}', name="Search")), END)
    cut = [content[at : at + size] for at in range(0, len(content), size)]
    assert read_actions(reply_from(merged_stream(cut))).action == Search(keywords=["Größe 42 – Wanderstiefel 🥾"])


def test_an_error_within_the_stream_ends_it_at_once() -> None:
    def endless() -> Iterator[bytes]:
        yield sse(chunk({"content": "Let me"}), done=False)
        yield sse({"error": {"message": "quota exceeded", "code": "insufficient_quota"}}, done=False)
        raise AssertionError("read on after the error")

    error = reply_from(merged_stream(endless())).error
    assert error is not None
    assert error["code"] == "insufficient_quota"


def test_the_end_mark_ends_the_stream_although_the_connection_stays_open() -> None:
    def endless() -> Iterator[bytes]:
        yield sse(calls(piece('{"query":"lamp"}', name="Search")), END)
        raise AssertionError("read on after [DONE]")

    assert reply_from(merged_stream(endless())).calls


@pytest.mark.parametrize("events", [(), (chunk({"content": "The lamp costs"}),), (METADATA,)])
def test_a_stream_that_breaks_off_is_not_an_answer(events: tuple[Any, ...]) -> None:
    with pytest.raises(ModelUnavailableError, match="broke off"):
        merged_stream([sse(*events, done=False)])


@pytest.mark.parametrize("junk", [None, 3, [], {"choices": [3]}, {"choices": [{"delta": 3}]}, {"choices": "x"}])
def test_chunks_of_other_shapes_are_skipped(junk: Any) -> None:
    assert read(junk, calls(piece('{"query":"lamp"}', name="Search")), END) == [Search(keywords=["lamp"])]


def test_events_may_have_comments_several_lines_and_any_line_end() -> None:
    content = b": ping\r\n\r\ndata: a\r\ndata: b\r\n\r\nevent: x\ndata:c\n\ndata: cut of"
    assert list(events_in([content])) == ["a\nb", "c"]


def test_a_line_that_is_no_json_is_skipped() -> None:
    content = b"data: oops\n\n" + sse(calls(piece('{"query":"lamp"}', name="Search")), END)
    assert reply_from(merged_stream([content])).calls
