"""The decision as a plain function, for measuring scripts: `decide(utterance, history)` gives the action as a dict."""

from __future__ import annotations

from functools import cache
from typing import Any

from search_client import demo
from search_client.models import Vocabulary
from search_client.testing import FakeSearchClient
from shopping_agent.conversation import parse_conversation
from shopping_agent.message import clean_message
from shopping_agent.model import DecisionRequest
from shopping_agent.offline.model import OfflineActionModel


@cache
def vocabulary() -> Vocabulary:
    """What the demo shop talks about. The utterances were typed in other shops: it knows few of their words."""
    return FakeSearchClient(demo.products()).vocabulary()


@cache
def model() -> OfflineActionModel:
    """Built once; the scripts time single decisions."""
    return OfflineActionModel()


def decide(utterance: str, history: list[dict[str, Any]]) -> dict[str, Any]:
    """The action for `utterance` after `history`, with the names the measuring scripts read."""
    request = DecisionRequest(
        user_message=clean_message(utterance), conversation=parse_conversation(history), vocabulary=vocabulary()
    )
    action = model().decide(request).action.model_dump()
    category = action.pop("category", None)
    return {**action, "categories": [category] if category else []}
