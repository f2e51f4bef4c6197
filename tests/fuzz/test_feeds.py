from __future__ import annotations

from tests.fuzz.feeds import run


def test_a_sample_of_mutated_feeds_neither_crashes_nor_hangs_nor_imports_half() -> None:
    said: list[str] = []
    assert run(250, 20261130, say=said.append) == 0, said
    assert "imported" in said[-1] and "refused" in said[-1]
