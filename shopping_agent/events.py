"""The turn as a stream of typed events: the page, the terminal, the JSON route and the evals read the same ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shopping_agent.actions import Action
from shopping_agent.model import Decision
from shopping_agent.results import ActionResult, Choice
from shopping_agent.usage import Usage


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The message arrived; `model` will decide."""

    model: str


@dataclass(frozen=True, slots=True)
class MessageRefused:
    """The guard stopped the message. Constant words, no reason: the reason goes to the log."""

    text: str


@dataclass(frozen=True, slots=True)
class ActionChosen:
    """What will be done now. `decision` is None for an action a shopper clicked."""

    action: Action
    decision: Decision | None = None


@dataclass(frozen=True, slots=True)
class ResultReady:
    """What the catalog says."""

    action: Action
    result: ActionResult


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the shopper should know about this turn; `code` is one of `NOTICE_CODES`."""

    code: str
    text: str
    choices: tuple[Choice, ...] = ()
    """Messages that go on from here, for `more_wishes`."""


@dataclass(frozen=True, slots=True)
class StepTaken:
    """One step with what came of it. For operators; a shopper is shown at most the tool's name."""

    number: int
    tool: str
    server: str
    """Empty: an action of the shop's own, or a name that a model made up."""
    arguments: Mapping[str, Any]
    observation: str
    """What the model is told came of it, shortened."""
    is_error: bool = False
    thought: str = ""


@dataclass(frozen=True, slots=True)
class ToolAnswered:
    """What a tool of another server says, where no record of the catalog says it. Plain text, marked as from there."""

    tool: str
    server: str
    text: str


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A call that changes something and was not made."""

    tool: str
    server: str
    title: str
    arguments: Mapping[str, Any]
    digest: str
    """Of the tool's definition: a call is made only of the tool that the shopper was shown."""


@dataclass(frozen=True, slots=True)
class ConfirmationNeeded:
    """The turn ends with a question: the shopper's own yes runs the call (`McpShoppingAgent.confirmed`)."""

    call: PendingCall


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """No answer could be given; the message is kept and can be sent again."""

    code: str
    text: str
    retryable: bool = True


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """Always the last event. `reply` is the turn as history keeps it."""

    reply: str
    usage: Usage
    refused: bool = False
    """True: neither the message nor the reply may enter the history a model sees."""
    failed: bool = False


AgentEvent = (
    TurnStarted
    | MessageRefused
    | ActionChosen
    | ResultReady
    | StepTaken
    | ToolAnswered
    | ConfirmationNeeded
    | Notice
    | TurnFailed
    | TurnFinished
)

EVENT_NAMES: dict[type, str] = {
    TurnStarted: "turn_started",
    MessageRefused: "message_refused",
    ActionChosen: "action_chosen",
    ResultReady: "result_ready",
    StepTaken: "step_taken",
    ToolAnswered: "tool_answered",
    ConfirmationNeeded: "confirmation_needed",
    Notice: "notice",
    TurnFailed: "turn_failed",
    TurnFinished: "turn_finished",
}
"""Names as they go over the wire."""

NOTICE_CODES = (
    "offline_fallback",
    "budget_spent",
    "stale_catalog",
    "message_shortened",
    "more_wishes",
    "step_limit",
    "tools_missing",
)
