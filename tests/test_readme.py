"""The README tells the truth: settings, commands, snippets."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
ENVIRON = re.compile(r"""environ(?:\.get\(|\[|\.setdefault\(|, )["']([A-Z][A-Z_]+)["']|"{3}`([A-Z][A-Z_]+)`""")
MODULES = sorted(set(re.findall(r"python -m ([a-z_.]+)", README)))


def settings_in_code() -> set[str]:
    """Names of the variables that the packages read or document."""
    files = [path for package in ("search_client", "shopping_agent", "web") for path in (ROOT / package).rglob("*.py")]
    found = (match for path in files for match in ENVIRON.finditer(path.read_text(encoding="utf-8")))
    return {match[1] or match[2] for match in found}


def settings_in_table() -> set[str]:
    """Names in the first column of the settings tables."""
    tables = README.split("\n## Settings\n")[1].split("\n## ")[0]
    return {name for row in re.findall(r"^\| (`.*?) \|", tables, re.M) for name in re.findall(r"`([A-Z][A-Z_]+)`", row)}


def test_every_setting_stands_in_the_table_and_every_row_is_a_setting() -> None:
    internal = {"PROMETHEUS_MULTIPROC_DIR"}
    assert settings_in_code() - internal == settings_in_table()


@pytest.mark.parametrize("module", MODULES)
def test_every_command_named_exists_and_explains_itself(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, "--help"], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "usage" in done.stdout.lower()


def test_every_make_target_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert set(re.findall(r"^    (?:\w+=\S+ )*make ([a-z-]+)", README, re.M)) <= targets
