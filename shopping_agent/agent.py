"""One turn: screen, decide once, run what was decided against the catalog, say what the catalog says."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from search_client.client import SearchClient
from search_client.errors import ProductNotFoundError, SearchClientError
from search_client.models import ANYONE, Product, Shopper
from shopping_agent.actions import Action, Clarify, Search
from shopping_agent.budget import NOBODY, Account, Budget, Limits
from shopping_agent.conversation import Conversation, Turn, parse_conversation
from shopping_agent.errors import ActionError, ModelError
from shopping_agent.events import (
    ActionChosen,
    AgentEvent,
    MessageRefused,
    Notice,
    PendingCall,
    ResultReady,
    TurnFailed,
    TurnFinished,
    TurnStarted,
)
from shopping_agent.grounding import grounded
from shopping_agent.guard import Guard, Verdict
from shopping_agent.message import MAX_MESSAGE_CHARS, clean_message
from shopping_agent.model import ActionModel, Decision, DecisionRequest
from shopping_agent.offline.language import spoken
from shopping_agent.prompt import observation
from shopping_agent.questions import NOT_FOUND_QUESTION, NOTHING_SHOWN_QUESTION, OWN_QUESTION, WHICH_QUESTION
from shopping_agent.references import resolve
from shopping_agent.render import render
from shopping_agent.results import Choice
from shopping_agent.small_talk import is_small_talk
from shopping_agent.steps.loop import take_steps
from shopping_agent.steps.shop import ActionSteps, Settled
from shopping_agent.turn import RunningTurn, step_taken
from shopping_agent.usage import Usage
from shopping_agent.validator import Validation, joined

log = logging.getLogger(__name__)
Outcome = TypeVar("Outcome")

REFUSAL = "Sorry, I can't help with that. I can help you find something in the shop, though: what are you looking for?"
FALLBACK_NOTICE = "The assistant's model gave no usable answer this time, so the built-in one took this turn."
BUDGET_NOTICE = "This chat has used its share of the assistant's model, so the built-in one took this turn."
SHORTENED_NOTICE = f"Only the first {MAX_MESSAGE_CHARS} characters of the message were read."
STALE_NOTICE = "The catalog cannot be reached right now: prices and stock are as they were last seen."
MORE_WISHES_NOTICE = "One thing at a time. You also asked for:"
STEP_LIMIT_NOTICE = "This took more steps than one turn has; here is what was found so far."
SEARCH_FAILED = "The product search is not answering right now. Your message is kept: please try again in a moment."
TOOL_FAILED = "The tool did not answer. Whether anything was done is not known: please look before you try again."
MODEL_FAILED = "No answer could be found this time. Your message is kept: please try again in a moment."


class _Refused(Exception):
    """The validator's verdict came in while the decision was made."""


