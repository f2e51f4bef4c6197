"""Building an index while its catalog is still being read, in another process.

Reading a feed and indexing it take about as long; one after the other they keep one core busy and another idle. So the
first import of a catalog sends its products to a process that indexes them, and the index becomes current once the
catalog is committed. Where anything goes differently, the index is simply built afterwards, as always.
"""

from __future__ import annotations

import gc
import itertools
import json
import multiprocessing
import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Self

from search_client.codec import read_product
from search_client.index.engine import Engine, IndexState
from search_client.index.packing import SAMPLE_SIZE
from search_client.index.storage import Generation, IndexDirectory
from search_client.store.catalog_store import Change

_FEW = 5_000
"""Products up to which another process is not worth its start."""
_BATCH = 200
_BROKEN = (OSError, EOFError)


class AheadBuild:
    """Takes the products of a catalog that is being filled; `publish` makes their index the current one.

    Meanwhile no other process writes this index: there is nothing in the catalog yet that it would have to follow.
    """

    def __init__(self, directory: IndexDirectory, *, catalog_id: str) -> None:
        self._directory = directory
        self._catalog_id = catalog_id
        self.sent = 0
        """Products that have passed."""
        self._waiting: list[str] = []
        self._generation: Generation | None = None
        self._pipe: Connection | None = None
        self._process: multiprocessing.process.BaseProcess | None = None
        self._lock = ExitStack()
        self._may_write = False

    def take(self, record: str) -> None:
        """Takes a product, as its JSON, on to the index; few are not worth it."""
        self.sent += 1
        self._waiting.append(record)
        if len(self._waiting) >= (_FEW if self._process is None else _BATCH):
            if self._process is None and self._may_write:
                self._start()
            self._send_waiting()

    def publish(self, *, revision: int) -> bool:
        """Ends the index and makes it current as that of `revision`; False: there is none, build it as always."""
        self._send_waiting()
        self._send(f"={revision}")
        if self._pipe is None or self._process is None or self._generation is None:
            return False
        self._process.join()
        if self._process.exitcode != 0:
            return False
        self._directory.publish(self._generation)
        self._generation = None
        return True

    def __enter__(self) -> Self:
        self._may_write = self._lock.enter_context(self._directory.writing())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._break_off()
            if self._process is not None:
                self._process.join()
                self._process.close()
            if self._generation is not None:
                shutil.rmtree(self._generation.path, ignore_errors=True)

    def _start(self) -> None:
        self._generation = self._directory.begin()
        receiver, self._pipe = multiprocessing.Pipe(duplex=False)
        context = multiprocessing.get_context("spawn")
        self._process = context.Process(
            target=_build, args=(receiver, self._generation.path, self._catalog_id), daemon=True, name="index-ahead"
        )
        self._process.start()
        receiver.close()

    def _send_waiting(self) -> None:
        for start in range(0, len(self._waiting), _BATCH):
            self._send("\n".join(self._waiting[start : start + _BATCH]))
        self._waiting.clear()

    def _send(self, text: str) -> None:
        if self._pipe is not None:
            try:
                self._pipe.send_bytes(text.encode())
            except _BROKEN:
                self._break_off()

    def _break_off(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None


def _build(pipe: Connection, folder: Path, catalog_id: str) -> None:
    """The other process: indexes what comes until the revision does; gives up where the sender is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the sender decides
    gc.disable()  # what is made here goes in no circles, and to look through all the words kept takes a twentieth
    generation = Generation(folder)
    try:
        changes = _received(pipe)
        sample = list(itertools.islice(changes, SAMPLE_SIZE))
        engine = Engine.create(generation, [change.record for change in sample if change.record])
        engine.build(itertools.chain(sample, changes), state=IndexState(catalog_id, 0))
    except _BROKEN:
        shutil.rmtree(folder, ignore_errors=True)
        raise SystemExit(1) from None


def _received(pipe: Connection) -> Iterator[Change]:
    """Products as changes of no revision; last a deletion of nothing that carries the revision of them all."""
    while not (text := pipe.recv_bytes().decode()).startswith("="):
        for line in text.split("\n"):
            product = read_product(json.loads(line))
            yield Change(0, product.id, product, line)
    yield Change(int(text[1:]), "", None)
