"""What the code reads out of a history."""

from __future__ import annotations

from typing import Any

from shopping_agent.conversation import parse_conversation, shown_in


def test_an_assistant_turn_lists_the_products_it_showed() -> None:
    conversation = parse_conversation([{"role": "assistant", "content": "Found: Nike dry fit T Shirt (ID: p1)"}])
    assert [(p.id, p.title, p.position) for p in conversation.shown] == [("p1", "Nike dry fit T Shirt", 1)]


def test_products_keep_the_order_of_the_page() -> None:
    shown = shown_in("Found 2 for “mug”:\n1. Mug (blue) (ID: a-1) — 5.00 USD\n2. Mug, large (ID: b) — 7.00 USD")
    assert [(p.id, p.title) for p in shown] == [("a-1", "Mug (blue)"), ("b", "Mug, large")]


def test_messages_of_other_shapes_are_left_out() -> None:
    history: list[dict[str, Any]] = [
        {"role": "system", "content": "x"},
        {"role": "assistant", "content": None, "tool_calls": [{}]},
        {"role": "tool", "content": "x"},
        {"role": "user", "content": [{"type": "text", "text": "a mug"}, {"type": "image_url"}]},
        {"content": "no role"},
    ]
    assert [turn.text for turn in parse_conversation(history).turns] == ["a mug"]


def test_a_numbered_title_may_hold_any_mark() -> None:
    shown = shown_in("Found 2:\n1. The Guest List: A Novel; salt and pepper (ID: b1) — 5.00 USD\n2) Mug (ID: b2)")
    assert [(p.id, p.title) for p in shown] == [("b1", "The Guest List: A Novel; salt and pepper"), ("b2", "Mug")]


def test_a_text_without_end_is_read_in_part() -> None:
    assert len(shown_in("a" * 30_000 + "\n1. Mug (ID: b1)")) == 0
    assert len(shown_in("1. Mug (ID: b1)\n" + "(" * 30_000)) == 1
