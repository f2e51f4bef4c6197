from __future__ import annotations

from pathlib import Path

from tests.fuzz.routes import run


def test_no_nonsense_in_any_form_is_a_server_error(tmp_path: Path) -> None:
    found = run(12, 20261130, database_url=f"sqlite:///{tmp_path}/f.sqlite")
    assert found.faults == []
    assert len(found.seconds) > 50 and {200, 303, 400, 404, 413} <= found.statuses.keys()
