"""What a turn knows and has spent while it runs, and its steps as operators see them."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from dataclasses import dataclass, field

from search_client.models import Shopper
from shopping_agent.budget import NOBODY, Account
from shopping_agent.events import StepTaken
from shopping_agent.model import DecisionRequest
from shopping_agent.steps.loop import StepDone
from shopping_agent.usage import Usage
from shopping_agent.validator import Judgement

log = logging.getLogger(__name__)

MAX_CALLS = 2  # one a decision; the second only after an unusable reply or an action that cannot run
MAX_TRACE_CHARS = 2_000


@dataclass(slots=True)
class RunningTurn:
    """One turn between its first event and its last."""

    request: DecisionRequest
    shopper: Shopper
    max_calls: int = MAX_CALLS
    account: Account = NOBODY
    pending: Future[Judgement] | None = None
    """The validator's verdict, where one was asked for and is not in yet."""
    budget_spent: bool = False
    usage: Usage = field(default_factory=Usage)

    @property
    def calls_left(self) -> int:
        """For the next decision: a validator's call is one of the turn's."""
        if self.budget_spent:
            return 0
        left = self.max_calls - self.usage.calls - (self.pending is not None)
        return max(0, min(left, MAX_CALLS))


def step_taken(done: StepDone, *, server: str = "") -> StepTaken:
    """The event of a step; `server` offers its tool, empty for an action of the shop's own."""
    call, observation = done.observed.call, done.observed.observation
    # Not the arguments: they are made of the shopper's words.
    log.info("step %d: %s%s", done.number, call.tool[:80], " failed" if observation.is_error else "")
    return StepTaken(
        number=done.number,
        tool=call.tool,
        server=server,
        arguments=call.arguments,
        observation=observation.text[:MAX_TRACE_CHARS],
        is_error=observation.is_error,
        thought=call.thought,
    )
