"""`python -m tests.load.tabs`: 32 tabs of one shopper at the same instant, and 50 shoppers of 20 turns each.

The production server with two processes answers, while its catalog is imported anew. Nothing may be lost, doubled or
out of order, and no shopper may see what another one said.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import threading
import time
import urllib.error
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.load.shop import UNLIMITED, kept_turns, stock
from tests.postgres import postgres_schema
from tests.server import Browser, free_port, gunicorn

TAB_TURNS = 2
_CONVERSATION = re.compile(r'"conversation": ?"(\w+)"')
_MARKER = re.compile(r"marker(\d+)x")


@dataclass(slots=True)
class Report:
    """What was said, and what went wrong."""

    messages: int = 0
    lost: int = 0
    doubled: int = 0
    unanswered: int = 0
    out_of_order: int = 0
    strange_markers: int = 0
    errors: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether nothing did."""
        wrong = (self.lost, self.doubled, self.unanswered, self.out_of_order, self.strange_markers, len(self.errors))
        return self.messages > 0 and not any(wrong)


def _say(browser: Browser, message: str, *, conversation: str, report: Report) -> tuple[str, str]:
    """The whole stream, and the conversation it tells."""
    try:
        with browser.open_stream(message, conversation=conversation) as stream:
            told = stream.read().decode()
    except OSError as error:
        if isinstance(error, urllib.error.HTTPError) and error.code == 409:  # others were first for half a minute
            return _say(browser, message, conversation=conversation, report=report)
        report.errors.append(f"{message}: {error}")
        return "", conversation
    found = _CONVERSATION.search(told)
    if "event: turn_finished" not in told or found is None:
        report.errors.append(f"{message}: {told[-200:]}")
    return told, found[1] if found else conversation


def _open_tabs(base: str, tabs: int, report: Report) -> str:
    """All tabs speak in one conversation at once; gives its id."""
    first = Browser(base)
    _, conversation = _say(first, "lamp first", conversation="", report=report)
    start = threading.Barrier(tabs)

    def talk(number: int) -> None:
        tab = first.tab()
        start.wait(300)
        for turn in range(TAB_TURNS):
            _say(tab, f"lamp tab{number} {turn}", conversation=conversation, report=report)

    with ThreadPoolExecutor(tabs) as pool:
        list(pool.map(talk, range(tabs)))
    return conversation


def _shop(base: str, number: int, turns: int, report: Report) -> None:
    """One shopper says and sees their own marker only."""
    browser, conversation, seen = Browser(base), "", ""
    for turn in range(turns):
        told, conversation = _say(browser, f"lamp marker{number}x{turn}", conversation=conversation, report=report)
        seen += told
    seen += browser.get(f"/c/{conversation}") + browser.get("/conversations") + browser.get("/")
    report.strange_markers += len(set(_MARKER.findall(seen)) - {str(number)})


def run(*, tabs: int, shoppers: int, turns: int, database_url: str | None) -> Report:
    """All of it, and what the database kept."""
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        url = database_url or f"sqlite:///{folder}/conversations.sqlite"
        stock(folder)
        with gunicorn(folder, port=port, DATABASE_URL=url, **UNLIMITED | {"WEB_THREADS": "64"}):
            base = f"http://127.0.0.1:{port}"
            conversation = _open_tabs(base, tabs, report)
            with ThreadPoolExecutor(shoppers + 1) as pool:
                importing = pool.submit(stock, folder, cents=49)
                list(pool.map(lambda number: _shop(base, number, turns, report), range(shoppers)))
                importing.result()
        _judge(kept_turns(url), conversation, tabs=tabs, shoppers=shoppers, turns=turns, report=report)
    return report


def _judge(
    kept: dict[str, list[tuple[int, str, str]]],
    conversation: str,
    *,
    tabs: int,
    shoppers: int,
    turns: int,
    report: Report,
) -> None:
    said = [[f"lamp marker{number}x{turn}" for turn in range(turns)] for number in range(shoppers)]
    in_tabs = [[f"lamp tab{number} {turn}" for turn in range(TAB_TURNS)] for number in range(tabs)]
    everything = Counter(message for _, message, _ in (turn for chat in kept.values() for turn in chat))
    expected = {"lamp first", *(message for messages in (*said, *in_tabs) for message in messages)}
    report.messages = len(expected)
    report.lost = len(expected - everything.keys())
    report.doubled = sum(everything.values()) - len(everything)
    report.unanswered = sum(status != "answered" for chat in kept.values() for _, _, status in chat)
    chats = [[message for _, message, _ in chat] for chat in kept.values()]
    report.out_of_order = sum(messages not in chats for messages in said)
    together = [message for _, message, _ in kept.get(conversation, [])]
    report.out_of_order += sum([m for m in together if m in messages] != messages for messages in in_tabs)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.tabs", description=__doc__)
    parser.add_argument("--tabs", type=int, default=32)
    parser.add_argument("--shoppers", type=int, default=50)
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--postgres", action="store_true", help="conversations in PostgreSQL instead of SQLite")
    options = parser.parse_args()
    began = time.monotonic()
    with postgres_schema() if options.postgres else nullcontext(None) as url:
        report = run(tabs=options.tabs, shoppers=options.shoppers, turns=options.turns, database_url=url)
    sys.stdout.write(json.dumps(asdict(report) | {"seconds": round(time.monotonic() - began)}) + "\n")
    return 0 if report.is_clean else 1


if __name__ == "__main__":
    raise SystemExit(main())
