"""What holds for every test, and both databases of the web app: a test that asks for one runs on each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.postgres import postgres_schema

if TYPE_CHECKING:
    from sqlalchemy import Engine

# The same examples on every machine, however slow it is: a run says something about the code, not about luck or load.
# `--hypothesis-profile=default` looks for new ones.
settings.register_profile(
    "same", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("same")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/c.sqlite"
    else:
        with postgres_schema() as url:
            yield url


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """An engine on an empty database, without tables."""
    from web.store.engine import open_engine

    opened = open_engine(database_url)
    yield opened
    opened.dispose()
