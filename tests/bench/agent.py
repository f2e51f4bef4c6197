"""Everything but the model: CPU per decision and bytes sent, side by side with peers, over a zero-latency service."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import instructor
from openai import OpenAI

from search_client.testing import FakeSearchClient
from shopping_agent.actions import NextActionResponse
from shopping_agent.agent import ShoppingAgent
from shopping_agent.instructions import INSTRUCTIONS
from shopping_agent.openai_model import OpenAIActionModel

PEERS = Path("var/bench-peers")
PEER_REQUIREMENTS = ("pydantic-ai-slim[openai]>=2.60,<3",)
SIZES = (1, 10, 50, 200)
CALLS, ROUNDS = 60, 5
MESSAGE = "a desk lamp under 50"
TARGETS = (
    ("1 turn, of pydantic-ai", 0.4),
    ("1 turn, of instructor.from_openai", 0.4),
    ("200 turns, of pydantic-ai", 0.06),
    ("200 turns, of our 1 turn", 2.0),
    ("bytes, of pydantic-ai", 0.75),
)


def turns(count: int) -> list[tuple[str, str]]:
    """User and assistant texts of `count - 1` turns before this one."""
    listed = "\n".join(f"{place}. Lumo Desk Lamp {place} (ID: p{place}) — 39.90 USD" for place in (1, 2, 3))
    return [(f"wish number {n}, in blue", f"Found 3 for “wish {n}”:\n{listed}") for n in range(count - 1)]


def history(count: int) -> list[dict[str, str]]:
    pairs = turns(count)
    return [m for u, a in pairs for m in ({"role": "user", "content": u}, {"role": "assistant", "content": a})]


class Service:
    """Answers at once with one search; keeps the last body."""

    def __init__(self) -> None:
        arguments = json.dumps({"next_action": {"kind": "search", "keywords": ["lamp"]}})
        function = {"name": "NextActionResponse", "arguments": arguments}
        call = {"id": "c", "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        body = {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
        self._content = json.dumps(body).encode()
        self.last = b""

    def client(self) -> OpenAI:
        http_client = httpx2.Client(transport=httpx2.MockTransport(self._answer))
        return OpenAI(api_key="k", base_url="http://stub/v1", http_client=http_client, max_retries=0)

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.last = request.content
        return httpx2.Response(200, content=self._content, headers={"content-type": "application/json"})


def cpu_ms(call: Callable[[], object]) -> float:
    """CPU milliseconds a call: best of `ROUNDS` batches, since neighbours only ever add."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time()
        for _ in range(CALLS):
            call()
        best = min(best, (time.process_time() - started) / CALLS * 1000)
    return best


def ours() -> dict[int, tuple[float, int]]:
    """Size → (CPU ms, bytes): a whole decision from the raw history, message clean-up and references included."""
    service = Service()
    agent = ShoppingAgent(OpenAIActionModel(service.client()), FakeSearchClient())
    measured = {}
    for size in SIZES:
        past = history(size)
        measured[size] = (cpu_ms(lambda past=past: agent.decide_next_action(MESSAGE, past)), len(service.last))  # type: ignore[misc]
    return measured


def plain_instructor() -> dict[int, tuple[float, int]]:
    """`instructor.from_openai` as its own page shows it, with the same model class, prompt and history."""
    service = Service()
    client = instructor.from_openai(service.client())
    measured = {}
    for size in SIZES:
        messages: Any = [
            {"role": "system", "content": INSTRUCTIONS},
            *history(size),
            {"role": "user", "content": MESSAGE},
        ]

        def call(messages: Any = messages) -> object:
            return client.create(model="m", response_model=NextActionResponse, messages=messages, max_retries=0)

        measured[size] = (cpu_ms(call), len(service.last))
    return measured


def peer_python() -> Path:
    """The interpreter of the peers' own environment, made on first use."""
    python = PEERS / "bin" / "python"
    if not python.exists():
        venv.create(PEERS, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PEER_REQUIREMENTS]
        subprocess.run(install, check=True)
    return python


def pydantic_ai() -> dict[int, tuple[float, int]]:
    """pydantic-ai with an output tool an action, run by its own interpreter."""
    told = {"prompt": INSTRUCTIONS, "turns": {size: turns(size) for size in SIZES}, "calls": CALLS, "rounds": ROUNDS}
    script = Path(__file__).with_name("peer_pydantic_ai.py")
    done = subprocess.run(
        [str(peer_python()), str(script)], input=json.dumps(told), capture_output=True, text=True, check=True
    )
    return {int(size): (row["cpu_ms"], row["bytes"]) for size, row in json.loads(done.stdout).items()}


def main() -> int:
    """Print the table and the targets; 1 if one is missed."""
    rows = {"ours": ours(), "instructor.from_openai": plain_instructor(), "pydantic-ai": pydantic_ai()}
    print(f"{'CPU ms a decision':<26}" + "".join(f"{size:>9} turns" for size in SIZES) + f"{'bytes, 1 turn':>16}")
    for name, row in rows.items():
        print(f"{name:<26}" + "".join(f"{row[size][0]:>15.2f}" for size in SIZES) + f"{row[1][1]:>16,}")
    own, plain, peer = rows["ours"], rows["instructor.from_openai"], rows["pydantic-ai"]
    got = (
        own[1][0] / peer[1][0],
        own[1][0] / plain[1][0],
        own[200][0] / peer[200][0],
        own[200][0] / own[1][0],
        own[1][1] / peer[1][1],
    )
    missed = 0
    for (name, target), value in zip(TARGETS, got, strict=True):
        missed += value > target
        print(f"{name:<36}{value:>7.3f}  target {target:g}  {'ok' if value <= target else 'MISSED'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
