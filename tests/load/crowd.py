"""`python -m tests.load.crowd --shoppers 300 --seconds 120`: many shoppers stream at once from the production server.

The model is a stub that takes one second, on the loopback like everything else; own time is a turn's less that second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.server import ROOT, free_port, gunicorn

MODEL_S = 1.0
UNLIMITED = {
    "RATE_LIMIT_SESSION": "1000000 per minute",
    "RATE_LIMIT_ADDRESS": "1000000 per minute",
    "MAX_RUNNING_TURNS": "400",
    "WEB_WORKERS": "2",
    "WEB_THREADS": "256",
}


@dataclass(slots=True)
class Tally:
    """What the crowd saw."""

    own_ms: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


async def answer_as_model(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """An OpenAI-compatible reply, one second after each request."""
    arguments = json.dumps({"next_action": {"kind": "search", "keywords": ["lamp"]}})
    call = {"id": "c", "type": "function", "function": {"name": "NextActionResponse", "arguments": arguments}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    usage = {"prompt_tokens": 900, "completion_tokens": 20, "total_tokens": 920}
    choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
    reply = {"id": "x", "object": "chat.completion", "created": 1, "model": "stub", "choices": [choice], "usage": usage}
    body = json.dumps(reply).encode()
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
    try:
        while True:
            asked = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", asked, re.IGNORECASE)
            await reader.readexactly(int(length[1]) if length else 0)
            await asyncio.sleep(MODEL_S)
            writer.write(head + body)
            await writer.drain()
    except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
        writer.close()


class AsyncBrowser:
    """One shopper: a cookie, a token, a conversation."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._cookie = ""
        self._token = ""
        self._conversation = ""

    async def request(self, method: str, path: str, body: str = "", accept: str = "text/html") -> tuple[int, str]:
        """Status and text of the answer."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nConnection: close\r\nAccept: {accept}\r\n"
            f"Cookie: {self._cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        writer.write((head + body).encode())
        answer = (await reader.read()).decode()
        writer.close()
        cookie = re.search(r"^Set-Cookie: ([^;]+)", answer, re.MULTILINE)
        self._cookie = cookie[1] if cookie else self._cookie
        return int(answer.split(" ", 2)[1]), answer

    async def turn(self, tally: Tally) -> None:
        """One message with its whole stream."""
        if not self._token:
            _, page = await self.request("GET", "/")
            found = re.search(r'name="csrf_token" value="([^"]+)"', page)
            self._token = found[1] if found else ""
        fields = {"message": "a lamp for the desk", "conversation": self._conversation, "csrf_token": self._token}
        began = time.perf_counter()
        status, text = await self.request("POST", "/chat", urllib.parse.urlencode(fields), "text/event-stream")
        took = time.perf_counter() - began
        if status != 200 or "event: turn_finished" not in text or "offline_fallback" in text:
            tally.errors.append(f"{status}: {text[-200:]!r}")
            return
        tally.own_ms.append((took - MODEL_S) * 1000)
        found = re.search(r'"conversation": ?"(\w+)"', text)
        self._conversation = found[1] if found else self._conversation


async def shop(port: int, tally: Tally, *, until: float, pause_s: float, think_s: float) -> None:
    await asyncio.sleep(pause_s)
    while time.monotonic() < until:
        browser = AsyncBrowser(port)  # a chat of three turns, then somebody else
        for _ in range(3):
            try:
                await browser.turn(tally)
            except (OSError, asyncio.IncompleteReadError, ValueError, IndexError) as error:
                tally.errors.append(repr(error))
            await asyncio.sleep(think_s)


@asynccontextmanager
async def model() -> AsyncIterator[int]:
    """The stub's port."""
    server = await asyncio.start_server(answer_as_model, "127.0.0.1", 0, backlog=1024)
    async with server:
        yield int(server.sockets[0].getsockname()[1])


def memory_mb(pid: int) -> float:
    """Resident memory of a process and its children."""
    pids = [pid, *map(int, subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split())]
    pages = (int(Path(f"/proc/{each}/statm").read_text().split()[1]) for each in pids)
    return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6


async def run(*, shoppers: int, seconds: float, think_s: float) -> int:
    """1 if anything went wrong."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        environ = os.environ | {"PYTHONPATH": str(ROOT)}
        subprocess.run([sys.executable, "-m", "search_client", "demo"], cwd=folder, env=environ, check=True)
        async with model() as model_port:
            settings = UNLIMITED | {"OPENAI_BASE_URL": f"http://127.0.0.1:{model_port}/v1", "OPENAI_API_KEY": "stub"}
            with gunicorn(folder, port=port, **settings) as server:
                until = time.monotonic() + seconds
                crowd = [
                    asyncio.create_task(
                        shop(port, tally, until=until, pause_s=(1 + think_s) * n / shoppers, think_s=think_s)
                    )
                    for n in range(shoppers)
                ]
                await asyncio.sleep(seconds / 4)
                early_mb = memory_mb(server.pid)
                await asyncio.gather(*crowd)
                late_mb = memory_mb(server.pid)
    own = sorted(tally.own_ms)
    report = {
        "shoppers": shoppers,
        "seconds": seconds,
        "think_s": think_s,
        "turns": len(own),
        "errors": len(tally.errors),
        "own_ms_p50": round(own[len(own) // 2], 1) if own else None,
        "own_ms_p99": round(own[int(len(own) * 0.99)], 1) if own else None,
        "rss_mb_after_a_quarter": round(early_mb),
        "rss_mb_at_the_end": round(late_mb),
    }
    sys.stdout.write(json.dumps(report) + "\n" + "".join(f"{each}\n" for each in tally.errors[:5]))
    return 1 if tally.errors or not own else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.crowd", description=__doc__)
    parser.add_argument("--shoppers", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--think", type=float, default=0.5, help="seconds between a shopper's turns")
    options = parser.parse_args()
    return asyncio.run(run(shoppers=options.shoppers, seconds=options.seconds, think_s=options.think))


if __name__ == "__main__":
    raise SystemExit(main())
