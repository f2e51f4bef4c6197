from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from search_client.__main__ import main

Run = Callable[..., tuple[int, str, str]]
"""Runs a command; gives its exit code, what it printed, and what it complained."""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs commands on a catalog of this test's own."""
    monkeypatch.setenv("CATALOG_URL", f"sqlite:///{tmp_path}/catalog.sqlite")
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(list(arguments))
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return command


@pytest.fixture
def run_json(run: Run) -> Callable[..., dict[str, object]]:
    """Runs a command with `--json`; gives what it printed as an object."""

    def command(*arguments: str) -> dict[str, object]:
        code, out, err = run(*arguments, "--json")
        assert (code, err) == (0, "")
        printed: dict[str, object] = json.loads(out)
        return printed

    return command
