"""Every requirement of SECURITY.md names a test that exists, or says why it does not apply."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_requirement_names_tests_that_exist_or_a_reason() -> None:
    rows = re.findall(r"^\| (\d+) \| (.+?) \| (.+) \|$", (ROOT / "SECURITY.md").read_text(encoding="utf-8"), re.M)
    assert [int(number) for number, _, _ in rows] == list(range(1, 55))
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    tests = set(re.findall(r"def (test_\w+)\(", sources))
    named = {name for _, _, proof in rows for name in re.findall(r"`(test_\w+)`", proof)}
    assert named <= tests, named - tests
    assert all(re.search(r"`test_|\w{4,} ", proof) for _, _, proof in rows)
