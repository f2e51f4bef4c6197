"""The package root is the API: sorted, complete, and cheap to import."""

from __future__ import annotations

import subprocess
import sys

import pytest

import shopping_agent


def test_every_public_name_is_there_and_no_other() -> None:
    assert sorted(shopping_agent.__all__) == shopping_agent.__all__ == sorted(shopping_agent._HOME_OF)
    for name in shopping_agent.__all__:
        assert name == "Action" or getattr(shopping_agent, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = shopping_agent.Nothing


def test_the_sdk_is_loaded_only_where_a_service_is_asked() -> None:
    code = "import sys, shopping_agent.factory, shopping_agent.terminal; print('openai' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
