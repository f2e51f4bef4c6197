"""Where an index lies: generations side by side, one of them current, and the lock of the one process that writes."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from search_client.errors import CatalogError
from search_client.index.schema import FORMAT

_CURRENT = "CURRENT"
_LOCK = "writer.lock"
_PREFIX = "generation-"
_POLL_S = 0.02


@dataclass(frozen=True, slots=True)
class Generation:
    """One complete index in a folder of its own."""

    path: Path

    @property
    def dictionary(self) -> Path:
        """The file with the packing dictionary."""
        return self.path / "packing.bin"


class IndexDirectory:
    """The folder of one catalog's index. A rename makes another generation current; a crash leaves the old one."""

    def __init__(self, path: Path) -> None:
        """Makes the folder where there is none. Raises `CatalogError` where that is not possible."""
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CatalogError(f"The index folder {str(path)!r} cannot be made: {error.strerror}.") from error

    def current(self) -> Generation | None:
        """The current generation; None where there is none or it is of another format."""
        try:
            pointer = json.loads((self.path / _CURRENT).read_text(encoding="utf-8"))
            if pointer["format"] != FORMAT:
                return None
            found = Generation(self.path / str(pointer["generation"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return found if found.path.parent == self.path and found.path.is_dir() else None

    def forget(self) -> None:
        """Have the next process build a new index; until then open ones are read on."""
        (self.path / _CURRENT).unlink(missing_ok=True)

    def begin(self) -> Generation:
        """An empty folder for a new generation."""
        found = Generation(self.path / f"{_PREFIX}{secrets.token_hex(4)}")
        found.path.mkdir()
        return found

    def publish(self, generation: Generation) -> None:
        """Make `generation` the current one and remove all others; who still reads one keeps its files open."""
        pointer = self.path / f"{_CURRENT}.{os.getpid()}"
        with pointer.open("w", encoding="utf-8") as file:
            json.dump({"format": FORMAT, "generation": generation.path.name}, file)
            file.flush()
            os.fsync(file.fileno())
        pointer.replace(self.path / _CURRENT)
        for other in self.path.glob(f"{_PREFIX}*"):
            if other != generation.path:
                shutil.rmtree(other, ignore_errors=True)

    @contextmanager
    def writing(self, *, timeout_s: float = 0.0) -> Iterator[bool]:
        """Whether this process may write, for as long as the block runs; waits at most `timeout_s` for another one.

        The lock goes with the process that holds it, however that ends.
        """
        end = time.monotonic() + timeout_s
        with (self.path / _LOCK).open("w") as file:
            while not _locked(file.fileno()):
                if time.monotonic() >= end:
                    yield False
                    return
                time.sleep(_POLL_S)
            yield True


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
