"""What shoppers say while a list stands on the page: pointing at it, narrowing it, leaving it."""

from __future__ import annotations

from typing import Any

import pytest

from search_client.models import Vocabulary
from shopping_agent.actions import Action, Clarify, GetProductDetails, Search
from shopping_agent.conversation import parse_conversation
from shopping_agent.model import DecisionRequest
from shopping_agent.offline.model import OfflineActionModel

MODEL = OfflineActionModel()
LIST = [
    {"role": "user", "content": "running shoes"},
    {
        "role": "assistant",
        "content": "Found 3 for “running shoes”:\n1. Kestrel Road Shoes (ID: a) — 84.95 USD, rated 4.6 of 5\n"
        "2. Cinder Trail Shoes (ID: b) — 74.95 USD, rated 4.8 of 5\n3. Bolt Track Shoes (ID: c) — 59.95 USD",
    },
]


def decide(message: str, history: list[dict[str, Any]] | None = None) -> Action:
    conversation = parse_conversation(LIST if history is None else history)
    return MODEL.decide(DecisionRequest(message, conversation=conversation, vocabulary=Vocabulary())).action


@pytest.mark.parametrize(
    ("message", "product_id"),
    [
        ("show me the second one", "b"),
        ("show me the third one please", "c"),
        ("let me see the first", "a"),
        ("number two", "b"),
        ("number 3", "c"),
        ("more like the first one", "a"),
        ("zeig mir das zweite", "b"),
    ],
)
def test_a_position_opens_that_product(message: str, product_id: str) -> None:
    action = decide(message)
    assert isinstance(action, GetProductDetails)
    assert (action.product_id, action.compare_with) == (product_id, [])


@pytest.mark.parametrize("message", ["which one is better, 1 or 2?", "compare 1 and 2"])
def test_two_bare_numbers_are_two_positions(message: str) -> None:
    action = decide(message)
    assert isinstance(action, GetProductDetails)
    assert [action.product_id, *action.compare_with] == ["a", "b"]


@pytest.mark.parametrize("message", ["number four", "the seventh one"])
def test_a_position_that_is_not_there_is_asked_back(message: str) -> None:
    assert isinstance(decide(message), Clarify)


def test_a_colour_asked_of_a_whole_list_narrows_it() -> None:
    action = decide("and in blue?")
    assert isinstance(action, Search)
    assert (action.keywords, action.colors) == (["running", "shoes"], ["blue"])


def test_a_correction_replaces_the_thing() -> None:
    action = decide("no, I meant dress shoes")
    assert isinstance(action, Search)
    assert action.keywords == ["dress", "shoes"]
