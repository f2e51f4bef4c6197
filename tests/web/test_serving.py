"""The production server as an operator starts it: two processes, one database, streams that end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from shopping_agent.testing import Answer, Fault, StubOpenAI, chooses
from tests.server import CONFIG, ROOT, Browser, free_port, gunicorn, server_environ
from web.store.engine import open_engine, reading
from web.store.schema import turns


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("serving")
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-m", "search_client", "demo"], cwd=made, env=environ, check=True)
    return made


def statuses(folder: Path) -> dict[str, str]:
    """What became of each message, as the database tells."""
    engine = open_engine(f"sqlite:///{folder}/var/conversations.sqlite")
    with reading(engine) as db:
        kept = {row.message: row.status for row in db.execute(select(turns.c.message, turns.c.status))}
    engine.dispose()
    return kept


def test_every_process_knows_the_shopper_and_a_restart_forgets_nothing(folder: Path) -> None:
    port = free_port()
    with gunicorn(folder, port=port) as server:
        shopper = Browser(f"http://127.0.0.1:{port}")
        stream = shopper.say("running shoes", accept="text/event-stream")
        finished = json.loads(re.findall(r"event: turn_finished\ndata: (.*)", stream)[0])
        for _ in range(8):
            assert "running shoes" in shopper.get(finished["url"])
        server.send_signal(signal.SIGTERM)
        assert server.wait(300) == 0
    with gunicorn(folder, port=port):
        assert "running shoes" in shopper.get(finished["url"])
        assert "running shoes" in shopper.say("the cheapest one", conversation=finished["conversation"])


def test_figures_of_all_processes_add_up(folder: Path) -> None:
    port = free_port()
    with gunicorn(folder, port=port):
        for _ in range(6):
            Browser(f"http://127.0.0.1:{port}").say("a lamp")
        text = Browser(f"http://127.0.0.1:{port}").get("/metrics")
    counts = [float(n) for n in re.findall(r'shop_turns_total\{action="search",.*outcome="answered".*\} (\S+)', text)]
    assert sum(counts) == 6


class SlowModel:
    """A model service that answers when told, and what is said of mugs later than the rest."""

    def __init__(self) -> None:
        self.asked, self.go_on, self.tell_of_mugs = threading.Semaphore(0), threading.Event(), threading.Event()

    def answer(self, request: dict[str, Any]) -> Answer | Fault:
        self.asked.release()
        assert (self.tell_of_mugs if "mug" in request["messages"][-1]["content"] else self.go_on).wait(300)
        step = chooses(kind="search", keywords=["lamp"])
        assert callable(step)
        return step(request)

    @contextmanager
    def serve(self) -> Iterator[dict[str, str]]:
        """The settings of a server that asks it."""
        with StubOpenAI([self.answer], repeat=True).serve() as url:
            yield {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "stub", "TURN_TIMEOUT_S": "300"}
            self.go_on.set()
            self.tell_of_mugs.set()

    def wait_for(self, turns: int) -> None:
        """Until so many turns wait for its answer."""
        assert all(self.asked.acquire(timeout=300) for _ in range(turns))


def test_slow_answers_hold_up_no_page_and_each_of_them_comes(folder: Path) -> None:
    model, port = SlowModel(), free_port()
    with model.serve() as settings, gunicorn(folder, port=port, WEB_WORKERS="1", WEB_THREADS="12", **settings):
        shoppers = [Browser(f"http://127.0.0.1:{port}") for _ in range(8)]
        with ThreadPoolExecutor(8) as pool:
            answers = [pool.submit(each.say, "a lamp", accept="text/event-stream") for each in shoppers]
            model.wait_for(8)
            visitor = Browser(f"http://127.0.0.1:{port}")
            assert "composer" in visitor.get("/") and "ok" in visitor.get("/healthz")
            model.go_on.set()
            assert all("event: turn_finished" in answer.result() for answer in answers)


def test_a_server_that_is_told_to_stop_finishes_every_turn_also_those_whose_reader_has_left(folder: Path) -> None:
    model, port = SlowModel(), free_port()
    with model.serve() as settings, gunicorn(folder, port=port, WEB_WORKERS="1", **settings) as server:
        stays, leaves = (Browser(f"http://127.0.0.1:{port}") for _ in range(2))
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(stays.say, "a lamp to stay", accept="text/event-stream")
            leaves.open_stream("a mug to leave").close()
            model.wait_for(2)
            server.send_signal(signal.SIGTERM)
            while "Handling signal: term" not in (folder / f"server-{port}.log").read_text():
                time.sleep(0.02)
            model.go_on.set()
            assert "event: turn_finished" in answer.result()
        model.tell_of_mugs.set()
        assert server.wait(300) == 0
    kept = statuses(folder)
    assert (kept["a lamp to stay"], kept["a mug to leave"]) == ("answered", "answered")


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY is not set"),
        ({"WEB_WORKERS": "x"}, "WEB_WORKERS 'x'"),
        ({"WEB_THREADS": "0"}, "WEB_THREADS '0'"),
        ({"HISTORY_TOKENS": "x"}, "HISTORY_TOKENS 'x'"),
        ({"CATALOG_URL": "shop"}, "CATALOG_URL 'shop'"),
    ],
)
def test_what_is_set_wrongly_is_said_once_and_the_public_is_not_served(
    folder: Path, environ: dict[str, str], told: str
) -> None:
    done = serve_in_vain(folder, **environ)
    assert done.returncode == 2
    assert told in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "url", ["sqlite:////proc/nowhere/c.sqlite", "postgresql://nobody@127.0.0.1:1/none"], ids=["no folder", "no server"]
)
def test_a_database_that_cannot_be_reached_is_said_once_and_nothing_listens(folder: Path, url: str) -> None:
    done = serve_in_vain(folder, DATABASE_URL=url)
    assert done.returncode == 2
    assert len(re.findall("cannot be made|does not answer", done.stderr)) == 1
    assert "Traceback" not in done.stderr and "Listening" not in done.stderr


def serve_in_vain(folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """A server that is told something that cannot work."""
    command = [sys.executable, "-m", "gunicorn", "-c", str(CONFIG), "web.app:create_app()"]
    environ = server_environ(folder, port=free_port(), **environ)
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, timeout=300, check=False)
