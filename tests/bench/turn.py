"""What the server itself spends on a shopper: CPU of a new page and of a streamed turn, by phase. No peer.

The whole app runs in process, on the demo catalog, SQLite and the SDK over the loopback; its model answers at once from
a process of its own. Not in it: gunicorn's reading and writing of sockets, about half a millisecond a request.
"""

from __future__ import annotations

import functools
import io
import os
import re
import sys
import tempfile
import threading
import time
import urllib.parse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import Engine, event

import web.blueprints.chat
import web.live
from search_client.__main__ import main as search_client_main
from shopping_agent.actions import Search
from shopping_agent.guard import Guard
from shopping_agent.openai_model import OpenAIActionModel
from tests.load import stub_model
from web.app import create_app
from web.logs import configure_logs
from web.page import Page
from web.rendering.stored import StoredAnswer
from web.starters import Starters
from web.store.cart import CartStore
from web.store.sessions import SessionStore
from web.store.sql_conversations import SqlConversationStore
from web.store.traces import TraceStore

ROUNDS, SHOPPERS, TURNS = 5, 20, 3
STORES = (SqlConversationStore, CartStore, SessionStore, TraceStore)
PHASES: tuple[tuple[str, Any, str], ...] = (
    *(
        ("database", store, name)
        for store in STORES
        for name, value in vars(store).items()
        if callable(value) and name[0] != "_" and name != "close"
    ),
    ("guard", Guard, "screen"),
    ("guard", Guard, "is_refused"),
    ("model: prompt, SDK, validation", OpenAIActionModel, "decide"),
    ("search", Search, "execute"),
    ("templates", Page, "render"),
    ("words and facts of the cards", web.live, "fresh"),
    ("words and facts of the cards", StoredAnswer, "dump"),
    ("figures, log line, trace", web.blueprints.chat, "count"),
    ("figures, log line, trace", web.blueprints.chat, "tell"),
    ("figures, log line, trace", web.blueprints.chat, "keep"),
    ("first questions", Starters, "questions"),
)
REST = "routing, session, limits, events, threads"


class Phases:
    """CPU time of each phase, less that of phases inside it."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = defaultdict(float)
        self._inner = threading.local()

    def watch(self, phase: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, timed."""

        @functools.wraps(call)
        def timed(*args: Any, **kwargs: Any) -> Any:
            outer, self._inner.ms = getattr(self._inner, "ms", 0.0), 0.0
            began = time.thread_time()
            try:
                return call(*args, **kwargs)
            finally:
                took_ms = (time.thread_time() - began) * 1000
                self.ms[phase] += took_ms - self._inner.ms
                self._inner.ms = outer + took_ms

        return timed


@contextmanager
def watched(phases: Phases) -> Iterator[Counter[str]]:
    """Time every phase while the block runs; counts statements and transactions."""
    counted: Counter[str] = Counter()

    def statement(*_: object) -> None:
        counted["statements"] += 1

    def begin(*_: object) -> None:
        counted["transactions"] += 1

    originals = [(owner, name, getattr(owner, name)) for _, owner, name in PHASES]
    for phase, owner, name in PHASES:
        setattr(owner, name, phases.watch(phase, getattr(owner, name)))
    event.listen(Engine, "before_cursor_execute", statement)
    event.listen(Engine, "begin", begin)
    try:
        yield counted
    finally:
        event.remove(Engine, "before_cursor_execute", statement)
        event.remove(Engine, "begin", begin)
        for owner, name, original in originals:
            setattr(owner, name, original)


