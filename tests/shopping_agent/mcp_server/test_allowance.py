"""How many requests one caller may send."""

from __future__ import annotations

import pytest

from shopping_agent.mcp_server import allowance
from shopping_agent.mcp_server.allowance import Allowance


class Clock:
    """Tells the time that it was told."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_caller_may_send_a_minutes_requests_at_once_and_then_one_by_one() -> None:
    clock = Clock()
    allowed = Allowance(6, clock=clock)
    assert [allowed.wait_s("a") for _ in range(7)] == [0, 0, 0, 0, 0, 0, 10]
    clock.now += 4
    assert allowed.wait_s("a") == pytest.approx(6)
    clock.now += 6
    assert [allowed.wait_s("a"), allowed.wait_s("a")] == [0, pytest.approx(10)]


def test_asking_in_vain_does_not_make_the_wait_longer() -> None:
    clock = Clock()
    allowed = Allowance(1, clock=clock)
    allowed.wait_s("a")
    for _ in range(60):
        clock.now += 1
        waits = allowed.wait_s("a")
    assert waits == 0


def test_callers_do_not_take_from_one_another() -> None:
    allowed = Allowance(1, clock=Clock())
    assert [allowed.wait_s(caller) for caller in "abab"] == [0, 0, 60, 60]


def test_those_heard_of_longest_ago_are_forgotten_so_that_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowance, "MAX_CALLERS", 2)
    allowed = Allowance(1, clock=Clock())
    assert [allowed.wait_s(caller) for caller in "abca"] == [0, 0, 0, 0]
    assert len(allowed._left) == 2 and allowed.wait_s("c") == 60


def test_without_a_bound_nobody_is_counted() -> None:
    allowed = Allowance(0, clock=Clock())
    assert {allowed.wait_s("a") for _ in range(1000)} == {0} and not allowed._left
