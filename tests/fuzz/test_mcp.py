from __future__ import annotations

import anyio

from tests.fuzz.mcp import run


def test_no_nonsense_is_a_server_error_of_the_mcp_server() -> None:
    found = anyio.run(run, 150, 20261130)
    assert found.faults == []
    assert {200, 400} <= found.statuses.keys()
