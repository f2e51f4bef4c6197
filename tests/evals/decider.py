"""The decision as a plain function, for measuring scripts: `decide(utterance, history)` gives the action as a dict.

By the offline model, or by the service that the OPENAI_* variables name: asked alone, without the built-in model behind
it, so that its failures are counted as what they are.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from typing import Any

from search_client import demo
from search_client.models import Vocabulary
from search_client.testing import FakeSearchClient
from shopping_agent.agent import ShoppingAgent
from shopping_agent.conversation import parse_conversation
from shopping_agent.message import clean_message
from shopping_agent.model import ActionModel, DecisionRequest
from shopping_agent.offline.model import OfflineActionModel
from shopping_agent.settings import AgentSettings, agent_settings_from_env
from shopping_agent.usage import Usage


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision for the record."""

    action: dict[str, Any]
    """With the names the measuring scripts read."""
    usage: Usage
    repairs: tuple[str, ...] = ()


@cache
def catalog() -> FakeSearchClient:
    """The demo shop. The utterances were typed in other shops: it knows few of their words."""
    return FakeSearchClient(demo.products())


@cache
def vocabulary() -> Vocabulary:
    return catalog().vocabulary()


@cache
def settings() -> AgentSettings:
    return agent_settings_from_env(os.environ)


@cache
def model() -> ActionModel:
    """Built once; the scripts time single decisions."""
    chosen = settings()
    if not chosen.uses_openai:
        return OfflineActionModel()
    from shopping_agent.openai_model import Dialect, Limits, OpenAIActionModel, connect

    client = connect(api_key=chosen.openai_api_key, base_url=chosen.openai_base_url, timeout_s=chosen.turn_timeout_s)
    return OpenAIActionModel(
        client,
        model=chosen.openai_model,
        dialect=Dialect(chosen.openai_mode, chosen.openai_system_role),
        limits=Limits(chosen.openai_max_tokens, chosen.openai_temperature),
        history_tokens=chosen.history_tokens,
    )


def decided(utterance: str, history: list[dict[str, Any]]) -> Decided:
    """The action for `utterance` after `history` and what it cost. Raises `ModelError`."""
    if isinstance(model(), OfflineActionModel):
        request = DecisionRequest(clean_message(utterance), parse_conversation(history), vocabulary())
        decision = model().decide(request)
        return Decided(_named(decision.action.model_dump()), decision.usage)
    agent = ShoppingAgent(model(), catalog(), turn_timeout_s=settings().turn_timeout_s)
    made, action = agent.decide(utterance, history)
    return Decided(_named(action.model_dump()), made.usage if made else Usage(), made.repairs if made else ())


def decide(utterance: str, history: list[dict[str, Any]]) -> dict[str, Any]:
    """The action alone."""
    return decided(utterance, history).action


def _named(action: dict[str, Any]) -> dict[str, Any]:
    category = action.pop("category", None)
    return {**action, "categories": [category] if category else []}
