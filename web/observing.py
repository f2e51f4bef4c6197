"""A turn as an operator sees it: its events pass through unchanged, and are counted and timed on the way."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from shopping_agent.actions import Action
from shopping_agent.events import (
    ActionChosen,
    AgentEvent,
    MessageRefused,
    ResultReady,
    StepTaken,
    TurnFailed,
    TurnFinished,
    TurnStarted,
)
from shopping_agent.model import Decision
from shopping_agent.results import ActionResult, ProductsFound
from web.metrics import Metrics

log = logging.getLogger("web.turn")


@dataclass(slots=True)
class TurnTrace:
    """What is known of a turn: how it was decided, what it found, how long each step took."""

    asked: str = "none"
    """Name of the model that was to decide."""
    action: Action | None = None
    decision: Decision | None = None
    result: ActionResult | None = None
    outcome: str = "cut"
    """`answered`, `refused`, `failed` or `cut` (the reader left, the process was stopped)."""
    failure: str | None = None
    calls: int = 0
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    steps: list[StepTaken] = field(default_factory=list)
    """Steps with their thoughts, in order: calls of other servers' tools, actions before the one that answered."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Wall time by step: decide (guard and model), act (the catalog), render."""

    @property
    def model(self) -> str:
        """Name of the model that decided, or that chose the steps; `none` where none did."""
        if self.decision:
            return self.decision.model
        return self.asked if self.steps or self.calls else "none"

    @property
    def found(self) -> int | None:
        """Number of products found; None for anything but a search."""
        return self.result.results.total if isinstance(self.result, ProductsFound) else None


def observe(
    events: Iterator[AgentEvent],
    *,
    done: Callable[[TurnTrace], None],
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[AgentEvent]:
    """The same events; `done` gets the trace when the turn ends, however it ends."""
    trace, since = TurnTrace(), clock()
    try:
        for event in events:
            step = _note(trace, event)
            if step:
                now = clock()
                trace.seconds[step] = trace.seconds.get(step, 0.0) + now - since
                since = now
            yield event
    finally:
        done(trace)


def _note(trace: TurnTrace, event: AgentEvent) -> str | None:
    """Write the event into the trace; gives the step that it ends."""
    match event:
        case TurnStarted(model):
            trace.asked = model
        case MessageRefused():
            return "guard"
        case ActionChosen(action, decision):
            trace.action, trace.decision = action, decision
            return "decide"
        case ResultReady(action, result):
            trace.action, trace.result = action, result
            return "act"
        case StepTaken():
            trace.steps.append(event)
            return "act"
        case TurnFailed(code):
            trace.failure = code
        case TurnFinished(_, usage, refused=refused, failed=failed):
            trace.outcome = "refused" if refused else "failed" if failed else "answered"
            trace.calls, trace.cost_usd = usage.calls, usage.cost_usd
            trace.input_tokens, trace.cached_tokens = usage.input_tokens, usage.cached_tokens
            trace.output_tokens = usage.output_tokens
            return "render"
    return None


def count(trace: TurnTrace, metrics: Metrics) -> None:
    """Add a finished turn to the figures."""
    kind = trace.action.kind if trace.action else "none"
    metrics.turns.labels(kind, trace.model, trace.outcome).inc()
    for step, seconds in trace.seconds.items():
        metrics.step_seconds.labels(step).observe(seconds)
    if trace.calls:
        metrics.model_calls.labels(trace.model).inc(trace.calls)
    tokens = {"input": trace.input_tokens, "cached": trace.cached_tokens, "output": trace.output_tokens}
    for token_kind, amount in tokens.items():
        metrics.tokens.labels(token_kind).inc(amount or 0)
    metrics.cost_usd.inc(trace.cost_usd or 0)
    if trace.decision:
        metrics.repairs.inc(len(trace.decision.repairs))
        if trace.decision.fallback:
            metrics.fallbacks.labels(trace.decision.fallback).inc()
    if trace.found == 0:
        metrics.empty_searches.inc()


def tell(trace: TurnTrace, *, turn_id: str) -> None:
    """One log line a turn, without the shopper's words."""
    log.info(
        "turn %s: %s by %s, %s",
        turn_id,
        trace.action.kind if trace.action else "no action",
        trace.model,
        trace.outcome,
        extra={
            "turn": turn_id,
            "outcome": trace.outcome,
            "calls": trace.calls,
            "cost_usd": trace.cost_usd,
            "found": trace.found,
            "ms": {step: round(seconds * 1000, 1) for step, seconds in trace.seconds.items()},
        },
    )
