"""What can go wrong while deciding and acting.

ShoppingAgentError
├── AgentSettingsError     a setting is unusable: refused before anything starts
├── ActionError            the chosen action cannot run; the message states what is possible (a model may read it)
└── ModelError             no usable decision came back
    ├── ModelUnavailableError   the service did not answer in time, or refused to now
    ├── ModelRefusedError       key, quota, model name or request refused: the operator must act
    └── ModelReplyError         an answer came, and no action can be read from it
"""

from __future__ import annotations

from shopping_agent.usage import Usage


class ShoppingAgentError(Exception):
    """Root of everything this package raises on purpose."""


class AgentSettingsError(ShoppingAgentError):
    """A setting is unusable; the message names the value and what to do."""


class ActionError(ShoppingAgentError):
    """The chosen action cannot run as it stands; the message states what is possible, without any shop secret."""


class ModelError(ShoppingAgentError):
    """No usable decision came back. `usage` counts what was spent all the same; the text is for the log only."""

    def __init__(self, message: str, *, reason: str = "model_failed", usage: Usage | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        """One word for operators and metrics: `timeout`, `rate_limit`, `quota`, `unusable_reply`, …"""
        self.usage = usage or Usage()


class ModelUnavailableError(ModelError):
    """The service did not answer in time or is overloaded; the same call may succeed after `retry_after_s`."""

    def __init__(
        self,
        message: str,
        *,
        reason: str = "unavailable",
        usage: Usage | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message, reason=reason, usage=usage)
        self.retry_after_s = retry_after_s


class ModelRefusedError(ModelError):
    """The service refuses the key, the quota, the model or the request: trying again will not help."""


class ModelReplyError(ModelError):
    """An answer came back from which no action can be read."""