class ShoppingAgent:
    """Turns a shopper's message into an answer from the catalog. Thread-safe; keeps no conversation.

    `ShoppingAgent(OpenAIActionModel(openai_client), search_client)` asks that model and nothing else. What
    `build_agent` puts together also retries, leaves a failing model alone, and answers by the built-in model then.
    """

    def __init__(
        self,
        model: ActionModel,
        client: SearchClient,
        *,
        built_in: ActionModel | None = None,
        guard: Guard | None = None,
        validation: Validation | None = None,
        budget: Budget | None = None,
        max_steps: int = 1,
        turn_timeout_s: float = 25.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`max_steps`: actions that run in one turn, each in the light of what came of those before.

        A turn sends one request to the model a step, and one more where a reply or an action cannot be used.
        """
        if max_steps < 1:
            raise ValueError(f"max_steps {max_steps!r} is not at least 1.")
        for name, part, method in (("model", model, "decide"), ("client", client, "get_product_details")):
            if not callable(getattr(part, method, None)):
                hint = "wrap an OpenAI client: OpenAIActionModel(client)" if name == "model" else "give a SearchClient"
                raise TypeError(f"{name} {type(part).__name__!r} has no {method}(): {hint}.")
        self.model = model
        self.client = client
        self._built_in = built_in
        self._guard = guard or Guard()
        self._validation = validation
        self._budget = budget or Budget(Limits())
        self._max_steps = max_steps
        self._turn_timeout_s = turn_timeout_s
        self._clock = clock

    @property
    def model_name(self) -> str:
        """Which model decides, as shown on the page."""
        return self.model.name

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
        """The one action that would be taken, references resolved, nothing run. Raises `ModelError`."""
        return self.decide(user_message, conversation_history)[1]

    def decide(
        self, user_message: str, conversation_history: Sequence[Mapping[str, Any]] | None = None
    ) -> tuple[Decision | None, Action]:
        """The decision as the model made it, and the action that would be taken: references resolved, nothing run.

        The decision is None where the action is our own question. Raises `ModelError`, `SearchClientError`.
        """
        request = self._request(clean_message(user_message), parse_conversation(conversation_history))
        settling = self._settle(RunningTurn(request, ANYONE), run=lambda action: None, told=str, max_steps=1)
        while True:
            try:
                next(settling)
            except StopIteration as end:
                return end.value.decision, end.value.action

    def is_intent_malicious(self, message: str) -> bool:
        """Whether the guard refuses the message."""
        return self._guard.is_refused(message)

    def stream(
        self,
        user_message: str,
        conversation_history: Sequence[Mapping[str, Any]] | None = None,
        *,
        shopper: Shopper = ANYONE,
        viewing: str | None = None,
        account: Account = NOBODY,
        stopped: Callable[[], bool] | None = None,
    ) -> Iterator[AgentEvent]:
        """The turn as it happens; the last event is always `TurnFinished`.

        `shopper` travels beside the conversation into the catalog and is never shown to a model; `viewing` is the id of
        the product whose page the shopper is on; `account` is charged for what the turn costs; once `stopped` says
        so, a service that still thinks is hung up on.
        """
        yield TurnStarted(self.model_name)
        verdict = self._guard.screen(user_message)
        if verdict.decision == "refuse":
            yield from _refusal(Usage())
            return
        if len(user_message) > MAX_MESSAGE_CHARS:
            yield Notice("message_shortened", SHORTENED_NOTICE)
        turn: RunningTurn | None = None
        try:
            turn = self._begin(user_message, conversation_history, verdict, shopper, viewing, account)
            turn.request = replace(turn.request, stopped=stopped)
            reply = yield from self._answer(turn)
            yield TurnFinished(reply, turn.usage)
        except _Refused:
            assert turn is not None
            yield from _refusal(turn.usage)
        except (SearchClientError, ModelError) as error:
            usage = turn.usage if turn else Usage()
            yield from _failure(error, usage + error.usage if isinstance(error, ModelError) else usage)
        finally:
            if turn is not None:
                self._end(turn)

    def perform(self, action: Action, *, shopper: Shopper = ANYONE) -> Iterator[AgentEvent]:
        """The turn of an action that a shopper clicked (an edited filter, “show more”): no model is asked."""
        yield ActionChosen(action)
        try:
            result = action.execute(self.client, shopper=shopper)
        except (ActionError, SearchClientError) as error:
            yield from _failure(error, Usage())
            return
        yield ResultReady(action, result)
        yield TurnFinished(render(result), Usage())

    def confirmed(self, call: PendingCall, *, shopper: Shopper = ANYONE) -> Iterator[AgentEvent]:
        """The turn of a call to which the shopper said yes; this agent has no tools and makes none."""
        log.warning("no tool %r to run: tools are not set up any more", call.tool)
        yield TurnFailed("tool_failed", TOOL_FAILED, retryable=False)
        yield TurnFinished(TOOL_FAILED, Usage(), failed=True)

    def close(self) -> None:
        """Close the model, the validator and the catalog."""
        self.model.close()
        if self._validation is not None:
            self._validation.close()
        self.client.close()

    def _request(
        self, message: str, conversation: Conversation, *, viewing: str | None = None, shopper: Shopper = ANYONE
    ) -> DecisionRequest:
        return DecisionRequest(
            user_message=message,
            conversation=conversation,
            vocabulary=self.client.vocabulary(),
            viewing=viewing,
            deadline_s=self._clock() + self._turn_timeout_s,
            facts_of=partial(self._facts_of, shopper=shopper),
        )

    def _facts_of(self, product_id: str, *, shopper: Shopper) -> Product | None:
        try:
            return self.client.get_product_details(product_id, shopper=shopper)
        except ProductNotFoundError:
            return None

    def _begin(
        self,
        user_message: str,
        history: Sequence[Mapping[str, Any]] | None,
        verdict: Verdict,
        shopper: Shopper,
        viewing: str | None,
        account: Account,
    ) -> RunningTurn:
        """The turn with its request, its budget looked up and its validation under way."""
        conversation = self._unrefused(parse_conversation(history))
        request = self._request(clean_message(user_message), conversation, viewing=viewing, shopper=shopper)
        spent = self._budget.is_spent(account)
        turn = RunningTurn(request, shopper, max_calls=self._max_steps + 1, account=account, budget_spent=spent)
        validation = self._validation
        if validation and not turn.budget_spent and validation.needed(unsure=verdict.decision != "allow"):
            turn.pending = validation.start(request.user_message, deadline_s=request.deadline_s or self._clock())
        return turn

    def _unrefused(self, conversation: Conversation) -> Conversation:
        """The conversation without messages that the guard refuses, nor the answers to them, whoever kept them."""
        kept: list[Turn] = []
        refused = False
        for turn in conversation.turns:
            if turn.role == "user":
                refused = self._guard.is_refused(turn.text)
            if not refused:
                kept.append(turn)
        return conversation if len(kept) == len(conversation.turns) else Conversation(tuple(kept))

    def _end(self, turn: RunningTurn) -> None:
        """Whatever way the turn ended, also by a shopper who left: nothing keeps running, what was spent is counted."""
        if turn.pending is not None:
            turn.pending.cancel()
        self._budget.record(turn.account, turn.usage)

    def _answer(self, turn: RunningTurn) -> Generator[AgentEvent, None, str]:
        """Decide and execute; the reply as history keeps it."""
        if not turn.request.user_message:
            action: Action = Clarify(question=OWN_QUESTION)
            decision, result = None, action.execute(self.client, shopper=turn.shopper)
            yield ActionChosen(action)
        else:
            if turn.budget_spent:
                yield Notice("budget_spent", BUDGET_NOTICE)
            settled = yield from self._settle(
                turn,
                run=lambda chosen: chosen.execute(self.client, shopper=turn.shopper),
                told=observation,
                max_steps=self._max_steps,
            )
            action, decision, result = settled.action, settled.decision, settled.outcome
        yield ResultReady(action, result)
        reply = render(result, language=spoken(turn.request.conversation, turn.request.user_message))
        if getattr(getattr(result, "results", None), "stale", False):
            yield Notice("stale_catalog", STALE_NOTICE)
        if more := _more_wishes(decision, turn.request):
            yield Notice("more_wishes", MORE_WISHES_NOTICE, more)
            reply = "\n".join([reply, MORE_WISHES_NOTICE, *(choice.label for choice in more)])
        return reply

    def _settle(
        self, turn: RunningTurn, *, run: Callable[[Action], Outcome], told: Callable[[Outcome], str], max_steps: int
    ) -> Generator[AgentEvent, None, Settled[Outcome]]:
        """The action whose result answers the shopper.

        An action that cannot run is told to the model once; then the built-in model decides, or our own question ends
        the turn.
        """
        steps = ActionSteps(
            turn.request,
            decide=partial(self._decided, turn),
            resolve=self._resolved,
            run=run,
            told=told,
            max_steps=max_steps,
        )
        try:
            for done in take_steps(steps.decide, steps.act, max_steps=max_steps + 1):
                yield step_taken(done)
        except ModelError as error:
            if steps.decisions == 1 and self._built_in is None:
                raise
            log.warning("no choice of the model: %s", error)
            turn.usage += error.usage
        if steps.fell_back and not turn.budget_spent:
            yield Notice("offline_fallback", FALLBACK_NOTICE)
        if steps.settled is None:
            return (yield from self._settle_without_model(turn, run=run))
        if not steps.is_complete:
            yield Notice("step_limit", STEP_LIMIT_NOTICE)
        yield ActionChosen(steps.settled.action, steps.settled.decision)
        return steps.settled

    def _settle_without_model(
        self, turn: RunningTurn, *, run: Callable[[Action], Outcome]
    ) -> Generator[AgentEvent, None, Settled[Outcome]]:
        """What the built-in model makes of the message, where there is one and it can run; else our own question."""
        if self._built_in is not None:
            decided = self._built_in.decide(replace(turn.request, max_calls=0))
            decision = replace(decided, fallback="action_cannot_run")
            with contextlib.suppress(ActionError):
                action = self._resolved(decision.action, turn.request)
                outcome = run(action)
                yield Notice("offline_fallback", FALLBACK_NOTICE)
                yield ActionChosen(action, decision)
                return Settled(action, decision, outcome)
        action = _which_one(turn.request.conversation)
        yield ActionChosen(action)
        return Settled(action, None, run(action))

    def _decided(self, turn: RunningTurn, request: DecisionRequest) -> Decision:
        """One decision, counted; the validator's verdict is in before it is used. Raises `ModelError`, `_Refused`."""
        decision = self.model.decide(replace(request, max_calls=turn.calls_left))
        turn.usage += decision.usage
        self._await_verdict(turn)
        return decision

    def _await_verdict(self, turn: RunningTurn) -> None:
        """Waits for the validator, where one was asked. Raises `_Refused`."""
        if turn.pending is not None:
            pending, turn.pending = turn.pending, None
            judgement = joined(pending, left_s=(turn.request.deadline_s or 0.0) - self._clock())
            turn.usage += judgement.usage
            if judgement.verdict == "unsafe":
                raise _Refused

    def _resolved(self, action: Action, request: DecisionRequest) -> Action:
        """The action grounded, with references as ids; small talk never becomes a search. Raises `ActionError`."""
        if not isinstance(action, Clarify) and is_small_talk(request.user_message):
            return Clarify(question=OWN_QUESTION, about="category")
        return resolve(
            grounded(action, request),
            request.conversation,
            viewing=request.viewing,
            facts_of=request.facts_of,
            told=(product.id for product in request.found),
        )


def _which_one(conversation: Conversation) -> Clarify:
    """Our own question after two choices that could not run, with the products it may be about."""
    shown = [product.id for product in conversation.shown]
    if not shown:
        return Clarify(question=NOTHING_SHOWN_QUESTION if conversation.turns else NOT_FOUND_QUESTION)
    return Clarify(question=WHICH_QUESTION, candidates=shown)


def _more_wishes(decision: Decision | None, request: DecisionRequest) -> tuple[Choice, ...]:
    later = [grounded(action, request) for action in (decision.later if decision else ())]
    wishes = [action.in_words for action in later if isinstance(action, Search) and not action.wishes_nothing]
    return tuple(Choice(label=wish, message=wish) for wish in wishes)


def _refusal(usage: Usage) -> Iterator[AgentEvent]:
    yield MessageRefused(REFUSAL)
    yield TurnFinished(REFUSAL, usage, refused=True)


def _failure(error: Exception, usage: Usage) -> Iterator[AgentEvent]:
    log.warning("turn failed: %s: %s", type(error).__name__, error)
    code, text = ("model_failed", MODEL_FAILED) if isinstance(error, ModelError) else ("search_failed", SEARCH_FAILED)
    yield TurnFailed(code, text)
    yield TurnFinished(text, usage, failed=True)
