"""A small disk of its own that can be filled and made read-only; the test is skipped where none can be mounted."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BLOCK = b"x" * 4096


@contextmanager
def disk(folder: Path, *, megabytes: int = 2) -> Iterator[Path]:
    """A disk of that size, mounted at `folder`."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"a small disk can only be mounted by root: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Take all that is left; the file that does so."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(BLOCK)
        except OSError:
            return ballast


@contextmanager
def unwritable(folder: Path, kind: str) -> Iterator[None]:
    """Full or read-only for a while; a read-only one must hold no open file."""
    if kind == "full":
        ballast = fill(folder)
        yield
        ballast.unlink()
    else:
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        yield
        subprocess.run(["mount", "-o", "remount,rw", str(folder)], check=True)
