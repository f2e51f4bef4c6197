"""Settings are read once, and refused before anything is spent."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from search_client.testing import FakeSearchClient
from shopping_agent.errors import AgentSettingsError
from shopping_agent.factory import build_agent, build_model
from shopping_agent.offline.model import OfflineActionModel
from shopping_agent.prices import PRICES, Price, cost_usd, read_prices
from shopping_agent.settings import AgentSettings, agent_settings_from_env
from shopping_agent.testing import StubOpenAI, chooses, completion
from shopping_agent.usage import Usage


def test_nothing_set_is_offline() -> None:
    settings = agent_settings_from_env({})
    assert settings == AgentSettings()
    assert isinstance(build_model(settings)[0], OfflineActionModel)


@pytest.mark.parametrize(
    ("environ", "uses"),
    [
        ({"OPENAI_API_KEY": "k"}, True),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:8080/v1"}, True),
        ({"OPENAI_API_KEY": "k", "ASSISTANT_MODEL": "offline"}, False),
        ({"OPENAI_API_KEY": "   "}, False),
        ({"OPENAI_MODEL": "gpt-4.1"}, False),
    ],
)
def test_a_key_or_a_server_means_that_it_is_asked(environ: dict[str, str], uses: bool) -> None:
    assert agent_settings_from_env(environ).uses_openai is uses


def test_openai_without_a_key_is_refused_with_what_to_do() -> None:
    with pytest.raises(AgentSettingsError, match="set it, or OPENAI_BASE_URL"):
        agent_settings_from_env({"ASSISTANT_MODEL": "openai"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ASSISTANT_MODEL", "magic"),
        ("OPENAI_MODE", "grammar"),
        ("OPENAI_SYSTEM_ROLE", "tool"),
        ("OPENAI_MAX_TOKENS", "many"),
        ("OPENAI_MAX_TOKENS", "1"),
        ("OPENAI_TEMPERATURE", "hot"),
        ("OPENAI_TEMPERATURE", "3"),
        ("HISTORY_TOKENS", "-1"),
        ("TURN_TIMEOUT_S", "nan"),
        ("VALIDATOR", "sometimes"),
        ("BUDGET_DAY_USD", "-2"),
        ("BUDGET_SESSION_USD", "inf"),
        ("OPENAI_BASE_URL", "localhost:8080"),
        ("PRICES_FILE", "/nowhere/prices.json"),
    ],
)
def test_a_wrong_setting_is_refused_by_its_name_and_value(name: str, value: str) -> None:
    with pytest.raises(AgentSettingsError, match=f"{name}|{value}") as caught:
        build_model(agent_settings_from_env({"OPENAI_API_KEY": "k", name: value}))
    assert value in str(caught.value)


def test_every_setting_names_its_variable() -> None:
    source = Path("shopping_agent/settings.py").read_text(encoding="utf-8")
    told = set(re.findall(r"^    \"\"\"`([A-Z_]+)`:", source, re.MULTILINE))
    read = set(re.findall(r'env(?:\.get\(|\[|, )"([A-Z_]+)"', source))
    assert told == read
    assert len(told) == len(fields(AgentSettings))


def test_a_whole_agent_is_built_over_a_given_client(monkeypatch: pytest.MonkeyPatch) -> None:
    stub = StubOpenAI([chooses(kind="search", keywords=["lamp"])])
    settings = AgentSettings(openai_model="gpt-4o-mini", openai_mode="json_schema")
    agent = build_agent(settings, openai_client=stub.client(), search_client=FakeSearchClient())
    decision, _ = agent.decide("a lamp")
    assert decision is not None
    assert (decision.model, decision.fallback, stub.requests[0]["model"]) == ("gpt-4o-mini", None, "gpt-4o-mini")
    agent.close()


def test_a_whole_agent_falls_back_to_the_built_in_model() -> None:
    stub = StubOpenAI([completion(text="%%")], repeat=True)
    agent = build_agent(AgentSettings(), openai_client=stub.client(), search_client=FakeSearchClient())
    decision, action = agent.decide("a lamp")
    assert decision is not None
    assert (decision.model, decision.fallback, action.kind, stub.calls) == ("offline", "unusable_reply", "search", 2)


def test_a_whole_agent_reads_the_environment_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSISTANT_MODEL", "offline")
    assert build_agent(search_client=FakeSearchClient()).model.name == "offline"


def test_a_validator_is_built_where_one_is_set() -> None:
    stub = StubOpenAI([])
    assert build_model(AgentSettings(validator="gated"), openai_client=stub.client())[1] is not None
    assert build_model(AgentSettings(), openai_client=stub.client())[1] is None


@pytest.mark.parametrize(
    ("model", "usage", "cost"),
    [
        ("gpt-4.1-mini", Usage(input_tokens=1_000_000, output_tokens=0), 0.4),
        ("gpt-4.1-mini", Usage(input_tokens=1_000_000, cached_tokens=1_000_000, output_tokens=0), 0.1),
        ("gpt-4.1-mini-2025-04-14", Usage(input_tokens=0, output_tokens=1_000_000), 1.6),
        ("my-model", Usage(input_tokens=5, output_tokens=5), None),
        ("gpt-4.1-mini", Usage(), None),
        ("gpt-4.1-mini", Usage(input_tokens=5), None),
    ],
)
def test_a_cost_is_known_or_none(model: str, usage: Usage, cost: float | None) -> None:
    assert cost_usd(model, usage) == (None if cost is None else pytest.approx(cost))


def test_a_price_table_can_be_edited(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    path.write_text(json.dumps({"my-model": {"input": 1, "output": 2}}), encoding="utf-8")
    prices = read_prices(path)
    assert prices["my-model"] == Price(1.0, 1.0, 2.0)
    assert prices["gpt-4.1"] == PRICES["gpt-4.1"]
    stub = StubOpenAI([completion(calls=[("Search", '{"query":"lamp"}')])])
    settings = AgentSettings(openai_model="my-model", prices_file=path)
    decision, _ = build_agent(settings, openai_client=stub.client(), search_client=FakeSearchClient()).decide("a lamp")
    assert decision is not None
    assert decision.usage.cost_usd == pytest.approx((210 * 1 + 24 * 2) / 1e6)


@pytest.mark.parametrize("content", ["", "[]", '{"m": 3}', '{"m": {"input": "x", "output": 1}}', '{"m": {"input": 1}}'])
def test_a_price_table_that_cannot_be_read_is_refused_with_an_example(tmp_path: Path, content: str) -> None:
    path = tmp_path / "prices.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(AgentSettingsError, match="my-model"):
        read_prices(path)
