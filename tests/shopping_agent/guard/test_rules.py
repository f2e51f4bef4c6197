"""Every rule and mark earns its place: it catches its example and leaves its honest neighbour alone."""

from __future__ import annotations

import pytest

from shopping_agent.guard import Decision, Guard
from shopping_agent.guard.rules import Rule, load_rules
from shopping_agent.guard.structure import Mark, load_marks


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.name)
def test_a_rule_catches_its_example_and_lets_its_neighbour_pass(rule: Rule) -> None:
    assert rule.name in {reason.rule for reason in Guard().screen(rule.caught).reasons}
    neighbour = Guard().screen(rule.passes)
    assert rule.name not in {reason.rule for reason in neighbour.reasons}
    assert neighbour.decision is not Decision.REFUSE


@pytest.mark.parametrize("mark", load_marks(), ids=lambda mark: mark.name)
def test_a_mark_is_found_in_its_example_and_not_in_its_neighbour(mark: Mark) -> None:
    assert mark.name in {reason.rule for reason in Guard().screen(mark.caught).reasons}
    assert mark.name not in {reason.rule for reason in Guard().screen(mark.passes).reasons}
