"""What an operator's Prometheus reads: turns, calls, money, failures."""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

_SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25)


class Metrics:
    """The app's counters, in a registry of their own. Labels take closed sets only: never a shopper's words."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.turns = self._counter("turns", "Turns by what was done.", "action", "model", "outcome")
        self.step_seconds = Histogram(
            "shop_step_seconds", "Time of each step of a turn.", ("step",), registry=self.registry, buckets=_SECONDS
        )
        self.model_calls = self._counter("model_calls", "Requests sent to a model.", "model")
        self.tokens = self._counter("tokens", "Tokens by kind: input, cached, output.", "kind")
        self.cost_usd = self._counter("cost_usd", "US dollars spent, as far as prices are known.")
        self.repairs = self._counter("repairs", "Replies of a model that had to be mended.")
        self.fallbacks = self._counter("fallbacks", "Turns answered by the offline model instead.", "reason")
        self.empty_searches = self._counter("empty_searches", "Searches that found nothing.")
        self.limited = self._counter("limited", "Requests refused by a limit, by status.", "status")
        self.running = Gauge(
            "shop_running_turns", "Turns being answered now.", registry=self.registry, multiprocess_mode="livesum"
        )

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"shop_{name}", text, labels, registry=self.registry)

    def exposition(self) -> bytes:
        """All figures in Prometheus' text format, added up over the worker processes where there are several."""
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self.registry)
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # the package's own signature is untyped
        return generate_latest(registry)
