"""`python -m tests.load.crowd --shoppers 300 --seconds 120`: many shoppers stream at once from the production server.

The model is a stub that takes one second, on the loopback like everything else; own time is a turn's less that second.
Shoppers and stub share the machine with the server: they do as little as they can, over connections kept open.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import urllib.parse
from dataclasses import dataclass, field
from pathlib import Path

from tests.load import stub_model
from tests.server import ROOT, free_port, gunicorn

MODEL_S = 1.0
UNLIMITED = {
    "RATE_LIMIT_SESSION": "1000000 per minute",
    "RATE_LIMIT_ADDRESS": "1000000 per minute",
    "MAX_RUNNING_TURNS": "400",
    "WEB_WORKERS": "2",
    "WEB_THREADS": "256",
}
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
_COOKIE = re.compile(rb"\r\nset-cookie: ([^;\r]+)", re.IGNORECASE)
_TOKEN = re.compile(rb'name="csrf_token" value="([^"]+)"')
_CONVERSATION = re.compile(rb'"conversation": ?"(\w+)"')


@dataclass(slots=True)
class Tally:
    """What the crowd saw."""

    own_ms: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Connection(asyncio.Protocol):
    """One kept-open connection; reads whole answers and nothing of them."""

    def __init__(self) -> None:
        self._received = bytearray()
        self._answer: asyncio.Future[bytes] | None = None
        self.is_open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport, self.is_open = transport, True

    async def ask(self, request: bytes) -> bytes:
        """Head and body of the answer."""
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def data_received(self, data: bytes) -> None:
        self._received += data
        if self._answer is not None and self._is_whole():
            self._answer.set_result(bytes(self._received))
            self._answer = None
            self._received.clear()

    def _is_whole(self) -> bool:
        head = self._received.find(b"\r\n\r\n")
        if head < 0:
            return False
        length = _LENGTH.search(self._received, 0, head)
        if length is None:
            return self._received.endswith(b"0\r\n\r\n")
        return len(self._received) >= head + 4 + int(length[1])

    def connection_lost(self, error: Exception | None) -> None:
        self.is_open = False
        if self._answer is not None:
            self._answer.set_exception(error or ConnectionError("the server hung up"))
            self._answer = None


class Shopper:
    """A browser: a connection, a cookie, a token, a conversation."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._connection = Connection()
        self._cookie = self._token = self._conversation = ""

    def leave(self) -> None:
        """Somebody else comes, with nothing but the open connection."""
        self._cookie = self._token = self._conversation = ""

    async def turn(self, tally: Tally) -> None:
        """One message with its whole stream."""
        if not self._token:
            self._token = _found(_TOKEN, await self._request("GET", "/"))
        form = {"message": "a lamp for the desk", "conversation": self._conversation, "csrf_token": self._token}
        began = time.perf_counter()
        answer = await self._request("POST", "/chat", urllib.parse.urlencode(form), "text/event-stream")
        took = time.perf_counter() - began
        if b" 200 " not in answer[:20] or b"event: turn_finished" not in answer or b"offline_fallback" in answer:
            tally.errors.append(repr(answer[:20] + b" ... " + answer[-200:]))
            return
        tally.own_ms.append((took - MODEL_S) * 1000)
        self._conversation = self._conversation or _found(_CONVERSATION, answer)

    async def _request(self, method: str, path: str, body: str = "", accept: str = "text/html") -> bytes:
        if not self._connection.is_open:
            loop = asyncio.get_running_loop()
            _, self._connection = await loop.create_connection(Connection, "127.0.0.1", self._port)
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nAccept: {accept}\r\n"
            f"Cookie: {self._cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        answer = await self._connection.ask((head + body).encode())
        self._cookie = _found(_COOKIE, answer) or self._cookie
        return answer


def _found(pattern: re.Pattern[bytes], answer: bytes) -> str:
    match = pattern.search(answer)
    return match[1].decode() if match else ""


async def shop(port: int, tally: Tally, *, until: float, pause_s: float, think_s: float) -> None:
    """Chats of three turns, each somebody else's."""
    await asyncio.sleep(pause_s)
    shopper = Shopper(port)
    while time.monotonic() < until:
        shopper.leave()
        for _ in range(3):
            try:
                await shopper.turn(tally)
            except (OSError, ValueError, IndexError) as error:
                tally.errors.append(repr(error))
            await asyncio.sleep(think_s)


def processes(pid: int) -> list[int]:
    """A process and its children."""
    children = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout
    return [pid, *map(int, children.split())]


def memory_mb(pid: int) -> float:
    """Resident memory of a process and its children."""
    pages = (int(Path(f"/proc/{each}/statm").read_text().split()[1]) for each in processes(pid))
    return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6


def cpu_s(pid: int) -> float:
    """What a process and its children have computed so far (fields 14 and 15 of proc(5) stat)."""
    stats = (Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split() for each in processes(pid))
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")


async def run(*, shoppers: int, seconds: float, think_s: float) -> int:
    """1 if anything went wrong."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        environ = os.environ | {"PYTHONPATH": str(ROOT)}
        subprocess.run([sys.executable, "-m", "search_client", "demo"], cwd=folder, env=environ, check=True)
        async with stub_model.serve(MODEL_S) as model_port:
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
                early_mb, early_turns = memory_mb(server.pid), len(tally.own_ms)
                server_s, crowd_s = cpu_s(server.pid), _own_cpu_s()
                await asyncio.gather(*crowd)
                late_mb, late_turns = memory_mb(server.pid), len(tally.own_ms) - early_turns
                server_s, crowd_s = cpu_s(server.pid) - server_s, _own_cpu_s() - crowd_s
    own = sorted(tally.own_ms)
    report = {
        "shoppers": shoppers,
        "seconds": seconds,
        "think_s": think_s,
        "turns": len(own),
        "errors": len(tally.errors),
        "own_ms_p50": round(own[len(own) // 2], 1) if own else None,
        "own_ms_p99": round(own[int(len(own) * 0.99)], 1) if own else None,
        "server_cpu_ms_a_turn": round(server_s / max(1, late_turns) * 1000, 1),
        "crowd_cpu_ms_a_turn": round(crowd_s / max(1, late_turns) * 1000, 1),
        "rss_mb_after_a_quarter": round(early_mb),
        "rss_mb_at_the_end": round(late_mb),
    }
    sys.stdout.write(json.dumps(report) + "\n" + "".join(f"{each}\n" for each in tally.errors[:5]))
    return 1 if tally.errors or not own else 0


def _own_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.crowd", description=__doc__)
    parser.add_argument("--shoppers", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--think", type=float, default=0.5, help="seconds between a shopper's turns")
    options = parser.parse_args()
    return asyncio.run(run(shoppers=options.shoppers, seconds=options.seconds, think_s=options.think))


if __name__ == "__main__":
    raise SystemExit(main())
