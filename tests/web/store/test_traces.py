"""What operators can look up of past turns, on every back-end."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from web.store.engine import open_engine
from web.store.sql_conversations import SqlConversationStore
from web.store.traces import MAX_ROWS, TraceRecord, TraceStore


@pytest.fixture
def conversations(engine: Engine) -> SqlConversationStore:
    return SqlConversationStore(engine)


@pytest.fixture
def traces(engine: Engine, conversations: SqlConversationStore) -> TraceStore:
    return TraceStore(engine)


def traced(
    conversations: SqlConversationStore, traces: TraceStore, message: str, *, at: float = 1.0, **more: Any
) -> tuple[str, TraceRecord]:
    """The conversation and the trace of one turn."""
    turn = conversations.begin_turn("ann", message, conversation_id=None, key=message)
    conversations.finish_turn(turn.id, status="answered", reply="Found 0")
    record = TraceRecord(turn.id, at, "search", "stub", "answered", message, 0, None, {"calls": 1, "said": "“é”"})
    record = replace(record, **more)
    traces.add(record, conversation_id=turn.conversation_id)
    return turn.conversation_id, record


def test_a_trace_is_read_back_with_its_message(conversations: SqlConversationStore, traces: TraceStore) -> None:
    _, record = traced(conversations, traces, "netflix")
    assert traces.one(record.turn_id) == replace(record, message="netflix")
    assert traces.one("unknown") is None


def test_a_turn_that_is_tried_again_has_its_last_trace_only(
    conversations: SqlConversationStore, traces: TraceStore
) -> None:
    conversation, record = traced(conversations, traces, "netflix", outcome="failed")
    traces.add(replace(record, outcome="answered"), conversation_id=conversation)
    assert [each.outcome for each in traces.recent()] == ["answered"]


def test_traces_come_newest_first_and_page_by_page(conversations: SqlConversationStore, traces: TraceStore) -> None:
    for number in range(3):
        traced(conversations, traces, f"wish {number}", at=float(number))
    assert [each.message for each in traces.recent()] == ["wish 2", "wish 1", "wish 0"]
    assert [each.message for each in traces.recent(before=1.0)] == ["wish 0"]
    assert len(traces.recent()) <= MAX_ROWS


def test_a_trace_goes_with_its_conversation_and_none_is_kept_of_one_that_is_gone(
    conversations: SqlConversationStore, traces: TraceStore
) -> None:
    conversation, record = traced(conversations, traces, "netflix")
    conversations.delete("ann", conversation)
    traces.add(record, conversation_id=conversation)
    assert traces.recent() == []


def test_insights_count_what_was_wished_what_was_missing_and_what_was_disliked(
    conversations: SqlConversationStore, traces: TraceStore
) -> None:
    traced(conversations, traces, "lamp", at=5.0, found=3)
    _, disliked = traced(conversations, traces, "netflix", at=6.0, emptied_by="max_price: 1")
    traced(conversations, traces, "too old", at=1.0)
    conversations.rate("ann", disliked.turn_id, -1, reason="wrong")
    told = {tally.name: dict(tally.rows) for tally in traces.insights(since=2.0)}
    assert told == {
        "searches_without_result": {"netflix": 1},
        "filters_that_emptied": {"max_price: 1": 1},
        "popular_wishes": {"lamp": 1, "netflix": 1},
        "outcomes": {"answered": 2},
        "thumbs_down": {"wrong": 1},
    }


def test_a_process_that_ends_writes_what_waits(tmp_path: Path) -> None:
    code = """
import sys
from web.store.engine import open_engine
from web.store.sql_conversations import SqlConversationStore
from web.store.traces import TraceRecord, TraceStore
engine = open_engine(sys.argv[1])
turn = SqlConversationStore(engine).begin_turn("ann", "a lamp", conversation_id=None, key="k")
record = TraceRecord(turn.id, 1.0, "search", "stub", "answered", "lamp", 3, None, {})
TraceStore(engine, wait_s=0.2).add(record, conversation_id=turn.conversation_id)
"""
    url = f"sqlite:///{tmp_path}/c.sqlite"
    subprocess.run([sys.executable, "-c", code, url], check=True, timeout=300)
    engine = open_engine(url)
    assert [trace.message for trace in TraceStore(engine).recent()] == ["a lamp"]
    engine.dispose()


def test_a_database_that_does_not_answer_costs_the_traces_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    Path(tmp_path, "c.sqlite").write_bytes(b"no database at all" * 100)
    engine = open_engine(f"sqlite:///{tmp_path}/c.sqlite")
    traces = TraceStore(engine)
    record = TraceRecord("t", 1.0, "search", "stub", "answered", "lamp", 3, None, {})
    traces.add(record, conversation_id="c")
    traces.flush()
    assert "traces were not kept" in caplog.text
    engine.dispose()
