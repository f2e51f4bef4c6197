"""What can go wrong between the host and a tool.

ActionError
└── ToolCallError        the call cannot be answered; the message states what is possible (a model may read it)
    └── ToolGoneError    the tool cannot be used at all now: its server is away, it vanished, or it was not accepted
"""

from __future__ import annotations

from shopping_agent.errors import ActionError


class ToolCallError(ActionError):
    """The call cannot be answered as it stands."""


class ToolGoneError(ToolCallError):
    """No call of this tool can be answered now."""
