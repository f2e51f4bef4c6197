"""The shop's own actions as steps of the loop; what decides and what runs them are functions given to it."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from shopping_agent.actions import Action, Clarify
from shopping_agent.conversation import Conversation
from shopping_agent.errors import ActionError
from shopping_agent.model import Decision, DecisionRequest
from shopping_agent.steps.loop import Stop
from shopping_agent.steps.pad import MAX_OBSERVED, Scratchpad
from shopping_agent.steps.step import Chosen, FinalAnswer, Observation, ToolCall

log = logging.getLogger(__name__)
Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class Settled(Generic[Outcome]):
    """An action that ran, how it was decided, and what came of it."""

    action: Action
    decision: Decision | None
    """None: nobody decided, the action is our own question."""
    outcome: Outcome


class ActionSteps(Generic[Outcome]):
    """One turn's actions: at most `max_steps` that run, and one decision more, for one that cannot run.

    With one step the first action that runs is the turn's. With several the model is told what came of each; it ends
    the turn by giving an action again, unchanged, whose result then answers the shopper, or by a question.
    """

    def __init__(
        self,
        request: DecisionRequest,
        *,
        decide: Callable[[DecisionRequest], Decision],
        resolve: Callable[[Action, DecisionRequest], Action],
        run: Callable[[Action], Outcome],
        told: Callable[[Outcome], str],
        max_steps: int,
    ) -> None:
        """`resolve` and `run` raise `ActionError`; `told` says what came of an action as a model may read it."""
        self._request = request
        self._decide = decide
        self._resolve = resolve
        self._run = run
        self._told = told
        self._max_steps = max_steps
        self._decision: Decision | None = None
        self._ran: deque[tuple[str, Settled[Outcome]]] = deque(maxlen=MAX_OBSERVED)
        self._count = 0
        self.settled: Settled[Outcome] | None = None
        """What answers the shopper as things stand; None: no action ran yet."""
        self.decisions = 0
        self.fell_back = False
        """Whether another model had to decide than the one that was asked."""
        self.is_complete = False
        """False at the end of the loop: the model had not said that it is done."""

    def decide(self, pad: Scratchpad) -> Chosen:
        """The next action. Raises `ModelError`, and `Stop` where no decision is left or another model took over."""
        if self.decisions > self._max_steps:
            raise Stop
        self.decisions += 1
        self._request = _after(self._request, pad)
        decision = self._decision = self._decide(self._request)
        if decision.fallback:
            self.fell_back = True
            if self.settled is not None:
                raise Stop  # it knows nothing of the steps before
        call = _as_call(decision.action)
        before = next((settled for key, settled in self._ran if key == call.key), None)
        if before is None:
            return Chosen(call, decision.model, decision.usage, decision.repairs)
        self.settled = before
        self.is_complete = True
        return Chosen(FinalAnswer(call.key), decision.model, decision.usage, decision.repairs)

    def act(self, chosen: Chosen) -> Observation:
        """What came of the action, also where it cannot run. Raises `Stop` where it ends the turn."""
        decision = self._decision
        assert decision is not None and isinstance(chosen.step, ToolCall)
        if self._count >= self._max_steps:
            raise Stop
        try:
            action = self._resolve(decision.action, self._request)
            outcome = self._run(action)
        except ActionError as error:
            log.info("%s cannot run", chosen.step.tool)  # why stands in the trace; it may hold the shopper's words
            if decision.fallback:
                raise Stop from error
            return Observation(_possible(error, self._request.conversation), is_error=True)
        self.settled = Settled(action, decision, outcome)
        self._ran.append((chosen.step.key, self.settled))
        self._count += 1
        if self._max_steps == 1 or isinstance(action, Clarify) or decision.fallback:
            self.is_complete = True
            raise Stop
        return Observation(self._told(outcome))


def _as_call(action: Action) -> ToolCall:
    given = action.model_dump(mode="json", exclude_defaults=True, exclude={"kind"})
    return ToolCall(type(action).__name__, given)


def _after(request: DecisionRequest, pad: Scratchpad) -> DecisionRequest:
    """The request with what was done so far; an action that cannot run is told only until the next one."""
    observed = pad.observed
    error = observed[-1].observation.text if observed and observed[-1].observation.is_error else None
    done = tuple(each for each in observed if not each.observation.is_error)
    return replace(request, observed=done, feedback=error)


def _possible(error: ActionError, conversation: Conversation) -> str:
    """Why an action cannot run and what could, for the model's next choice."""
    told = str(error)
    shown = ", ".join(f"{product.position}: {product.id}" for product in conversation.shown)
    return f"{told} Shown were {shown}." if shown and "shown were" not in told else told
