"""Two servers behind the README's nginx, one PostgreSQL, one Redis: a chat hops between them and survives one."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.postgres import postgres_schema
from tests.server import ROOT, Browser, free_port, gunicorn

REDIS_URL = "redis://127.0.0.1:6379/13"


def missing(what: str) -> None:
    """Skip with a reason, or fail where nothing may be skipped."""
    if os.environ.get("CHECK_ALL"):
        pytest.fail(what)
    pytest.skip(what)


@contextmanager
def nginx(folder: Path, *, ports: tuple[int, int]) -> Iterator[int]:
    """The port of an nginx that runs the README's snippet before servers on `ports`."""
    port = free_port()
    snippet = re.findall(r"```nginx\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)[0]
    for documented, real in (("5001", ports[0]), ("5002", ports[1]), ("8080", port)):
        assert documented in snippet
        snippet = snippet.replace(documented, str(real))
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = folder / "nginx.conf"
    config.write_text(f"pid {folder}/nginx.pid; events {{}} http {{ access_log off; {places} {snippet} }}")
    command = ["nginx", "-p", str(folder), "-c", str(config), "-e", str(folder / "error.log"), "-g", "daemon off;"]
    with subprocess.Popen(command) as server:
        try:
            for _ in range(3_000):
                assert server.poll() is None, (folder / "error.log").read_text()
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            yield port
        finally:
            server.terminate()


def say_again_if_cut(shopper: Browser, message: str, conversation: str) -> str:
    """What a shopper does whose request met the machine as it died."""
    try:
        return shopper.say(message, conversation=conversation)
    except urllib.error.HTTPError as error:
        assert error.code == 502
        return shopper.say(message, conversation=conversation)


@pytest.mark.postgres
@pytest.mark.redis
def test_a_chat_hops_between_two_machines_and_survives_the_loss_of_one(tmp_path: Path) -> None:
    if shutil.which("nginx") is None:
        missing("there is no nginx")
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", 6379)) != 0:
            missing("Redis does not answer on 127.0.0.1:6379")
    with postgres_schema() as url:
        demo = [sys.executable, "-m", "search_client", "demo", "--catalog", url]
        subprocess.run(demo, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True)
        ports, settings = (free_port(), free_port()), {"DATABASE_URL": url, "CATALOG_URL": url, "REDIS_URL": REDIS_URL}
        homes = [tmp_path / "one", tmp_path / "two"]
        for home in homes:
            home.mkdir()
        settings |= {
            "WEB_WORKERS": "1",
            "PROXY_HOPS": "1",
            "RATE_LIMIT_ADDRESS": "100000 per minute",
        }  # one Redis for all runs
        with (
            gunicorn(homes[0], port=ports[0], **settings) as first,
            gunicorn(homes[1], port=ports[1], **settings),
            nginx(tmp_path, ports=ports) as port,
        ):
            shopper = Browser(f"http://127.0.0.1:{port}")
            stream = shopper.say("running shoes", accept="text/event-stream")
            finished = json.loads(re.findall(r"event: turn_finished\ndata: (.*)", stream)[0])
            wishes = ["only in black", "cheaper ones", "show me the second one"]
            for wish in wishes:
                shopper.say(wish, conversation=finished["conversation"])
            os.killpg(first.pid, signal.SIGKILL)
            after = [say_again_if_cut(shopper, f"a lamp {number}", finished["conversation"]) for number in range(2)]
            for wish in ("running shoes", *wishes, "a lamp 0", "a lamp 1"):
                assert f"</span>{wish}</h2>" in after[-1]
            assert 'data-status="failed"' not in after[-1]
