"""What tools of other servers said or would do, as it is kept with a turn and shown again."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from shopping_agent.events import ConfirmationNeeded, PendingCall, ToolAnswered


class StoredTool(BaseModel):
    """A tool's words, or a call that waits for the shopper's yes."""

    model_config = ConfigDict(frozen=True)

    tool: str
    server: str
    text: str = ""
    title: str = ""
    arguments: dict[str, Any] = {}
    digest: str = ""
    """Of the definition that the shopper was shown; empty: nothing waits (any more)."""

    @classmethod
    def of(cls, event: ToolAnswered | ConfirmationNeeded) -> StoredTool:
        """The same, to be kept."""
        if isinstance(event, ToolAnswered):
            return cls(tool=event.tool, server=event.server, text=event.text)
        call = event.call
        return cls(
            tool=call.tool, server=call.server, title=call.title, arguments=dict(call.arguments), digest=call.digest
        )

    @property
    def call(self) -> PendingCall | None:
        """The call that waits, None if none does."""
        if not self.digest:
            return None
        return PendingCall(self.tool, self.server, self.title, self.arguments, self.digest)

    def settled(self) -> StoredTool:
        """The same call when it waits no longer."""
        return self.model_copy(update={"digest": ""})
