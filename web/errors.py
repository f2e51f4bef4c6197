"""What can go wrong between a browser and the agent.

WebError
├── WebSettingsError            a setting is unusable: refused before serving
├── ConversationNotFoundError   no such conversation, or not this shopper's: the two are never told apart
├── TurnInProgressError         another turn of the same conversation is still running
└── StoreUnavailableError       the conversation database does not answer, is full, or may not be written
"""

from __future__ import annotations


class WebError(Exception):
    """Root of everything this package raises on purpose."""


class WebSettingsError(WebError):
    """A setting is unusable; the message names the variable, its value and what to do."""


class ConversationNotFoundError(WebError):
    """No such conversation, or not this shopper's."""


class TurnInProgressError(WebError):
    """Another turn of the same conversation is still running; nothing was stored."""


class StoreUnavailableError(WebError):
    """The conversation database does not answer, is full, or may not be written; nothing was stored."""
