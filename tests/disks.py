"""A small disk of its own that can be filled and made read-only; the test is skipped where none can be mounted."""

from __future__ import annotations

import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

BLOCK = b"x" * 4096


@contextmanager
def disk(*, megabytes: int = 2) -> Iterator[Path]:
    """A disk of that size, mounted where every user may look."""
    folder = Path(tempfile.mkdtemp(prefix="disk-"))
    folder.chmod(0o755)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        folder.rmdir()
        pytest.skip(f"a small disk can only be mounted by root: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
        folder.rmdir()


@contextmanager
def tablespace(folder: Path, url: str) -> Iterator[str]:
    """`url` with its tables on the disk mounted at `folder`; skips where the server's own user cannot be found here."""
    place = folder / "tables"
    place.mkdir()
    try:
        shutil.chown(place, "postgres", "postgres")
    except LookupError as error:
        pytest.skip(f"PostgreSQL does not run here: {error}")
    name = f"disk_{secrets.token_hex(6)}"
    with psycopg.connect(url, autocommit=True) as connection:
        try:
            connection.execute(f"CREATE TABLESPACE {name} LOCATION '{place}'".encode())
        except psycopg.Error as error:
            pytest.skip(f"PostgreSQL cannot use a disk mounted here: {error}")
        yield f"{url}%20-cdefault_tablespace%3D{name}"
    with psycopg.connect(url, autocommit=True) as connection:
        schema = connection.execute("SELECT current_schema()").fetchone()
        assert schema
        connection.execute(f"DROP SCHEMA {schema[0]} CASCADE".encode())
        connection.execute(f"CREATE SCHEMA {schema[0]}".encode())
        connection.execute(f"DROP TABLESPACE {name}".encode())


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
