"""The production server and script-less shoppers, for tests and load: everything on the loopback."""

from __future__ import annotations

import http.client
import http.cookiejar
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

ROOT = Path(__file__).parent.parent
KEY = "0123456789abcdef0123456789abcdef"


class Browser:
    """Cookies and forms, no script."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._jar = http.cookiejar.CookieJar()
        self._token = ""
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))

    def get(self, path: str, *, accept: str = "text/html") -> str:
        with self._opener.open(
            urllib.request.Request(self.base + path, headers={"Accept": accept}), timeout=60
        ) as answer:
            return str(answer.read().decode())

    def say(self, message: str, *, accept: str = "text/html", conversation: str = "") -> str:
        """Send a message and read the whole answer."""
        with self._post("/chat", accept=accept, message=message, conversation=conversation) as answer:
            return str(answer.read().decode())

    def open_stream(self, message: str, *, conversation: str = "") -> http.client.HTTPResponse:
        """Send a message as the script does; the caller reads and closes."""
        return self._post("/chat", accept="text/event-stream", message=message, conversation=conversation)

    def retry_last(self, path: str) -> int:
        """Press “try again” on a conversation's last turn; 1 if there was such a button, 0 if there was none."""
        form = re.search(
            r'name="replaces" value="(\w+)">\s*<input type="hidden" name="message" value="([^"]*)"', self.get(path)
        )
        if form is None:
            return 0
        conversation = path.rsplit("/", 1)[1].split("?")[0]
        fields = {"message": form[2], "conversation": conversation, "replaces": form[1]}
        with self._post("/chat", accept="text/html", **fields) as answer:
            assert 'data-status="failed"' not in answer.read().decode().rpartition('class="turn"')[2]
        return 1

    def _post(self, path: str, *, accept: str, **fields: str) -> http.client.HTTPResponse:
        data = fields | {"csrf_token": self.token()}
        body = urllib.parse.urlencode(data).encode()
        request = urllib.request.Request(self.base + path, body, headers={"Accept": accept})
        answer = self._opener.open(request, timeout=60)
        assert isinstance(answer, http.client.HTTPResponse)
        return answer

    def token(self) -> str:
        """The token that this browser's forms carry."""
        if not self._token:
            found = re.search(r'name="csrf_token" value="([^"]+)"', self.get("/"))
            assert found
            self._token = found[1]
        return self._token


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
