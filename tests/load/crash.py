"""`python -m tests.load.crash --kills 300`: kill the server at random moments; no acknowledged message may be lost.

Shoppers talk all the time; a cut turn is looked up and tried again as a browser would. Every other kill ends the whole
server, the rest one of its worker processes. In the end the database is read: what was said stands there once and in
order.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.load.shop import UNLIMITED, kept_turns, stock
from tests.load.talker import Talker, turns_of
from tests.load.warm_server import WarmServers, warm_servers
from tests.postgres import postgres_schema
from tests.server import Browser, free_port, is_listening, wait_until_ready

LONGEST_PAUSE_S = 0.4


@dataclass(frozen=True, slots=True)
class Report:
    """What the kills did. Only the first five figures may be above zero."""

    server_kills: int
    worker_kills: int
    acknowledged: int
    cut: int
    retried: int
    lost: int
    not_retryable: int
    errors: int
    unfinished: int
    disordered_conversations: int
    strange_conversations: int
    broken_pages: int

    @property
    def is_clean(self) -> bool:
        """Whether something was said and nothing went wrong."""
        wrong = (self.lost, self.not_retryable, self.errors, self.unfinished, self.broken_pages)
        return bool(self.acknowledged) and not any((*wrong, self.disordered_conversations, self.strange_conversations))


class Victim:
    """The server that is killed and started anew."""

    def __init__(self, servers: WarmServers, *, port: int, log: Path) -> None:
        self._servers = servers
        self._port = port
        self._log = log
        self.server_kills = 0
        self.worker_kills = 0
        self._pid = 0

    def start(self) -> None:
        """Returns when it answers."""
        self._pid = self._servers.start()
        proc = Path(f"/proc/{self._pid}")
        wait_until_ready(self._port, proc.exists, log=self._log, pause_s=0.02)

    def kill_worker(self, chance: random.Random) -> None:
        """End one process that answers; the server replaces it."""
        workers = Path(f"/proc/{self._pid}/task/{self._pid}/children").read_text().split()
        if workers:
            os.kill(int(chance.choice(workers)), signal.SIGKILL)
            self.worker_kills += 1

    def kill(self) -> None:
        """End all its processes; returns when nobody listens any more."""
        os.killpg(self._pid, signal.SIGKILL)
        self.server_kills += 1
        while is_listening(self._port):
            time.sleep(0.01)


def run(*, kills: int, shoppers: int, seed: int, database_url: str | None) -> Report:
    """Kill and restart that often, and read what is left."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder, port, stop = Path(name), free_port(), threading.Event()
        url = database_url or f"sqlite:///{folder}/conversations.sqlite"
        stock(folder)
        talkers = [Talker(Browser(f"http://127.0.0.1:{port}"), number, stop) for number in range(shoppers)]
        with warm_servers(folder, port=port, DATABASE_URL=url, **UNLIMITED) as servers:
            victim = Victim(servers, port=port, log=folder / "server.log")
            victim.start()
            for talker in talkers:
                talker.say_next()
            with _talking(talkers, stop):
                for _ in range(kills):
                    _wait_for_words(talkers)
                    time.sleep(chance.uniform(0.0, LONGEST_PAUSE_S))
                    if chance.random() < 0.5:
                        victim.kill_worker(chance)
                        continue
                    victim.kill()
                    victim.start()
            report = _judge(talkers, url, victim)
            victim.kill()
        return report


def _wait_for_words(talkers: list[Talker]) -> None:
    """Until a message more is acknowledged or a cut one answered: each kill meets a server at work."""
    until, before = time.monotonic() + 300, sum(talker.tally.progress for talker in talkers)
    while sum(talker.tally.progress for talker in talkers) == before and time.monotonic() < until:
        time.sleep(0.01)


@contextmanager
def _talking(talkers: list[Talker], stop: threading.Event) -> Iterator[None]:
    """All shoppers talk; in the end each gets the answer to the last message."""
    threads = [threading.Thread(target=talker.talk, daemon=True) for talker in talkers]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join(300)


def _judge(talkers: list[Talker], url: str, victim: Victim) -> Report:
    said = {chat: messages for talker in talkers for chat, messages in talker.chats.items()}
    kept = kept_turns(url)
    numbered = {chat: [(number, message) for number, message, _ in turns] for chat, turns in kept.items()}
    pages = [(t.browser.get(f"/c/{chat}?all=1"), messages) for t in talkers for chat, messages in t.chats.items()]
    tallies = [talker.tally for talker in talkers]
    for line in (line for tally in tallies for line in (*tally.lost, *tally.not_retryable, *tally.errors)):
        sys.stderr.write(f"{line}\n")
    return Report(
        server_kills=victim.server_kills,
        worker_kills=victim.worker_kills,
        acknowledged=sum(tally.acknowledged for tally in tallies),
        cut=sum(tally.cut for tally in tallies),
        retried=sum(tally.retried for tally in tallies),
        lost=sum(len(tally.lost) for tally in tallies),
        not_retryable=sum(len(tally.not_retryable) for tally in tallies),
        errors=sum(len(tally.errors) for tally in tallies),
        unfinished=sum(status != "answered" for chat in kept.values() for _, _, status in chat),
        disordered_conversations=sum(numbered.get(chat) != list(enumerate(said[chat], 1)) for chat in said),
        strange_conversations=len(kept.keys() - said.keys()),
        broken_pages=sum([text for _, text in turns_of(page)] != messages for page, messages in pages),
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.crash", description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--shoppers", type=int, default=6)
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--postgres", action="store_true", help="conversations in PostgreSQL instead of SQLite")
    options = parser.parse_args()
    began = time.monotonic()
    with postgres_schema() if options.postgres else nullcontext(None) as url:
        report = run(kills=options.kills, shoppers=options.shoppers, seed=options.seed, database_url=url)
    sys.stdout.write(json.dumps(asdict(report) | {"seconds": round(time.monotonic() - began)}) + "\n")
    return 0 if report.is_clean else 1


if __name__ == "__main__":
    raise SystemExit(main())
