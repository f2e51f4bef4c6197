"""`python -m tests.load.warm_server`: starts a production server within tenths of a second for each line it reads.

What comes back is the number of the new server's process. It is the real server with the environment of this process,
forked from one that has imported it already: starting Python anew takes longer than all else about a kill.
"""

from __future__ import annotations

import argparse
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.server import CONFIG, server_environ


class WarmServers:
    """Starts servers in one folder, one after another, on one port."""

    def __init__(self, starter: subprocess.Popen[str]) -> None:
        self._starter = starter

    def start(self) -> int:
        """The process id of a new server, which leads a process group of its own."""
        assert self._starter.stdin and self._starter.stdout
        self._starter.stdin.write("\n")
        self._starter.stdin.flush()
        return int(self._starter.stdout.readline())


@contextmanager
def warm_servers(folder: Path, *, port: int, **environ: str) -> Iterator[WarmServers]:
    """Servers that live in `folder`; the last one must be killed by the caller."""
    with (folder / "server.log").open("wb") as log:
        command = [sys.executable, "-m", "tests.load.warm_server"]
        environ = server_environ(folder, port=port, **environ)
        with subprocess.Popen(
            command, cwd=folder, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
        ) as starter:
            yield WarmServers(starter)


def _become_server() -> None:
    """Never returns."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.argv = ["gunicorn", "-c", str(CONFIG), "web.app:create_app()"]
    runpy.run_module("gunicorn", run_name="__main__")


def main() -> int:
    argparse.ArgumentParser(prog="python -m tests.load.warm_server", description=__doc__).parse_args()
    from web.gunicorn_conf import on_starting

    on_starting(None)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    for _ in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _become_server()
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
