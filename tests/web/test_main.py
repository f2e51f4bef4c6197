"""What the command line does, and how it says no."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from web.__main__ import main
from web.errors import WebSettingsError
from web.retention import EVERY_S, Retention
from web.secret import development_secret, secret_keys
from web.settings import web_settings_from_env
from web.store.migrations import STEPS

ROOT = Path(__file__).parent.parent.parent
STRONG = "0123456789abcdef0123456789abcdef"


def run(tmp_path: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "web", *arguments],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environ,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_a_database_of_another_kind_is_refused_in_one_line(tmp_path: Path) -> None:
    done = run(tmp_path, "migrate", DATABASE_URL="mysql://x")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "mysql://x" in done.stderr


def test_the_schema_is_brought_up_to_date_once(tmp_path: Path) -> None:
    assert run(tmp_path, "migrate").stdout.startswith(f"{len(STEPS)} steps taken")
    assert run(tmp_path, "migrate").stdout.startswith("0 steps taken")
    assert run(tmp_path, "purge", "--days", "1").stdout.startswith("Deleted 0 conversations older than 1 days")


@pytest.mark.parametrize(
    "arguments", [("purge", "--days", "-3"), ("purge", "--days", "x"), ("--port", "99999"), ("--port", "-1")]
)
def test_a_number_out_of_bounds_is_refused_before_anything_is_done(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert ended.value.code == 2
    assert repr(arguments[-1]) in capsys.readouterr().err


def test_a_taken_port_is_told_with_another(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "search_client", "demo"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=True,
    )
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run(tmp_path, "--port", str(port))
    assert done.returncode == 2
    assert str(port) in done.stderr and f"PORT={port + 1}" in done.stderr and "Traceback" not in done.stderr


def test_the_shop_opens_says_where_and_stops_when_told(tmp_path: Path) -> None:
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-m", "search_client", "demo"], cwd=tmp_path, env=environ, check=True)
    with subprocess.Popen(
        [sys.executable, "-m", "web", "--port", "0"], cwd=tmp_path, env=environ, stdout=subprocess.PIPE, text=True
    ) as shop:
        assert shop.stdout is not None
        assert re.fullmatch(r"The shop is open at http://127\.0\.0\.1:\d+\n", shop.stdout.readline())
        shop.send_signal(signal.SIGINT)
        assert shop.wait(300) == 0


def test_production_needs_a_key_that_cannot_be_guessed(tmp_path: Path) -> None:
    with pytest.raises(WebSettingsError, match="SECRET_KEY is not set"):
        web_settings_from_env({"PRODUCTION": "1"})
    for weak in (
        "short",
        "a" * 64,
        "change-me-change-me-change-me-change-me",
        "my-secret-key-for-production-my-secret",
    ):
        with pytest.raises(WebSettingsError) as raised:
            secret_keys({"SECRET_KEY": weak}, production=True, folder=tmp_path)
        assert weak not in str(raised.value)
    keys = secret_keys({"SECRET_KEY": STRONG, "SECRET_KEY_FALLBACKS": STRONG[::-1]}, production=True, folder=tmp_path)
    assert keys == (STRONG, (STRONG[::-1],))


@pytest.mark.parametrize("name", ["SHOPPER_SECRET", "OPERATOR_TOKEN", "SERVE_CATALOG_KEY"])
@pytest.mark.parametrize("weak", ["s", "123456", "operator-secret-token", "ChangeMe123456789", "x" * 40])
def test_production_refuses_a_shared_key_that_can_be_guessed(name: str, weak: str) -> None:
    production = {"SECRET_KEY": STRONG, "PRODUCTION": "1"}
    with pytest.raises(WebSettingsError, match=f"{name} is too easy to guess") as raised:
        web_settings_from_env(production | {name: weak})
    assert len(weak) < 9 or weak not in str(raised.value)
    for strong in ("horse-staple-battery", "qZ3vX9-tLk2_mW8c"):
        assert strong in asdict(web_settings_from_env(production | {name: strong})).values()
    assert weak in asdict(web_settings_from_env({"SECRET_KEY": STRONG, name: weak})).values()


def test_a_machine_keeps_its_own_key_to_itself(tmp_path: Path) -> None:
    key = development_secret(tmp_path / "var")
    assert key == development_secret(tmp_path / "var") and len(key) == 64
    assert (tmp_path / "var" / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["secret_key"]


@pytest.mark.parametrize("days", ["-1", "many", "99999999"])
def test_a_wrong_retention_is_named(days: str) -> None:
    with pytest.raises(WebSettingsError, match="RETENTION_DAYS"):
        web_settings_from_env({"RETENTION_DAYS": days, "SECRET_KEY": STRONG})


def test_old_conversations_go_once_an_hour() -> None:
    now, purged = [1e9], []

    def purge(before: float) -> int:
        purged.append(before)
        return 1

    retention = Retention(purge, days=10, clock=lambda: now[0])
    for _ in range(3):
        retention.tick()
    now[0] += EVERY_S
    retention.tick()
    assert purged == [1e9 - 864_000, 1e9 + EVERY_S - 864_000]


def test_without_a_limit_nothing_is_deleted() -> None:
    def purge(_before: float) -> int:
        raise AssertionError("nothing may be deleted")

    Retention(purge, days=0).tick()
