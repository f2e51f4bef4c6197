"""One turn: screen, decide once, run what was decided against the catalog, say what the catalog says."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from search_client.client import SearchClient
from search_client.errors import SearchClientError
from search_client.models import ANYONE, Shopper
from shopping_agent.actions import Action, Clarify
from shopping_agent.conversation import Conversation, parse_conversation
from shopping_agent.errors import ActionError, ModelError
from shopping_agent.events import (
    ActionChosen,
    AgentEvent,
    MessageRefused,
    Notice,
    ResultReady,
    TurnFailed,
    TurnFinished,
    TurnStarted,
)
from shopping_agent.guard import Guard
from shopping_agent.message import MAX_MESSAGE_CHARS, clean_message
from shopping_agent.model import ActionModel, Decision, DecisionRequest
from shopping_agent.questions import OWN_QUESTION
from shopping_agent.references import resolve
from shopping_agent.render import render
from shopping_agent.results import ActionResult
from shopping_agent.usage import Usage

log = logging.getLogger(__name__)

MAX_CALLS = 2  # one a turn; the second only after an unusable reply or an action that cannot run
REFUSAL = "Sorry, I can't help with that. I can help you find something in the shop, though: what are you looking for?"
FALLBACK_NOTICE = "The assistant's model is not answering right now, so the built-in one took this turn."
SHORTENED_NOTICE = f"Only the first {MAX_MESSAGE_CHARS} characters of the message were read."
SEARCH_FAILED = "The product search is not answering right now. Your message is kept: please try again in a moment."
MODEL_FAILED = "No answer could be found this time. Your message is kept: please try again in a moment."


@dataclass(slots=True)
class _Spent:
    """Running cost of one turn."""

    usage: Usage = field(default_factory=Usage)

    def add(self, usage: Usage) -> None:
        self.usage = self.usage + usage

    @property
    def calls_left(self) -> int:
        return max(0, MAX_CALLS - self.usage.calls)


class ShoppingAgent:
    """Turns a shopper's message into an answer from the catalog. Thread-safe; keeps no conversation."""

    def __init__(
        self,
        model: ActionModel,
        client: SearchClient,
        *,
        guard: Guard | None = None,
        turn_timeout_s: float = 25.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.model = model
        self.client = client
        self._guard = guard or Guard()
        self._turn_timeout_s = turn_timeout_s
        self._clock = clock

    def run(self, user_message: str, conversation_history: list[dict[str, Any]] | None = None) -> str:
        """The answer as text, as history keeps it."""
        reply = ""
        for event in self.stream(user_message, conversation_history):
            if isinstance(event, TurnFinished):
                reply = event.reply
        return reply

    def decide_next_action(
        self, user_message: str, conversation_history: Sequence[Mapping[str, Any]] | None = None
    ) -> Action:
        """The one action that would be taken, references resolved. Raises `ModelError`, `ActionError`."""
        conversation = parse_conversation(conversation_history)
        return resolve(self.decide(user_message, conversation_history).action, conversation)

    def decide(self, user_message: str, conversation_history: Sequence[Mapping[str, Any]] | None = None) -> Decision:
        """The model's decision as it came, with model name, calls, tokens and time. Raises `ModelError`."""
        request = self._request(clean_message(user_message), parse_conversation(conversation_history))
        return self.model.decide(request)

    def is_intent_malicious(self, message: str) -> bool:
        """Whether the guard refuses the message."""
        return self._guard.screen(message).decision == "refuse"

    def stream(
        self,
        user_message: str,
        conversation_history: Sequence[Mapping[str, Any]] | None = None,
        *,
        shopper: Shopper = ANYONE,
        viewing: str | None = None,
    ) -> Iterator[AgentEvent]:
        """The turn as it happens; the last event is always `TurnFinished`.

        `shopper` travels beside the conversation into the catalog and is never shown to a model; `viewing` is the id of
        the product whose page the shopper is on.
        """
        yield TurnStarted(self.model.name)
        if self.is_intent_malicious(user_message):
            yield MessageRefused(REFUSAL)
            yield TurnFinished(REFUSAL, Usage(), refused=True)
            return
        message = clean_message(user_message)
        if len(user_message) > MAX_MESSAGE_CHARS:
            yield Notice("message_shortened", SHORTENED_NOTICE)
        conversation = parse_conversation(conversation_history)
        spent = _Spent()
        try:
            request = self._request(message, conversation, viewing=viewing)
            result = yield from self._act(request, shopper, spent)
            yield TurnFinished(render(result), spent.usage)
        except (SearchClientError, ModelError) as error:
            log.warning("turn failed", exc_info=error)
            text = SEARCH_FAILED if isinstance(error, SearchClientError) else MODEL_FAILED
            yield TurnFailed("search_failed" if isinstance(error, SearchClientError) else "model_failed", text)
            yield TurnFinished(text, spent.usage, failed=True)

    def perform(self, action: Action, *, shopper: Shopper = ANYONE) -> Iterator[AgentEvent]:
        """The turn of an action that a shopper clicked (an edited filter, “show more”): no model is asked."""
        yield ActionChosen(action)
        try:
            result = action.execute(self.client, shopper=shopper)
        except (ActionError, SearchClientError) as error:
            log.warning("clicked action failed", exc_info=error)
            yield TurnFailed("search_failed", SEARCH_FAILED)
            yield TurnFinished(SEARCH_FAILED, Usage(), failed=True)
            return
        yield ResultReady(action, result)
        yield TurnFinished(render(result), Usage())

    def close(self) -> None:
        """Close the model and the catalog."""
        self.model.close()
        self.client.close()

    def _request(self, message: str, conversation: Conversation, *, viewing: str | None = None) -> DecisionRequest:
        return DecisionRequest(
            user_message=message,
            conversation=conversation,
            vocabulary=self.client.vocabulary(),
            viewing=viewing,
            max_calls=MAX_CALLS,
            deadline_s=self._clock() + self._turn_timeout_s,
        )

    def _act(
        self, request: DecisionRequest, shopper: Shopper, spent: _Spent
    ) -> Generator[AgentEvent, None, ActionResult]:
        """Decide and execute; an action that cannot run is told to the model once, if a call is left."""
        action: Action
        while True:
            decision = self.model.decide(replace(request, max_calls=spent.calls_left))
            spent.add(decision.usage)
            if decision.fallback:
                yield Notice("offline_fallback", FALLBACK_NOTICE)
            try:
                action = resolve(decision.action, request.conversation, viewing=request.viewing)
                yield ActionChosen(action, decision)
                result = action.execute(self.client, shopper=shopper)
            except ActionError as error:
                log.info("action cannot run: %s", error)
                if request.feedback is not None or not spent.calls_left:
                    action = Clarify(question=OWN_QUESTION)
                    result = action.execute(self.client, shopper=shopper)
                else:
                    request = replace(request, feedback=str(error))
                    continue
            yield ResultReady(action, result)
            return result
