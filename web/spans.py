"""A finished turn as OpenTelemetry spans, for shops that follow a request through several services."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from web.errors import WebSettingsError
from web.observing import TurnTrace

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

TRACES_PATH = "/v1/traces"  # https://opentelemetry.io/docs/specs/otlp/#otlphttp-request
_NS = 1_000_000_000


class TurnSpans:
    """One span a turn with a child for each of its steps, sent in batches by a thread of its own.

    Names of GenAI attributes: https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/. No span holds
    what a shopper wrote or a model answered: those are on the operator's page, behind a token.
    """

    def __init__(self, exporter: SpanExporter) -> None:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        self._provider = TracerProvider(resource=Resource.create({"service.name": "shopping-assistant"}))
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("web.turn")

    def record(self, trace: TurnTrace, *, turn_id: str, parent: str | None = None) -> None:
        """Add the turn's spans, below the caller's span where `parent` is a W3C `traceparent`."""
        from opentelemetry.trace import Status, StatusCode, set_span_in_context
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        end = time.time_ns()
        steps = {step: round(seconds * _NS) for step, seconds in trace.seconds.items()}
        since = end - sum(steps.values())
        turn = self._tracer.start_span(
            "turn",
            context=TraceContextTextMapPropagator().extract({"traceparent": parent} if parent else {}),
            start_time=since,
            attributes=_turn_attributes(trace, turn_id),
        )
        if trace.outcome == "failed":
            turn.set_status(Status(StatusCode.ERROR, trace.failure))
        inside = set_span_in_context(turn)
        for step, duration in steps.items():
            until = since + duration
            attributes = _call_attributes(trace) if step == "decide" else None
            self._tracer.start_span(step, context=inside, start_time=since, attributes=attributes).end(until)
            since = until
        turn.end(end)

    def close(self) -> None:
        """Send what waits to be sent; also done when the process ends."""
        self._provider.shutdown()


def open_spans(endpoint: str) -> TurnSpans | None:
    """Spans to the collector at `endpoint` (`http://host:4318`); None where it is empty.

    The other `OTEL_*` variables (headers, compression, service name, sampler) are read by OpenTelemetry itself.

    Raises `WebSettingsError` where the extra is not installed.
    """
    if not endpoint:
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ImportError as error:
        raise WebSettingsError(
            f"OTEL_EXPORTER_OTLP_ENDPOINT is {endpoint!r}, but OpenTelemetry is not installed; "
            "run: pip install 'shopping-assistant[otel]'"
        ) from error
    return TurnSpans(OTLPSpanExporter(endpoint=endpoint.rstrip("/") + TRACES_PATH))


def _turn_attributes(trace: TurnTrace, turn_id: str) -> dict[str, str | int | float]:
    known: dict[str, str | int | float | None] = {
        "shop.turn.id": turn_id,
        "shop.turn.outcome": trace.outcome,
        "shop.turn.action": trace.action.kind if trace.action else None,
        "shop.turn.failure": trace.failure,
        "shop.turn.products_found": trace.found,
        "shop.turn.model_calls": trace.calls,
        "shop.turn.cost_usd": trace.cost_usd,
    }
    return {name: value for name, value in known.items() if value is not None}


def _call_attributes(trace: TurnTrace) -> dict[str, str | int]:
    known: dict[str, str | int | None] = {
        "gen_ai.operation.name": "chat" if trace.calls else None,
        "gen_ai.request.model": trace.model,
        "gen_ai.usage.input_tokens": trace.input_tokens,
        "gen_ai.usage.output_tokens": trace.output_tokens,
        "shop.fallback": trace.decision.fallback if trace.decision else None,
    }
    return {name: value for name, value in known.items() if value is not None}
