"""The production server and script-less shoppers, for tests and load: everything on the loopback."""

from __future__ import annotations

import http.client
import http.cookiejar
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
CONFIG = ROOT / "web" / "gunicorn_conf.py"
KEY = "0123456789abcdef0123456789abcdef"


class Browser:
    """Cookies and forms, no script."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._jar = http.cookiejar.CookieJar()
        self._token = ""
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))

    def tab(self) -> Browser:
        """A further tab, to be used at the same time: the same cookies."""
        tab = Browser(self.base)
        for cookie in self._jar:
            tab._jar.set_cookie(cookie)
        tab._token = self.token()
        return tab

    def get(self, path: str, *, accept: str = "text/html") -> str:
        with self._opener.open(
            urllib.request.Request(self.base + path, headers={"Accept": accept}), timeout=300
        ) as answer:
            return str(answer.read().decode())

    def say(self, message: str, *, accept: str = "text/html", conversation: str = "") -> str:
        """Send a message and read the whole answer."""
        with self._post("/chat", accept=accept, message=message, conversation=conversation) as answer:
            return str(answer.read().decode())

    def open_stream(self, message: str, *, conversation: str = "", key: str = "") -> http.client.HTTPResponse:
        """Send a message as the script does; the caller reads and closes."""
        fields = {"message": message, "conversation": conversation, "key": key}
        return self._post("/chat", accept="text/event-stream", **fields)

    def retry(self, page: str, *, conversation: str) -> str:
        """Press “try again” under the last turn of a page: the page that follows, empty where there was no button."""
        form = re.search(r'name="replaces" value="(\w+)">\s*<input type="hidden" name="message" value="([^"]*)"', page)
        if form is None:
            return ""
        fields = {"message": form[2], "conversation": conversation, "replaces": form[1]}
        with self._post("/chat", accept="text/html", **fields) as answer:
            return str(answer.read().decode())

    def _post(self, path: str, *, accept: str, **fields: str) -> http.client.HTTPResponse:
        data = fields | {"csrf_token": self.token()}
        body = urllib.parse.urlencode(data).encode()
        request = urllib.request.Request(self.base + path, body, headers={"Accept": accept})
        answer = self._opener.open(request, timeout=300)
        assert isinstance(answer, http.client.HTTPResponse)
        return answer

    def token(self) -> str:
        """The token that this browser's forms carry."""
        if not self._token:
            found = re.search(r'name="csrf_token" value="([^"]+)"', self.get("/"))
            assert found
            self._token = found[1]
        return self._token


_PORTS = range(20_000, 30_000)  # below those that the kernel hands out to whoever asks for any
_claims: list[socket.socket] = []


def free_port() -> int:
    """A port for a server that is started later: no other test gets it, in no process that asks here."""
    for port in random.SystemRandom().sample(_PORTS, len(_PORTS)):
        claim = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            claim.bind(("127.0.0.1", port))  # over UDP, so that the server itself finds it free
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            claim.close()
            continue
        _claims.append(claim)
        return port
    raise AssertionError("every port is taken")


def is_listening(port: int) -> bool:
    """Whether a connection would be taken."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def server_environ(folder: Path, *, port: int, **environ: str) -> dict[str, str]:
    """What a server that lives in `folder` and listens on `port` is told; a killed one leaves nothing elsewhere."""
    ours = {"PYTHONPATH": str(ROOT), "BIND": f"127.0.0.1:{port}", "SECRET_KEY": KEY, "WEB_THREADS": "8"}
    return os.environ | ours | {"TMPDIR": str(folder)} | environ


@contextmanager
def gunicorn(folder: Path, *, port: int, **environ: str) -> Iterator[subprocess.Popen[bytes]]:
    """The server as `make serve` runs it, ready to answer; killed at the end if it still runs."""
    log = (folder / f"server-{port}.log").open("wb")
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "-c", str(CONFIG), "web.app:create_app()"],
        cwd=folder,
        env=server_environ(folder, port=port, **environ),
        stdout=log,
        stderr=log,
        start_new_session=True,
    )
    try:
        wait_until_ready(port, lambda: server.poll() is None, log=folder / f"server-{port}.log")
        yield server
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGKILL)
        server.wait(300)
        log.close()


def wait_until_ready(port: int, lives: Callable[[], bool], *, log: Path, pause_s: float = 0.1) -> None:
    """Until the server answers; shows its log where it ends before, or does not answer within minutes."""
    until = time.monotonic() + 300
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=60):
                return
        except OSError:
            assert lives(), log.read_text()
            time.sleep(pause_s)
    raise AssertionError(log.read_text())
