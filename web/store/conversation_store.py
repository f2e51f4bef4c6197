"""The protocol of a conversation store, and the records it keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

ALL = 1_000_000_000
TurnStatus = Literal["running", "answered", "refused", "failed", "stopped"]


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One message of a shopper and what came of it."""

    id: str
    conversation_id: str
    seq: int
    """1, 2, 3 … within the conversation, without gaps."""
    message: str
    status: TurnStatus
    created_at: float
    """Seconds since the epoch."""
    reply: str = ""
    """The turn as history keeps it; empty while running."""
    answer: Mapping[str, Any] = field(default_factory=dict)
    """What the page needs to show the turn again: action and product ids, prices as shown."""
    rating: int | None = None
    """1 thumbs up, -1 thumbs down, None not rated."""
    repeated: bool = False
    """Set by `begin_turn` only. True: this key began the turn before, which runs or has its outcome: do not run it."""


@dataclass(frozen=True, slots=True)
class ConversationRecord:
    """One conversation of one shopper."""

    id: str
    title: str
    updated_at: float
    turns: tuple[TurnRecord, ...] = ()
    """Oldest first; turns replaced by an edit are left out."""


class ConversationStore(Protocol):
    """Keeps conversations. Every method checks the owner; every write is durable when it returns.

    No transaction stays open between `begin_turn` and `finish_turn`.
    """

    def begin_turn(
        self, owner: str, message: str, *, conversation_id: str | None, key: str, replaces: str | None = None
    ) -> TurnRecord:
        """Store the shopper's message as a running turn and return it; with None a conversation is made.

        The same `key` again returns the turn it began, whatever its status, as `repeated`; without a conversation the
        key is looked for in all of the owner's. `replaces` (a turn id) drops that turn and
        all after it from the conversation. A failed or stopped turn is retried with its own `key`: it runs again.
        Raises `ConversationNotFoundError`, `TurnInProgressError`.
        """
        ...

    def finish_turn(
        self, turn_id: str, *, status: TurnStatus, reply: str = "", answer: Mapping[str, Any] = ...
    ) -> None:
        """Write the outcome of a running turn; a turn that is no longer running keeps what it has."""
        ...

    def revise_turn(self, owner: str, turn_id: str, *, reply: str, answer: Mapping[str, Any]) -> None:
        """Replace what an answered turn shows (a filter was clicked). Raises `ConversationNotFoundError`."""
        ...

    def conversation(self, owner: str, conversation_id: str) -> ConversationRecord:
        """The conversation with its turns. Raises `ConversationNotFoundError`."""
        ...

    def conversations(self, owner: str, *, limit: int = ALL) -> Sequence[ConversationRecord]:
        """This owner's latest, without turns."""
        ...

    def history(self, owner: str, turn: TurnRecord) -> list[dict[str, str]]:
        """What the agent gets with `turn`: the answered turns before it, as messages.

        Refused, failed and running ones never enter a model's history.
        """
        ...

    def is_running(self, turn_id: str) -> bool:
        """Whether the turn still runs: nobody stopped it, nor deleted its conversation."""
        ...

    def rename(self, owner: str, conversation_id: str, title: str) -> None:
        """Raises `ConversationNotFoundError`."""
        ...

    def delete(self, owner: str, conversation_id: str) -> None:
        """Gone for good, turns and ratings included. Raises `ConversationNotFoundError`."""
        ...

    def rate(self, owner: str, turn_id: str, rating: int | None, *, reason: str = "") -> None:
        """Thumbs of the owner for one turn. Raises `ConversationNotFoundError`."""
        ...

    def close(self) -> None:
        """Release connections; a second call does nothing."""
        ...
