"""Reading what a model sent back: pure functions from a reply to actions. No vendor, no network."""

from __future__ import annotations

from shopping_agent.replies.reading import Reading, UnreadableReplyError, read_actions
from shopping_agent.replies.reply import Call, Reply, reply_from

__all__ = ["Call", "Reading", "Reply", "UnreadableReplyError", "read_actions", "reply_from"]
