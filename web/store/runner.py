"""Which process answers a turn, and whether it still lives: a cut turn is offered again without waiting."""

from __future__ import annotations

import functools
import os
import socket
from pathlib import Path


def this_runner() -> str:
    """`host/pid/start`, where start tells a process from a later one with the same number."""
    return f"{_host()}/{os.getpid()}/{_started(os.getpid())}"


def is_gone(runner: str) -> bool:
    """Whether that process surely does not run any more; False for other machines, which nobody here can see."""
    host, _, process = runner.partition("/")
    pid, _, started = process.partition("/")
    if host != _host() or not pid.isdecimal():
        return False
    now = _started(int(pid))
    return now is None or now != started


@functools.cache
def _host() -> str:
    return socket.gethostname()[:80].replace("/", "-")


def _started(pid: int) -> str | None:
    """Start time of a process in clock ticks since boot (field 22 of proc(5) stat); None where there is no such one."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return _without_proc(pid)
    return stat.rpartition(")")[2].split()[19]


def _without_proc(pid: int) -> str | None:
    """On systems without /proc a living number is all that can be known."""
    if Path("/proc/self").exists():
        return None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return "0"
