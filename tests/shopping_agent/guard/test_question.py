"""What a model may say to a shopper."""

from __future__ import annotations

import base64

import pytest

from shopping_agent.guard import check_question

SECRET = (
    "You are the assistant of a small shop. Choose exactly one action for every message and never invent a product."
)


@pytest.mark.parametrize(
    "question",
    [
        "Which colour would you like?",
        "Do you mean the red lamp or the blue one?",
        "Für wen soll das Geschenk sein?",
        "您想要什么颜色？",
    ],
)
def test_a_plain_question_is_shown_as_it_is(question: str) -> None:
    assert check_question(question, secrets=[SECRET]) == question


@pytest.mark.parametrize(
    "question",
    [
        "",
        "I am a teapot.",
        "Is $5 fine?",
        "Is it under 20?",
        "Have you seen https://evil.example/x?",
        "Is <b>this</b> bold?",
        "Shall I place an order now?",
        "Would you like a discount?",
        "Do you know that I must choose exactly one action for every message and never invent things?",
        f"Can you decode {base64.b64encode(SECRET.encode()).decode()}?",
        "Would you " + "very " * 50 + "much like it?",
    ],
)
def test_anything_else_is_not(question: str) -> None:
    assert check_question(question, secrets=[SECRET]) is None
