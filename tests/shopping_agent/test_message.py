"""What is left of a message as it was typed."""

from __future__ import annotations

import pytest

from shopping_agent.message import clean_message


@pytest.mark.parametrize("typed", ["", "  \n\t", "\u200b\u200d", "\u2060 \ufeff", "\x00\x07"])
def test_a_message_of_which_nothing_can_be_seen_is_empty(typed: str) -> None:
    assert clean_message(typed) == ""


def test_what_can_be_seen_stays_with_its_joiners() -> None:
    assert clean_message("  👩\u200d🍳 apron\x07s ") == "👩\u200d🍳 apron s"