class Shopper:
    """A browser of one shopper that speaks WSGI, so that no client's work is counted."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._cookie = self._token = self._conversation = ""

    def page(self) -> None:
        """Open an empty chat."""
        found = re.search(r'name="csrf_token" value="([^"]+)"', self._request("GET", "/"))
        assert found
        self._token = found[1]

    def turn(self) -> None:
        """Say something and read every event of the answer."""
        form = {"message": "a lamp for the desk", "conversation": self._conversation, "csrf_token": self._token}
        text = self._request("POST", "/chat", urllib.parse.urlencode(form), accept="text/event-stream")
        assert "event: turn_finished" in text and "offline_fallback" not in text, text[-300:]
        found = re.search(r'"conversation": ?"(\w+)"', text)
        assert found
        self._conversation = found[1]

    def _request(self, method: str, path: str, body: str = "", accept: str = "text/html") -> str:
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method, "SCRIPT_NAME": "", "PATH_INFO": path, "QUERY_STRING": "",
            "REMOTE_ADDR": "127.0.0.1",
            "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "5000", "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "127.0.0.1:5000", "HTTP_ACCEPT": accept, "HTTP_COOKIE": self._cookie,
            "CONTENT_TYPE": "application/x-www-form-urlencoded", "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body.encode()), "wsgi.errors": sys.stderr, "wsgi.url_scheme": "http",
            "wsgi.version": (1, 0), "wsgi.multithread": True, "wsgi.multiprocess": True, "wsgi.run_once": False,
        }  # fmt: skip
        got: list[tuple[str, str]] = []

        def start(status: str, headers: list[tuple[str, str]], _error: object = None) -> Callable[[bytes], object]:
            assert status.startswith("200"), status
            got.extend(headers)
            return lambda written: None

        answer = self._app.wsgi_app(environ, start)
        text = b"".join(answer).decode()
        getattr(answer, "close", lambda: None)()
        self._cookie = next((value.split(";")[0] for name, value in got if name == "Set-Cookie"), self._cookie)
        return text


@contextmanager
def shop() -> Iterator[Flask]:
    """The app as `make serve` configures it, in an empty folder, with a model that answers at once."""
    with (
        stub_model.beside() as port,
        tempfile.TemporaryDirectory() as folder,
        chdir(folder),
        Path("log").open("w", encoding="utf-8") as log,
    ):
        os.environ |= {
            "OPENAI_BASE_URL": f"http://127.0.0.1:{port}/v1",
            "OPENAI_API_KEY": "stub",
            "SECRET_KEY": "0123456789abcdef0123456789abcdef",
            "RATE_LIMIT_SESSION": "1000000 per minute;1000000 per day",
            "RATE_LIMIT_ADDRESS": "1000000 per minute;1000000 per day",
        }
        search_client_main(["demo"])
        configure_logs(log)
        app = create_app()
        try:
            yield app
        finally:
            found = app.extensions["shopping_assistant"]
            found.agent.close()
            found.conversations.close()


def cpu_ms(calls: Sequence[Callable[[], None]]) -> float:
    """CPU of this whole process for one of the calls, on average."""
    started = time.process_time()
    for call in calls:
        call()
    return (time.process_time() - started) / len(calls) * 1000


def arithmetic() -> None:
    """Work that no change of ours makes faster: what the machine can do just now."""
    for number in range(100_000):
        hash(str(number))


def pages(app: Flask) -> list[Callable[[], None]]:
    """Visits of new shoppers."""
    return [Shopper(app).page for _ in range(SHOPPERS * TURNS)]


def turns(app: Flask) -> list[Callable[[], None]]:
    """Three turns each of shoppers who have opened the page."""
    shoppers = [Shopper(app) for _ in range(SHOPPERS)]
    for shopper in shoppers:
        shopper.page()
    return [shopper.turn for shopper in shoppers for _ in range(TURNS)]


def main() -> int:
    """Print the best round of each, since neighbours only ever add, and where the time goes."""
    with shop() as app:
        cpu_ms([*turns(app), *pages(app)])  # first calls compile templates and statements
        yardstick = min(cpu_ms([arithmetic] * 5) for _ in range(ROUNDS))
        page = min(cpu_ms(pages(app)) for _ in range(ROUNDS))
        turn = min(cpu_ms(turns(app)) for _ in range(ROUNDS))
        print(f"CPU ms: new page {page:.2f}, streamed turn {turn:.2f}, yardstick {yardstick:.1f}")
        print_phases("new page", pages(app))
        print_phases("streamed turn", turns(app))
    return 0


def print_phases(name: str, calls: Sequence[Callable[[], None]]) -> None:
    """Where the time goes; watching adds a little."""
    phases = Phases()
    with watched(phases) as counted:
        whole = cpu_ms(calls)
    each = {phase: ms / len(calls) for phase, ms in phases.ms.items()}
    each[REST] = whole - sum(each.values())
    spent = ", ".join(f"{number / len(calls):.1f} {what}" for what, number in sorted(counted.items()))
    print(f"\n{name}: {whole:.2f} ms while watched, {spent}")
    for phase, ms in sorted(each.items(), key=lambda item: -item[1]):
        print(f"  {phase:<44}{ms:>7.2f}{ms / whole:>7.0%}")


if __name__ == "__main__":
    raise SystemExit(main())
