"""Limits stop before spending; what is kept of the past is bounded."""

from __future__ import annotations

from shopping_agent.budget import SECONDS_A_DAY, Account, Budget, Limits, MemoryLedger
from shopping_agent.usage import Usage

ME = Account(conversation="c1", session="s1")


def test_a_limit_that_is_reached_holds_for_whom_it_is_meant() -> None:
    budget = Budget(Limits(conversation_usd=1.0, session_usd=2.0))
    budget.record(ME, Usage(cost_usd=1.0))
    assert budget.is_spent(ME)
    assert not budget.is_spent(Account(conversation="c2", session="s1"))
    budget.record(Account(conversation="c2", session="s1"), Usage(cost_usd=1.0))
    assert budget.is_spent(Account(conversation="c3", session="s1"))
    assert not budget.is_spent(Account())


def test_the_days_limit_holds_for_everybody_until_the_next_day() -> None:
    now = [0.0]
    budget = Budget(Limits(day_usd=1.0), clock=lambda: now[0])
    budget.record(ME, Usage(cost_usd=5.0))
    assert budget.is_spent(Account())
    now[0] += SECONDS_A_DAY
    assert not budget.is_spent(Account())


def test_a_limit_of_nothing_never_asks_a_model_and_no_limit_always_does() -> None:
    assert Budget(Limits(day_usd=0)).is_spent(ME)
    assert not Budget(Limits()).is_spent(ME)


def test_a_cost_that_is_not_known_is_not_counted() -> None:
    budget = Budget(Limits(day_usd=1e-9))
    budget.record(ME, Usage(cost_usd=None))
    assert not budget.is_spent(ME)


def test_the_ledger_forgets_what_was_used_least_recently() -> None:
    ledger = MemoryLedger(max_tracked=2)
    for key in ("a", "b", "a", "c"):
        ledger.record({key: 1.0})
    assert [ledger.spent(key) for key in ("a", "b", "c")] == [2.0, 0.0, 1.0]


def test_tokens_are_bounded_where_no_price_is_known() -> None:
    budget = Budget(Limits(session_tokens=100, day_tokens=150))
    budget.record(ME, Usage(input_tokens=90, output_tokens=10, cost_usd=None))
    assert budget.is_spent(ME)
    other = Account(session="s2")
    assert not budget.is_spent(other)
    budget.record(other, Usage(input_tokens=50))
    assert budget.is_spent(Account())
