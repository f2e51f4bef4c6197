"""Servers that tests start have as long as a busy machine needs."""

from __future__ import annotations

import pytest

from shopping_agent.mcp_host import connection


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "CONNECT_TIMEOUT_S", 300.0)
