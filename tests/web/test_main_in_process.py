"""The commands of `python -m web` without a process of their own."""

from __future__ import annotations

import os
import runpy
import socket
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import web.__main__ as command
from web.store.migrations import STEPS

STRONG = "0123456789abcdef0123456789abcdef"
CONFIG = Path(__file__).parent.parent.parent / "web" / "gunicorn_conf.py"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder of its own; the process's log stays as it is."""
    before = dict(os.environ)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "configure_logs", lambda: None)
    yield
    for name in set(os.environ) - set(before):
        del os.environ[name]


def test_the_schema_is_made_and_nothing_old_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert [command.main(["migrate"]), command.main(["migrate"]), command.main(["purge", "--days", "3"])] == [0, 0, 0]
    told = capsys.readouterr().out
    assert told.startswith(f"{len(STEPS)} steps taken") and "0 steps taken" in told
    assert "Deleted 0 conversations older than 3 days" in told


def test_a_wrong_setting_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("DATABASE_URL", "mysql://x")
    assert command.main(["migrate"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--port", "x"], ["--port", "70000"], ["purge", "--days", "-1"]])
def test_a_number_out_of_range_is_refused(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        command.main(arguments)
    assert raised.value.code == 2


def test_a_taken_port_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert command.main(["--port", str(port)]) == 2
    assert str(port) in capsys.readouterr().err


def test_the_shop_says_where_it_is_and_ends_when_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "make_server", lambda *_, **__: SimpleNamespace(serve_forever=interrupted))
    assert command.main(["--port", "0"]) == 0
    assert "The shop is open at http://127.0.0.1:" in capsys.readouterr().out


def test_the_production_server_is_configured_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", STRONG)
    monkeypatch.setenv("WEB_WORKERS", "3")
    monkeypatch.delenv("PROMETHEUS_MULTIPROC_DIR", raising=False)
    found = runpy.run_path(str(CONFIG))
    assert (found["workers"], found["threads"], found["worker_class"]) == (3, 256, "gthread")
    folder = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
    assert folder.is_dir()
    found["on_starting"](None)
    found["worker_exit"](None, None)
    found["child_exit"](None, SimpleNamespace(pid=1))
    found["on_exit"](None)
    assert not folder.exists()


def test_a_wrong_number_of_processes_is_said_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SECRET_KEY", STRONG)
    monkeypatch.setenv("WEB_WORKERS", "x")
    with pytest.raises(SystemExit) as raised:
        runpy.run_path(str(CONFIG))
    assert raised.value.code == 2
    assert "WEB_WORKERS" in capsys.readouterr().err
