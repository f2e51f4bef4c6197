"""A sample of what `python -m tests.load.crash --kills 300` does."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from tests.load.crash import run
from tests.postgres import postgres_schema


@pytest.mark.parametrize("postgres", [False, pytest.param(True, marks=pytest.mark.postgres)])
def test_a_server_killed_at_random_moments_loses_and_doubles_nothing_and_every_cut_turn_is_answered(
    postgres: bool,
) -> None:
    with postgres_schema() if postgres else nullcontext(None) as url:
        report = run(kills=4, shoppers=4, seed=1, database_url=url)
    assert report.server_kills + report.worker_kills == 4
    assert report.is_clean, report
