"""Where the shared real-world inputs lie, for tests and evals; they are read in place and never copied."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"


def shared_data(name: str) -> Path:
    """The path of a shared file or folder; skips the test where the shared folder does not lie beside the project."""
    path = SHARED / name
    if not path.exists():
        reason = f"the shared data folder is not beside the project: {path.name!r} is missing"
        if os.environ.get("CHECK_ALL"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path
