"""The production server as an operator starts it: two processes, one database, streams that end."""

from __future__ import annotations

import http.cookiejar
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
KEY = "0123456789abcdef0123456789abcdef"


class Browser:
    """Cookies and forms, no script."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))

    def get(self, path: str, *, accept: str = "text/html") -> str:
        with self._opener.open(
            urllib.request.Request(self.base + path, headers={"Accept": accept}), timeout=60
        ) as answer:
            return str(answer.read().decode())

    def say(self, message: str, *, accept: str = "text/html", conversation: str = "") -> str:
        token = re.search(r'name="csrf_token" value="([^"]+)"', self.get("/"))
        assert token
        data = {"message": message, "conversation": conversation, "csrf_token": token[1]}
        request = urllib.request.Request(
            f"{self.base}/chat", urllib.parse.urlencode(data).encode(), headers={"Accept": accept}
        )
        with self._opener.open(request, timeout=60) as answer:
            return str(answer.read().decode())


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def gunicorn(folder: Path, *, port: int, **environ: str) -> Iterator[subprocess.Popen[bytes]]:
    """The server as `make serve` runs it, ready to answer; killed at the end if it still runs."""
    log = (folder / f"server-{port}.log").open("wb")
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "web" / "gunicorn_conf.py"), "web.app:create_app()"],
        cwd=folder,
        env=os.environ
        | {"PYTHONPATH": str(ROOT), "BIND": f"127.0.0.1:{port}", "SECRET_KEY": KEY, "WEB_THREADS": "8"}
        | environ,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )
    try:
        _wait_until_ready(port, server, folder)
        yield server
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGKILL)
        server.wait(30)
        log.close()


def _wait_until_ready(port: int, server: subprocess.Popen[bytes], folder: Path) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5):
                return
        except OSError:
            assert server.poll() is None, (folder / f"server-{port}.log").read_text()
            time.sleep(0.1)
    raise AssertionError((folder / f"server-{port}.log").read_text())


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
        assert server.wait(60) == 0
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


def test_without_a_key_the_public_is_not_served(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gunicorn", "-c", str(ROOT / "web" / "gunicorn_conf.py"), "web.app:create_app()"],
        cwd=folder,
        env={k: v for k, v in os.environ.items() if k != "SECRET_KEY"}
        | {"PYTHONPATH": str(ROOT), "BIND": f"127.0.0.1:{free_port()}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    assert "SECRET_KEY is not set" in done.stderr
