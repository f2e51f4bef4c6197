from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.machines import run
from tests.postgres import postgres_schema


@pytest.mark.postgres
def test_machines_over_one_database_come_to_the_same_answers_though_one_is_killed(tmp_path: Path) -> None:
    with postgres_schema() as url:
        outcome = run(url, tmp_path, machines=3, products=300, changes=90, queries=40)
    assert outcome.agreed
