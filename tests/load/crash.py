"""`python -m tests.load.crash --kills 300`: kill the server at random moments; no acknowledged message may be lost.

Shoppers talk all the time. A message counts as acknowledged when its stream has begun. After the last restart every
conversation is read: each acknowledged message stands in it once, in order, and each cut turn can be tried again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from tests.postgres import postgres_schema
from tests.server import ROOT, Browser, free_port, gunicorn

_URL = re.compile(r'"url": ?"(/c/[0-9a-f]+)"')
_TURN = re.compile(r'<div class="turn" id="t-\w+" data-status="(\w+)".*?</span>([^<]*)</h2>', re.DOTALL)
UNLIMITED = {"RATE_LIMIT_SESSION": "1000000 per minute", "RATE_LIMIT_ADDRESS": "1000000 per minute", "WEB_WORKERS": "2"}


@dataclass(slots=True)
class Talker:
    """One shopper who never stops."""

    browser: Browser
    number: int
    stop: threading.Event
    conversation: str = ""
    acknowledged: list[str] = field(default_factory=list)

    def talk(self) -> None:
        """Say one thing after another; a dead server is waited for."""
        count = 0
        while not self.stop.is_set():
            count += 1
            message = f"shopper {self.number} wants lamp number {count}"
            try:
                self._say(message)
            except (OSError, urllib.error.HTTPError, AssertionError):
                time.sleep(0.05)

    def _say(self, message: str) -> None:
        with self.browser.open_stream(message, conversation=self.conversation) as stream:
            for line in stream:
                text = line.decode()
                if text.startswith("data:") and message not in self.acknowledged:
                    self.acknowledged.append(message)
                found = _URL.search(text)
                if found and not self.conversation:
                    self.conversation = found[1].removeprefix("/c/")


def run(*, kills: int, shoppers: int, seed: int, database_url: str | None) -> int:
    """Kill and restart; 1 if anything was lost or doubled."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder, port, stop = Path(name), free_port(), threading.Event()
        environ = os.environ | {"PYTHONPATH": str(ROOT)}
        subprocess.run([sys.executable, "-m", "search_client", "demo"], cwd=folder, env=environ, check=True)
        settings = UNLIMITED | ({"DATABASE_URL": database_url} if database_url else {})
        talkers = [Talker(Browser(f"http://127.0.0.1:{port}"), number, stop) for number in range(shoppers)]
        threads = [threading.Thread(target=talker.talk, daemon=True) for talker in talkers]
        started = time.monotonic()
        for kill in range(kills):
            with gunicorn(folder, port=port, **settings) as server:
                if kill == 0:
                    for thread in threads:
                        thread.start()
                time.sleep(chance.uniform(0.0, 1.2))
                os.killpg(server.pid, signal.SIGKILL)
        with gunicorn(folder, port=port, **settings):
            time.sleep(1.0)
            stop.set()
            for thread in threads:
                thread.join(60)
            return _judge(talkers, kills=kills, seconds=time.monotonic() - started)


def _judge(talkers: list[Talker], *, kills: int, seconds: float) -> int:
    lost = doubled = disordered = cut = stuck = retried = 0
    for talker in talkers:
        page = talker.browser.get(f"/c/{talker.conversation}?all=1") if talker.conversation else ""
        turns = _TURN.findall(page)
        said = [message for _, message in turns]
        lost += sum(message not in said for message in talker.acknowledged)
        doubled += len(said) - len(set(said))
        numbers = [int(message.rsplit(" ", 1)[1]) for message in said]
        disordered += numbers != sorted(numbers)
        cut += sum(status == "failed" for status, _ in turns)
        stuck += sum(status == "running" for status, _ in turns)
        retried += talker.browser.retry_last(f"/c/{talker.conversation}") if talker.conversation else 0
    acknowledged = sum(len(talker.acknowledged) for talker in talkers)
    report = {
        "kills": kills,
        "seconds": round(seconds),
        "acknowledged": acknowledged,
        "lost": lost,
        "doubled": doubled,
        "conversations_out_of_order": disordered,
        "still_running": stuck,
        "cut_turns": cut,
        "retried": retried,
    }
    sys.stdout.write(json.dumps(report) + "\n")
    return 1 if lost or doubled or disordered or stuck or not acknowledged else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.crash", description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--shoppers", type=int, default=6)
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--postgres", action="store_true", help="conversations in PostgreSQL instead of SQLite")
    options = parser.parse_args()
    with postgres_schema() if options.postgres else nullcontext(None) as url:
        return run(kills=options.kills, shoppers=options.shoppers, seed=options.seed, database_url=url)


if __name__ == "__main__":
    raise SystemExit(main())
