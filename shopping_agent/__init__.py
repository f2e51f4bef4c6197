"""Deciding and acting: a shopper's message in, what the catalog says out. This root is the API.

Names are loaded on first use: the guard's tables and the SDK cost a second that `--help` must not wait for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shopping_agent.actions import Action, BaseAction, Clarify, GetProductDetails, NextActionResponse, Search
    from shopping_agent.agent import ShoppingAgent
    from shopping_agent.errors import (
        ActionError,
        AgentSettingsError,
        ModelError,
        ModelRefusedError,
        ModelReplyError,
        ModelUnavailableError,
        ShoppingAgentError,
    )
    from shopping_agent.factory import build_agent
    from shopping_agent.model import ActionModel, Decision, DecisionRequest
    from shopping_agent.openai_model import OpenAIActionModel
    from shopping_agent.settings import AgentSettings, agent_settings_from_env
    from shopping_agent.usage import Usage

_HOMES = {
    "actions": ("Action", "BaseAction", "Clarify", "GetProductDetails", "NextActionResponse", "Search"),
    "agent": ("ShoppingAgent",),
    "errors": (
        "ActionError",
        "AgentSettingsError",
        "ModelError",
        "ModelRefusedError",
        "ModelReplyError",
        "ModelUnavailableError",
        "ShoppingAgentError",
    ),
    "factory": ("build_agent",),
    "model": ("ActionModel", "Decision", "DecisionRequest"),
    "openai_model": ("OpenAIActionModel",),
    "settings": ("AgentSettings", "agent_settings_from_env"),
    "usage": ("Usage",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Action",
    "ActionError",
    "ActionModel",
    "AgentSettings",
    "AgentSettingsError",
    "BaseAction",
    "Clarify",
    "Decision",
    "DecisionRequest",
    "GetProductDetails",
    "ModelError",
    "ModelRefusedError",
    "ModelReplyError",
    "ModelUnavailableError",
    "NextActionResponse",
    "OpenAIActionModel",
    "Search",
    "ShoppingAgent",
    "ShoppingAgentError",
    "Usage",
    "agent_settings_from_env",
    "build_agent",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
