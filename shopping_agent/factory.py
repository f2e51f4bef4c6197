"""Builds an agent from settings: the one place in this package where concrete classes are chosen."""

from __future__ import annotations

from search_client.client import SearchClient
from shopping_agent.agent import ShoppingAgent


def build_agent(
    settings: object = None, *, openai_client: object = None, search_client: SearchClient | None = None
) -> ShoppingAgent:
    """An agent on the given catalog or the configured one."""
    raise NotImplementedError
