"""A real OpenAI-compatible server and a real, very small model: five turns through the whole agent, end to end.

The model has 135 million parameters and chooses badly; what is held here is that every turn is answered from the
catalog, by two calls at most, over a server that nobody here wrote.
"""

from __future__ import annotations

import pytest

from search_client.models import Money, Product
from search_client.testing import FakeSearchClient
from shopping_agent.agent import ShoppingAgent
from shopping_agent.events import ActionChosen, Notice, TurnFailed, TurnFinished
from shopping_agent.factory import build_agent
from shopping_agent.settings import AgentSettings

TURNS = (
    "I need a desk lamp",
    "under 40 dollars",
    "tell me more about the first one",
    "is it dimmable?",
    "thanks, and do you have red mugs?",
)
CATALOG = (
    Product(
        "K1", "Lumo Desk Lamp", price=Money(3990, "USD"), category=("Lighting",), attributes=(("Dimmable", "Yes"),)
    ),
    Product("K2", "Lumo Floor Lamp", price=Money(8900, "USD"), category=("Lighting",)),
    Product("K3", "Red Mug", price=Money(900, "USD"), category=("Kitchen",), attributes=(("Color", "Red"),)),
)
TURN_TIMEOUT_S = 180.0  # on one busy core the model reads 30 tokens a second


def agent_at(url: str) -> ShoppingAgent:
    settings = AgentSettings(
        openai_base_url=url,
        openai_model="smollm2-135m",
        openai_mode="json_schema",
        openai_max_tokens=160,
        openai_temperature=0.0,
        history_tokens=400,
        turn_timeout_s=TURN_TIMEOUT_S,
    )
    return build_agent(settings, search_client=FakeSearchClient(CATALOG))


@pytest.mark.local_model
def test_five_turns_are_answered_over_a_foreign_server(local_server: str, capsys: pytest.CaptureFixture[str]) -> None:
    agent, history, told, own = agent_at(local_server), list[dict[str, str]](), list[str](), 0
    for message in TURNS:
        events = list(agent.stream(message, history))
        last = events[-1]
        assert isinstance(last, TurnFinished)
        assert not any(isinstance(event, TurnFailed) for event in events)
        assert last.reply
        assert last.usage.calls <= 2
        chosen = next(event for event in events if isinstance(event, ActionChosen))
        by = chosen.decision.model if chosen.decision else "our own question"
        own += by == "smollm2-135m"
        notices = [event.code for event in events if isinstance(event, Notice)]
        action = chosen.action.model_dump(exclude_defaults=True)
        told.append(f"> {message}\n  {type(chosen.action).__name__} {action} by {by} {notices}")
        told.append(f"  {last.usage.calls} calls, {last.usage.model_ms / 1000:.1f} s\n  {last.reply[:300]}")
        history += [{"role": "user", "content": message}, {"role": "assistant", "content": last.reply}]
    agent.close()
    with capsys.disabled():
        print("\n" + "\n".join(told))  # noqa: T201
    assert own >= 1, "the model never decided"
