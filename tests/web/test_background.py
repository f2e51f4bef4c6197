"""A turn beside its response."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from web.background import BEAT, finish_turns, in_background


def test_steps_come_in_order_with_a_beat_for_each_silence() -> None:
    go_on, ended = threading.Event(), threading.Event()

    def steps() -> Iterator[str]:
        yield "first"
        assert go_on.wait(300)
        yield "second"

    stream = in_background(steps(), done=ended.set, beat_s=0.01)
    assert next(stream) == "first"
    assert [next(stream), next(stream)] == [BEAT, BEAT]
    go_on.set()
    assert [step for step in stream if step != BEAT] == ["second"]
    assert ended.wait(300)


def test_a_reader_who_leaves_ends_nothing() -> None:
    go_on, ended, told = threading.Event(), threading.Event(), []

    def steps() -> Iterator[str]:
        yield "first"
        assert go_on.wait(300)
        told.append("finished")
        yield "second"

    stream = in_background(steps(), done=ended.set)
    assert isinstance(stream, Iterator) and next(stream) == "first"
    stream.close()  # type: ignore[attr-defined]  # a generator, as the server closes it
    assert not ended.is_set()
    go_on.set()
    assert ended.wait(300) and told == ["finished"]


def test_a_turn_that_breaks_ends_its_stream_and_gives_its_place_back() -> None:
    ended = threading.Event()

    def steps() -> Iterator[str]:
        yield "first"
        raise RuntimeError("broken")

    assert list(in_background(steps(), done=ended.set)) == ["first"]
    assert ended.wait(300)


def test_a_process_that_ends_waits_for_turns_whose_readers_left_but_not_for_ever() -> None:
    go_on, told = threading.Event(), []

    def steps() -> Iterator[str]:
        yield "first"
        assert go_on.wait(300)
        told.append("finished")

    stream = in_background(steps(), done=lambda: None)
    assert isinstance(stream, Iterator) and next(stream) == "first"
    stream.close()  # type: ignore[attr-defined]  # a generator, as the server closes it
    finish_turns(0.01)
    assert told == []
    go_on.set()
    finish_turns(300)
    assert told == ["finished"]
