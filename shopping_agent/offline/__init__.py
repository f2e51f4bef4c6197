"""Deciding without a model: a readable dialogue policy, grounded in the catalog's vocabulary."""

from shopping_agent.offline.model import OfflineActionModel

__all__ = ["OfflineActionModel"]
