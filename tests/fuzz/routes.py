"""Random requests to every route: no server error, no memory kept. `python -m tests.fuzz.routes --rounds 5000`."""

from __future__ import annotations

import argparse
import gc
import logging
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from flask import Flask
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from tests.fuzz.requests import Known, random_body, random_fields, random_headers, random_path
from tests.postgres import postgres_schema
from tests.web.echo import OPERATOR, EchoModel, echo_app

SHOPPER_ROUNDS = 40
"""Then another shopper comes: one with thousands of chats would only measure their list."""
MAX_GROWTH_MB = 30.0
_ANSWERED = re.compile(r"/c/(\w+)#t-(\w+)")


@dataclass(slots=True)
class Findings:
    """What came back."""

    requests: int = 0
    faults: list[str] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    """By route: all together, and the slowest."""
    rss_mb: list[float] = field(default_factory=list)
    """After each tenth of the rounds."""

    @property
    def growth_mb(self) -> float:
        """From the third tenth on: before that caches fill."""
        return self.rss_mb[-1] - self.rss_mb[2] if len(self.rss_mb) > 3 else 0.0

    def slowest(self, count: int) -> list[str]:
        """The routes whose slowest answer took longest."""
        slow = sorted(self.seconds.items(), key=lambda each: -each[1][1])[:count]
        return [f"{name}: {worst * 1000:.0f} ms, {total:.1f} s in all" for name, (total, worst) in slow]


class Fuzzer:
    """One shopper after another sends nonsense to every route."""

    def __init__(self, app: Flask, *, seed: int) -> None:
        self._app = app
        self._seed = seed
        self._urls = app.url_map.bind("localhost")
        self._client = app.test_client()
        self._known = Known()
        self.rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint != "static"]
        self.found = Findings()

    def play(self, number: int) -> None:
        """One round: each route with each of its methods."""
        if number % SHOPPER_ROUNDS == 0:
            self._client = self._app.test_client()
            self._known.values = {"product_id": "lamp", "id": "tee", "product": "lamp", "name": "lamp.svg"}
        for rule in self.rules:
            for method in sorted({"GET", "POST"} & (rule.methods or set())):
                self._send(rule, method, random.Random(f"{self._seed}/{number}/{rule.endpoint}/{method}"))

    def _send(self, rule: Rule, method: str, chance: random.Random) -> None:
        path = random_path(rule, lambda values: self._urls.build(rule.endpoint, values), chance, self._known)
        if method == "POST":
            sent = random_body(chance, self._known)
        else:
            sent = {"query_string": random_fields(chance, self._known)}
        auth = OPERATOR if rule.endpoint.startswith("operator.") and chance.random() < 0.9 else None
        began = time.perf_counter()
        try:
            answer = self._client.open(
                path, method=method, headers=random_headers(chance), auth=auth, buffered=True, **sent
            )
        except Exception as error:  # whatever it is, it is what is looked for
            self.found.faults.append(f"{method} {path!r} {sent!r}: {type(error).__name__}: {error}"[:600])
            return
        self._note(rule, answer, time.perf_counter() - began)
        if answer.status_code >= 500:
            self.found.faults.append(f"{answer.status_code} {method} {path!r} {sent!r}: {answer.text[:200]}"[:600])

    def _note(self, rule: Rule, answer: TestResponse, seconds: float) -> None:
        found = self.found
        found.requests += 1
        found.statuses[answer.status_code] += 1
        total, worst = found.seconds.get(rule.endpoint, [0.0, 0.0])
        found.seconds[rule.endpoint] = [total + seconds, max(worst, seconds)]
        answered = _ANSWERED.search(answer.headers.get("Location", ""))
        if answered:
            ids = {"conversation_id": answered[1], "conversation": answered[1], "turn_id": answered[2]}
            self._known.values |= ids | {"replaces": answered[2]}


def rss_mb() -> float:
    """Resident memory of this process; 0 where it is not told."""
    gc.collect()
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def run(rounds: int, seed: int, *, database_url: str) -> Findings:
    """So many random requests to each route and method."""
    with echo_app(database_url, ForgetfulModel()) as app:
        fuzzer = Fuzzer(app, seed=seed)
        for number in range(rounds):
            fuzzer.play(number)
            if (number + 1) % max(rounds // 10, 1) == 0:
                fuzzer.found.rss_mb.append(rss_mb())
    return fuzzer.found


class ForgetfulModel(EchoModel):
    """Keeps nothing, so that what grows is ours."""

    def __init__(self) -> None:
        super().__init__(meanwhile=lambda _: self.requests.clear())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.routes", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--postgres", action="store_true", help="conversations in PostgreSQL instead of SQLite")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder, postgres_schema() if options.postgres else nullcontext() as url:
        found = run(options.rounds, options.seed, database_url=url or f"sqlite:///{folder}/f.sqlite")
    lines = [
        *found.faults[:20],
        f"{found.requests:,} requests to {len(found.seconds)} routes, {len(found.faults)} faults, "
        f"{time.process_time() - began:.0f} s of CPU, statuses {dict(sorted(found.statuses.items()))}",
        *found.slowest(5),
        f"memory after each tenth, MB: {[round(each) for each in found.rss_mb]}",
    ]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 1 if found.faults or found.growth_mb > MAX_GROWTH_MB else 0


if __name__ == "__main__":
    raise SystemExit(main())
