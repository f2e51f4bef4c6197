"""Random requests to the MCP server over HTTP: no server error, no memory kept. `python -m tests.fuzz.mcp`."""

from __future__ import annotations

import argparse
import json
import logging
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import anyio

from shopping_agent.mcp_server.settings import McpServerSettings
from tests.fuzz.requests import random_value
from tests.fuzz.routes import MAX_GROWTH_MB, rss_mb
from tests.shopping_agent.mcp_server.browser import HEADERS, INITIALIZE, http

_METHODS = ("tools/call", "tools/list", "initialize", "ping", "notifications/initialized", "resources/read", "", "x")
_TOOLS = ("search_products", "get_product_details", "compare_products", "list_categories", "buy", "")
_FIELDS = (
    "query", "product_id", "product_ids", "category", "brand", "max_price", "min_price", "in_stock", "sort", "limit",
    "offset", "name", "arguments", "_meta", "cursor", "uri", "protocolVersion",
)  # fmt: skip
UNLIMITED = McpServerSettings(rate_limit=0)


@dataclass(slots=True)
class Findings:
    """What came back."""

    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest_s: float = 0.0
    rss_mb: list[float] = field(default_factory=list)
    """After each tenth of the rounds."""


def random_json(chance: random.Random, depth: int = 0) -> Any:
    """Any value, shallow."""
    kind = chance.random()
    if kind < 0.5 or depth > 2:
        return random_value(chance)
    if kind < 0.65:
        return chance.choice((None, True, -1, 0, 10**30, 1e308, 0.1, [], {}))
    if kind < 0.8:
        return [random_json(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {chance.choice(_FIELDS): random_json(chance, depth + 1) for _ in range(chance.randrange(5))}


def random_body(chance: random.Random) -> bytes:
    """A call of a tool, another message, or no message at all."""
    kind = chance.random()
    if kind < 0.1:
        return chance.randbytes(chance.choice((0, 9, 5_000)))
    if kind < 0.2:
        return json.dumps(random_json(chance)).encode()
    params = random_json(chance)
    if kind < 0.7:
        params = {"name": chance.choice(_TOOLS), "arguments": random_json(chance)}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    else:
        message = INITIALIZE | {"method": chance.choice(_METHODS), "params": params, "id": random_json(chance, 2)}
    if chance.random() < 0.1:
        message.pop(chance.choice(tuple(message)))
    return json.dumps([message] * 2 if chance.random() < 0.05 else message).encode()


def random_headers(chance: random.Random) -> dict[str, str]:
    """Mostly those of a client."""
    headers = dict(HEADERS)
    if chance.random() < 0.2:
        name = chance.choice(
            ("Accept", "Content-Type", "Mcp-Session-Id", "MCP-Protocol-Version", "Origin", "X-Shopper")
        )
        headers[name] = chance.choice(("x", "*/*", "text/plain", "2025-06-18", "https://evil.example", "null", "a.b"))
    return headers


async def run(rounds: int, seed: int) -> Findings:
    """So many random requests."""
    found = Findings()
    async with http(UNLIMITED) as browser:
        for number in range(rounds):
            chance = random.Random(f"{seed}/{number}")
            body, began = random_body(chance), time.perf_counter()
            try:
                answer = await browser.post("/mcp", content=body, headers=random_headers(chance))
            except Exception as error:  # whatever it is, it is what is looked for
                found.faults.append(f"{body[:300]!r}: {type(error).__name__}: {error}"[:600])
                continue
            found.slowest_s = max(found.slowest_s, time.perf_counter() - began)
            found.statuses[int(answer.status_code)] += 1
            if answer.status_code >= 500:
                found.faults.append(f"{answer.status_code} {body[:300]!r}: {answer.text[:200]}"[:600])
            if (number + 1) % max(rounds // 10, 1) == 0:
                found.rss_mb.append(rss_mb())
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.mcp", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=20261130)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    found = anyio.run(run, options.rounds, options.seed)
    lines = [
        *found.faults[:20],
        f"{options.rounds:,} requests, {len(found.faults)} faults, statuses {dict(sorted(found.statuses.items()))}, "
        f"slowest {found.slowest_s * 1000:.0f} ms",
        f"memory after each tenth, MB: {[round(each) for each in found.rss_mb]}",
    ]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    grown_mb = found.rss_mb[-1] - found.rss_mb[2] if len(found.rss_mb) > 3 else 0.0
    return 1 if found.faults or grown_mb > MAX_GROWTH_MB else 0


if __name__ == "__main__":
    raise SystemExit(main())
