"""From a finished turn to the row an operator reads."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from typing import Any

from pydantic import BaseModel

from shopping_agent.actions import Search
from shopping_agent.model import Exchange
from shopping_agent.results import ProductsFound
from web.observing import TurnTrace
from web.store.conversation_store import TurnRecord
from web.store.traces import TraceRecord, TraceStore

SHOWN_HITS = 20
EXCHANGE_CHARS = 40_000


def keep(trace: TurnTrace, turn: TurnRecord, store: TraceStore) -> None:
    """Store the trace."""
    store.add(record_of(trace, turn), conversation_id=turn.conversation_id)


def record_of(trace: TurnTrace, turn: TurnRecord) -> TraceRecord:
    """The row of a turn."""
    return TraceRecord(
        turn_id=turn.id,
        at=time.time(),
        action=trace.action.kind if trace.action else "none",
        model=trace.model,
        outcome=trace.outcome,
        wish=" ".join(trace.action.keywords).lower()[:200] if isinstance(trace.action, Search) else "",
        found=trace.found,
        emptied_by=_emptied_by(trace),
        detail=_detail(trace),
    )


def _emptied_by(trace: TurnTrace) -> str | None:
    """The wish that a search with no hits would best drop, as `field: value`."""
    if not isinstance(trace.result, ProductsFound) or not trace.result.results.relaxations:
        return None
    best = trace.result.results.relaxations[0]
    return f"{best.field}: {best.value}"


def _detail(trace: TurnTrace) -> dict[str, Any]:
    decision = trace.decision
    return {
        "action": trace.action.model_dump(mode="json") if trace.action else None,
        "repairs": list(decision.repairs) if decision else [],
        "fallback": decision.fallback if decision else None,
        "exchanges": [_exchange(each) for each in decision.exchanges] if decision else [],
        "failure": trace.failure,
        "calls": trace.calls,
        "tokens": {"input": trace.input_tokens, "cached": trace.cached_tokens, "output": trace.output_tokens},
        "cost_usd": trace.cost_usd,
        "ms": {step: round(seconds * 1000, 2) for step, seconds in trace.seconds.items()},
        "hits": _hits(trace),
        "steps": [{**asdict(step), "arguments": str(step.arguments)[:EXCHANGE_CHARS]} for step in trace.steps],
    }


def _exchange(exchange: Exchange) -> dict[str, str]:
    reply = exchange.reply
    received = reply.model_dump_json() if isinstance(reply, BaseModel) else json.dumps(reply, default=str)
    sent = json.dumps(exchange.messages, ensure_ascii=False, default=str)
    return {"sent": sent[:EXCHANGE_CHARS], "received": received[:EXCHANGE_CHARS]}


def _hits(trace: TurnTrace) -> list[dict[str, Any]]:
    if not isinstance(trace.result, ProductsFound):
        return []
    return [
        {
            "id": hit.product.id,
            "score": round(hit.score, 3),
            "words": list(hit.why.words),
            "fields": list(hit.why.fields),
        }
        for hit in trace.result.results.hits[:SHOWN_HITS]
    ]
