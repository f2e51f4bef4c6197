"""Building an index while its catalog is still being read, in another process.

One after the other, reading a feed and indexing it keep one core busy and another idle. So the first import of a
catalog sends its products to a process that indexes them, and the index becomes current once the catalog is committed.
Indexing takes longer: while that process is behind, the reader analyses texts itself and sends documents as values.
Where anything goes differently, the index is simply built afterwards, as always.
"""

from __future__ import annotations

import gc
import json
import marshal
import multiprocessing
import queue
import shutil
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Self

from search_client.codec import read_product
from search_client.index.document import document_of, make_document, noted_document
from search_client.index.engine import Engine, Entry, IndexState
from search_client.index.packing import SAMPLE_SIZE, Packer
from search_client.index.storage import Generation, IndexDirectory
from search_client.models import Product

_FEW = 5_000
"""Products up to which another process is not worth its start."""
_BATCH = 200
_QUEUED = 4
"""Batches on their way to the other process before it counts as behind."""
_BROKEN = (OSError, EOFError)
_RECORDS, _NOTES, _END = b"r", b"n", b"="
Passed = tuple[Product, str]
"""A product and its JSON."""


class AheadBuild:
    """Takes the products of a catalog that is being filled; `publish` makes their index the current one.

    Meanwhile no other process writes this index: there is nothing in the catalog yet that it would have to follow.
    """

    def __init__(self, directory: IndexDirectory, *, catalog_id: str) -> None:
        self._directory = directory
        self._catalog_id = catalog_id
        self.sent = 0
        """Products that have passed."""
        self._waiting: list[Passed] = []
        self._generation: Generation | None = None
        self._builder: Builder | None = None
        self._lock = ExitStack()
        self._may_write = False

    def take(self, product: Product, record: str) -> None:
        """Takes a product and its JSON on to the index; few are not worth it."""
        self.sent += 1
        self._waiting.append((product, record))
        if len(self._waiting) >= (_FEW if self._builder is None else _BATCH):
            if self._builder is None and self._may_write:
                self._generation = self._directory.begin()
                sample = [record for _, record in self._waiting[:SAMPLE_SIZE]]
                packer = Engine.create(self._generation, sample).packer
                self._builder = Builder(self._generation, packer, catalog_id=self._catalog_id)
            self._send_waiting()

    def publish(self, *, revision: int) -> bool:
        """Ends the index and makes it current as that of `revision`; False: there is none, build it as always."""
        self._send_waiting()
        if self._builder is None or self._generation is None or not self._builder.end(revision=revision):
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
            if self._builder is not None:
                self._builder.close()
            if self._generation is not None:
                shutil.rmtree(self._generation.path, ignore_errors=True)

    def _send_waiting(self) -> None:
        if self._builder is not None:
            for start in range(0, len(self._waiting), _BATCH):
                self._builder.add(self._waiting[start : start + _BATCH])
        self._waiting.clear()


class Builder:
    """The other process, and the thread that feeds it. While it is behind, its sender does part of its work."""

    def __init__(self, generation: Generation, packer: Packer, *, catalog_id: str) -> None:
        self._packer = packer
        receiver, self._pipe = multiprocessing.Pipe(duplex=False)
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(
            target=_build, args=(receiver, generation.path, catalog_id), daemon=True, name="index-ahead"
        )
        self.process.start()
        receiver.close()
        self._queue: queue.Queue[bytes | None] = queue.Queue(_QUEUED)
        self._thread = threading.Thread(target=self._send_all, name="index-ahead", daemon=True)
        self._thread.start()

    def add(self, batch: Sequence[Passed]) -> None:
        """Sends products on; waits where the other process is far behind."""
        if self.is_behind():
            notes = [noted_document(product, self._packer.pack(record)) for product, record in batch]
            self._queue.put(_NOTES + marshal.dumps(notes))
        else:
            self._queue.put(_RECORDS + "\n".join(record for _, record in batch).encode())

    def is_behind(self) -> bool:
        return self._queue.full()

    def end(self, *, revision: int) -> bool:
        """Waits for the index to be committed; whether it was."""
        self._queue.put(_END + str(revision).encode())
        self._end_thread()
        self.process.join()
        return self.process.exitcode == 0

    def close(self) -> None:
        """Ends the process, whose index is worth nothing where `end` was not called before."""
        self._end_thread()
        self.process.join()
        self.process.close()

    def _end_thread(self) -> None:
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()

    def _send_all(self) -> None:
        """Sends what is in the queue; goes on emptying it where nobody listens any more."""
        broken = False
        with self._pipe:
            while (message := self._queue.get()) is not None:
                if not broken:
                    try:
                        self._pipe.send_bytes(message)
                    except _BROKEN:
                        broken = True


def _build(pipe: Connection, folder: Path, catalog_id: str) -> None:
    """The other process: indexes what comes until the revision does; gives up where the sender is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the sender decides
    gc.disable()  # what is made here goes in no circles, and to look through all the words kept takes a twentieth
    try:
        engine = Engine.open(Generation(folder))
        engine.build_from(_received(pipe, engine.packer), state=IndexState(catalog_id, 0))
    except _BROKEN:
        shutil.rmtree(folder, ignore_errors=True)
        raise SystemExit(1) from None


def _received(pipe: Connection, packer: Packer) -> Iterator[Entry]:
    """Documents of no revision; last a deletion of nothing that carries the revision of them all."""
    while not (message := pipe.recv_bytes()).startswith(_END):
        if message.startswith(_NOTES):
            for notes in marshal.loads(message[1:]):
                yield 0, "", document_of(notes)
            continue
        for line in message[1:].decode().split("\n"):
            product = read_product(json.loads(line))
            yield 0, product.id, make_document(product, packer.pack(line))
    yield int(message[1:]), "", None
