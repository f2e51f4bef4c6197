"""Keeps an index up to date with its store: builds, updates, reloads, and tells how far it is."""

from __future__ import annotations

import itertools
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from search_client.errors import CatalogError, SearchUnavailableError
from search_client.index.engine import Engine, IndexState, Progress
from search_client.index.packing import SAMPLE_SIZE
from search_client.index.storage import Generation, IndexDirectory
from search_client.store.catalog_store import CatalogState, CatalogStore, Change

_LOG = logging.getLogger(__name__)
_BUILD_TIMEOUT_S = 3600.0
"""How long a process waits for another one that builds the first index."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An open generation and what it was built from."""

    generation: Generation
    engine: Engine
    state: IndexState


class Follower:
    """Owns the open index of one process.

    `current()` is what every search calls: it asks the store for its revision at most every `check_every_s`, and where
    the catalog has moved on, has the index follow in a thread and waits for that at most `wait_s`.
    """

    def __init__(
        self,
        store: CatalogStore,
        directory: IndexDirectory,
        *,
        check_every_s: float = 0.2,
        wait_s: float = 0.8,
        progress: Progress | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raises `SearchUnavailableError`, `CatalogError` where there is neither a store nor a usable index."""
        self._store, self._directory = store, directory
        self._check_every_s, self._wait_s, self._clock = check_every_s, wait_s, clock
        self._checked_at = float("-inf")
        self._lock = threading.Lock()
        self._following: tuple[int, threading.Thread] | None = None
        self.stale = False
        """Whether the store did not answer when it was last asked."""
        self._snapshot: Snapshot | None = self._reopened(None)
        self._open(progress)

    def current(self) -> Snapshot:
        """The newest index there is within the waiting time."""
        if self._clock() - self._checked_at >= self._check_every_s:
            self._check()
        assert self._snapshot is not None, "set by the constructor"
        return self._snapshot

    def close(self) -> None:
        """Wait for a running update to end."""
        if self._following and self._following[0] == os.getpid():
            self._following[1].join()

    def _open(self, progress: Progress | None) -> None:
        try:
            self._follow(self._store.state(), progress=progress, timeout_s=_BUILD_TIMEOUT_S)
        except SearchUnavailableError:
            if self._snapshot is None:
                raise
            self.stale = True
        if self._snapshot is None:
            raise CatalogError("The search index is being built by another process; try again later.")
        self._checked_at = self._clock()

    def _check(self) -> None:
        """Asks the store, in this thread while it is known to answer; nobody else waits for that."""
        if not self._lock.acquire(blocking=False):
            return
        try:
            if self._clock() - self._checked_at < self._check_every_s:
                return
            state = None if self.stale else self._asked()
            self._checked_at = self._clock()
            behind = state is not None and not self._is_current(state)
            thread = self._start(state) if behind or self.stale else None
        finally:
            self._lock.release()
        if thread is not None and behind:
            thread.join(self._wait_s)

    def _asked(self) -> CatalogState | None:
        """The store's state; None, and `stale`, where it does not answer."""
        try:
            state = self._store.state()
        except SearchUnavailableError as error:
            _LOG.warning("the catalog does not answer, searching what was indexed last: %s", error)
            self.stale = True
            return None
        self.stale = False
        return state

    def _start(self, state: CatalogState | None) -> threading.Thread:
        """The thread that follows, started unless one runs; a thread of before a fork does not count.

        Without `state` it asks the store itself.
        """
        if self._following and self._following[0] == os.getpid() and self._following[1].is_alive():
            return self._following[1]
        thread = threading.Thread(target=self._follow_quietly, args=(state,), name="index-follower", daemon=True)
        self._following = (os.getpid(), thread)
        thread.start()
        return thread

    def _follow_quietly(self, state: CatalogState | None) -> None:
        state = state or self._asked()
        if state is None:
            return
        try:
            self._follow(state, progress=None, timeout_s=self._wait_s)
        except (SearchUnavailableError, CatalogError) as error:
            _LOG.warning("the search index could not follow the catalog: %s", error)

    def _is_current(self, state: CatalogState) -> bool:
        return self._snapshot is not None and self._snapshot.state == IndexState(state.catalog_id, state.revision)

    def _follow(self, state: CatalogState, *, progress: Progress | None, timeout_s: float) -> None:
        self._snapshot = self._reopened(self._snapshot)
        if self._is_current(state):
            return
        with self._directory.writing(timeout_s=timeout_s) as granted:
            self._snapshot = self._reopened(self._snapshot)
            if not granted:
                return
            state = self._store.state()  # while others cannot write, it is behind the index only if it was restored
            if not self._is_current(state):
                self._snapshot = self._brought_forward(state, progress)

    def _brought_forward(self, state: CatalogState, progress: Progress | None) -> Snapshot:
        have = self._snapshot
        if have is None or have.state.catalog_id != state.catalog_id:
            return self._built(state, progress)
        if not state.complete_from <= have.state.revision <= state.revision:
            return self._built(state, progress)
        target = IndexState(state.catalog_id, state.revision)
        with _closed_after(self._store.changes_since(have.state.revision)) as changes:
            return Snapshot(have.generation, have.engine, have.engine.update(changes, state=target, progress=progress))

    def _built(self, state: CatalogState, progress: Progress | None) -> Snapshot:
        generation = self._directory.begin()
        with _closed_after(self._store.changes_since(0)) as changes:
            sample = list(itertools.islice(changes, SAMPLE_SIZE))
            engine = Engine.create(generation, [change.product for change in sample if change.product])
            everything = itertools.chain(sample, changes)
            reached = engine.build(everything, state=IndexState(state.catalog_id, state.revision), progress=progress)
        self._directory.publish(generation)
        return Snapshot(generation, engine, reached)

    def _reopened(self, have: Snapshot | None) -> Snapshot | None:
        """What lies in the directory now; None where nothing usable does."""
        generation = self._directory.current()
        if generation is None:
            return have
        try:
            engine = have.engine if have is not None and have.generation == generation else Engine.open(generation)
            engine.index.reload()
            state = engine.state()
        except (CatalogError, OSError, ValueError) as error:
            _LOG.warning("the search index is built anew: %s", error)
            return None
        return None if state is None else Snapshot(generation, engine, state)


@contextmanager
def _closed_after(changes: Iterator[Change]) -> Iterator[Iterator[Change]]:
    """Ends the store's snapshot also where the changes are not read to their end."""
    try:
        yield changes
    finally:
        close = getattr(changes, "close", None)
        if close is not None:
            close()
