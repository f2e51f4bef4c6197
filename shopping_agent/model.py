"""The seam behind which a decision is made: OpenAI, any compatible server, or no model at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from search_client.models import Vocabulary
from shopping_agent.actions import Action
from shopping_agent.conversation import Conversation, FactsOf, ShownProduct, shown_in
from shopping_agent.steps.step import Observed
from shopping_agent.usage import Usage


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """Everything a decision may rest on."""

    user_message: str
    """Normalised and bounded."""
    conversation: Conversation = field(default_factory=Conversation)
    """What was said before `user_message`."""
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    viewing: str | None = None
    """Id of the product whose page the shopper is on."""
    feedback: str | None = None
    """Why the last choice could not run and what is possible; None: it could, or there was none."""
    observed: tuple[Observed, ...] = ()
    """Actions that ran in this turn and what came of them, oldest first; the next is chosen in their light."""
    max_calls: int = 2
    """How many requests this decision may send; a model that needs more raises instead."""
    deadline_s: float | None = None
    """Instant on `time.monotonic()` at which the turn must have an answer."""
    stopped: Callable[[], bool] | None = None
    """Whether nobody wants the answer any more; asked now and then while a service thinks."""
    facts_of: FactsOf | None = None
    """Looks a shown product up, for “the blue one”; None: only titles are known."""

    @property
    def found(self) -> tuple[ShownProduct, ...]:
        """The products that the model was told of in this turn."""
        return tuple(product for each in self.observed for product in shown_in(each.observation.text))


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request to a model service and its answer, for operators; never shown to shoppers, never logged."""

    messages: Sequence[Mapping[str, Any]]
    reply: object
    """As it came: a vendor's object or decoded JSON; None where none did."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One chosen action and how it came about."""

    action: Action
    model: str
    """Name of the model that chose it, as shown to shoppers and operators."""
    usage: Usage = field(default_factory=Usage)
    repairs: tuple[str, ...] = ()
    """What had to be mended in the reply, for operators."""
    fallback: str | None = None
    """Why the first choice of model did not answer (`timeout`, `rate_limit`, `unusable_reply`, …); None: it did."""
    exchanges: tuple[Exchange, ...] = ()
    """What was sent and received, oldest first; empty where no service was asked."""
    later: tuple[Action, ...] = ()
    """Further wishes of the same message: not run in this turn, offered to the shopper."""


class ActionModel(Protocol):
    """Chooses one action. Thread-safe; keeps nothing between calls that changes a decision."""

    @property
    def name(self) -> str:
        """Shown on the page and in the terminal: which model answers."""
        ...

    def decide(self, request: DecisionRequest) -> Decision:
        """One action for `request`. Raises `ModelError`; sends at most `request.max_calls` requests."""
        ...

    def close(self) -> None:
        """Release connections; a second call does nothing."""
        ...
