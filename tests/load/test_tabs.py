"""A sample of what `python -m tests.load.tabs` does."""

from __future__ import annotations

from tests.load.tabs import run


def test_tabs_and_shoppers_on_two_processes_lose_double_and_mix_nothing_while_the_catalog_changes() -> None:
    report = run(tabs=4, shoppers=4, turns=2, database_url=None)
    assert report.messages == 1 + 4 * 2 + 4 * 2
    assert report.is_clean, report
