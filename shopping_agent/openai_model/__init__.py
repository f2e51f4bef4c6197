"""The only place that knows openai and instructor: one action from OpenAI or any compatible server."""

from __future__ import annotations

from openai import OpenAI as OpenAIClient

from shopping_agent.openai_model.connecting import connect, usable_url
from shopping_agent.openai_model.dialect import Dialect, Limits
from shopping_agent.openai_model.model import OpenAIActionModel
from shopping_agent.openai_model.stepping import OpenAICompleter, OpenAIStepModel
from shopping_agent.openai_model.validator import OpenAIValidator

__all__ = [
    "Dialect",
    "Limits",
    "OpenAIActionModel",
    "OpenAIClient",
    "OpenAICompleter",
    "OpenAIStepModel",
    "OpenAIValidator",
    "connect",
    "usable_url",
]
