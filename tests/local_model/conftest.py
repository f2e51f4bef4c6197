"""The local model's server, in its own environment: `make test-local-model` makes it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

PYTHON = os.environ.get("LOCAL_MODEL_PYTHON", "")


@pytest.fixture(scope="session")
def local_server() -> Iterator[str]:
    """Base URL of llama.cpp's server with the small model."""
    if not PYTHON:
        pytest.skip("a local model is tried on wish only: run make test-local-model")
    command = [PYTHON, str(Path(__file__).with_name("serve.py"))]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.stdin.close()
