"""Builds an agent from settings: the one place in this package where concrete classes are chosen."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from search_client.client import SearchClient
from search_client.factory import open_search_client
from shopping_agent.agent import ShoppingAgent
from shopping_agent.breaker import Breaker
from shopping_agent.budget import Budget, Limits, SpendLedger
from shopping_agent.errors import AgentSettingsError
from shopping_agent.fallback import Fallback
from shopping_agent.guard import Guard, PhraseFileError
from shopping_agent.model import ActionModel
from shopping_agent.offline.model import OfflineActionModel
from shopping_agent.prices import PRICES, read_prices
from shopping_agent.retry import Retry
from shopping_agent.second_look import SecondLook
from shopping_agent.settings import AgentSettings, agent_settings_from_env, check_settings
from shopping_agent.validator import Validation

if TYPE_CHECKING:
    from shopping_agent.openai_model import OpenAIClient


def build_agent(
    settings: AgentSettings | None = None,
    *,
    openai_client: OpenAIClient | None = None,
    search_client: SearchClient | None = None,
    ledger: SpendLedger | None = None,
) -> ShoppingAgent:
    """An agent as `settings` (by default the environment) describe it, on the configured catalog.

    `openai_client`: asked in place of a client built from the settings; no key is needed then. `search_client`: the
    catalog to use. `ledger`: where spending is added up; without it each process counts for itself.

    Raises `AgentSettingsError` and, for the catalog, `search_client.errors.SettingsError`.
    """
    settings = agent_settings_from_env(os.environ) if settings is None else settings
    model, validation = build_model(settings, openai_client=openai_client)
    if settings.mcp_servers is not None:
        return _with_tools(settings.mcp_servers, settings, model, validation, openai_client, search_client, ledger)
    return ShoppingAgent(
        model,
        search_client or open_search_client(),
        built_in=model.second if isinstance(model, SecondLook) else None,
        guard=_guard(settings),
        validation=validation,
        budget=Budget(_limits(settings), ledger),
        max_steps=settings.max_steps,
        turn_timeout_s=settings.turn_timeout_s,
    )


def _with_tools(
    servers_file: Path,
    settings: AgentSettings,
    model: ActionModel,
    validation: Validation | None,
    openai_client: OpenAIClient | None,
    search_client: SearchClient | None,
    ledger: SpendLedger | None,
) -> ShoppingAgent:
    """The agent that takes several steps with the tools of MCP servers; `model` stands in for it."""
    if openai_client is None and not settings.uses_openai:
        raise AgentSettingsError(
            f"MCP_SERVERS {str(servers_file)!r} needs a model that chooses among tools: set OPENAI_API_KEY or "
            "OPENAI_BASE_URL, or unset MCP_SERVERS."
        )
    from shopping_agent import openai_model as service
    from shopping_agent.mcp_host.agent import McpShoppingAgent
    from shopping_agent.mcp_host.opening import open_toolbox

    client = openai_client or service.connect(
        api_key=settings.openai_api_key, base_url=settings.openai_base_url, timeout_s=settings.turn_timeout_s
    )
    prices = read_prices(settings.prices_file) if settings.prices_file else PRICES
    completer = service.OpenAICompleter(client, model=settings.openai_model, prices=prices)
    return McpShoppingAgent(
        service.OpenAIStepModel(completer, by_text=settings.openai_mode == "md_json"),
        search_client or open_search_client(),
        tools=open_toolbox(servers_file),
        max_steps=settings.mcp_max_steps,
        fallback=model,
        turn_timeout_s=max(settings.turn_timeout_s, 60.0),
        guard=_guard(settings),
        validation=validation,
        budget=Budget(_limits(settings), ledger),
    )


def _limits(settings: AgentSettings) -> Limits:
    return Limits(
        conversation_usd=settings.budget_conversation_usd,
        session_usd=settings.budget_session_usd,
        day_usd=settings.budget_day_usd,
        session_tokens=settings.budget_session_tokens,
        day_tokens=settings.budget_day_tokens,
    )


def build_model(
    settings: AgentSettings, *, openai_client: OpenAIClient | None = None
) -> tuple[ActionModel, Validation | None]:
    """The model that decides and, where one is set, the validator. Raises `AgentSettingsError`."""
    offline = OfflineActionModel()
    if openai_client is None:
        check_settings(settings)
        if not settings.uses_openai:
            return offline, None
    # openai and instructor take a second to import: only who asks a service pays for it.
    from shopping_agent import openai_model as service

    prices = read_prices(settings.prices_file) if settings.prices_file else PRICES
    client = openai_client or service.connect(
        api_key=settings.openai_api_key, base_url=settings.openai_base_url, timeout_s=settings.turn_timeout_s
    )
    online = service.OpenAIActionModel(
        client,
        model=settings.openai_model,
        dialect=service.Dialect(settings.openai_mode, settings.openai_system_role, stream=settings.openai_stream),
        limits=service.Limits(settings.openai_max_tokens, settings.openai_temperature),
        history_tokens=settings.history_tokens,
        prices=prices,
    )
    validation = None
    if settings.validator != "off":
        validator = service.OpenAIValidator(client, model=settings.openai_model, prices=prices)
        validation = Validation(validator, when=settings.validator)
    return SecondLook(Fallback(Breaker(Retry(online)), offline), offline), validation


def _guard(settings: AgentSettings) -> Guard:
    try:
        return Guard.from_file(settings.guard_phrases) if settings.guard_phrases else Guard()
    except PhraseFileError as error:
        raise AgentSettingsError(f"GUARD_PHRASES: {error}") from error
