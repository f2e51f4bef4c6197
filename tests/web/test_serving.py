"""The production server as an operator starts it: two processes, one database, streams that end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server import CONFIG, ROOT, Browser, free_port, gunicorn, server_environ


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("serving")
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-m", "search_client", "demo"], cwd=made, env=environ, check=True)
    return made


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
