"""Whether the process that answers a turn still lives."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from web.store import runner
from web.store.runner import is_gone, this_runner


def ended_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait(300)
    return process.pid


def test_this_process_lives_and_one_that_ended_does_not() -> None:
    host, _, _ = this_runner().split("/")
    assert not is_gone(this_runner())
    assert is_gone(f"{host}/{ended_process()}/1")


def test_another_process_under_the_same_number_is_another_one() -> None:
    host, pid, _ = this_runner().split("/")
    assert is_gone(f"{host}/{pid}/1")


@pytest.mark.parametrize("name", ["elsewhere/1/1", "nonsense", "", "//"])
def test_what_cannot_be_seen_from_here_is_not_called_gone(name: str) -> None:
    assert not is_gone(name)


def test_without_a_process_file_system_a_living_number_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(runner, "Path", lambda _name: tmp_path / "none")
    host = this_runner().split("/")[0]
    assert this_runner() == f"{host}/{os.getpid()}/0"
    assert not is_gone(this_runner())
    assert is_gone(f"{host}/{ended_process()}/0")
