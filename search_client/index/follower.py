"""Keeps an index up to date with its store: builds, updates, reloads, and tells how far it is."""

from __future__ import annotations

import itertools
import logging
import os
import threading
from collections.abc import Iterator
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

    A thread asks the store for its state every `check_every_s` and has the index follow; no search waits for either.
    With 0 every search asks by itself, and its answer is as new as the store.
    """

    def __init__(
        self,
        store: CatalogStore,
        directory: IndexDirectory,
        *,
        check_every_s: float = 0.25,
        lock_wait_s: float = 0.8,
        progress: Progress | None = None,
    ) -> None:
        """Raises `SearchUnavailableError`, `CatalogError` where there is neither a store nor a usable index."""
        self._store, self._directory = store, directory
        self._check_every_s, self._lock_wait_s = check_every_s, lock_wait_s
        self._lock = threading.Lock()
        self._watching: tuple[int, threading.Thread] | None = None
        self._closed = threading.Event()
        self.stale = False
        """Whether the store did not answer when it was last asked."""
        self._snapshot: Snapshot | None = None
        self._open(progress)

    def current(self) -> Snapshot:
        """The newest index there is."""
        if not self._check_every_s:
            with self._lock:
                self._look()
        elif self._watching is None or self._watching[0] != os.getpid():
            self._watch()
        assert self._snapshot is not None, "set by the constructor"
        return self._snapshot

    def close(self) -> None:
        """Wait for a running update to end."""
        self._closed.set()
        if self._watching and self._watching[0] == os.getpid():
            self._watching[1].join()

    def _open(self, progress: Progress | None) -> None:
        try:
            self._follow(self._store.state(), progress=progress, timeout_s=_BUILD_TIMEOUT_S)
        except SearchUnavailableError:
            if not self._reopen():
                raise
            self.stale = True
        if self._snapshot is None:
            raise CatalogError("The search index is being built by another process; try again later.")

    def _watch(self) -> None:
        """Starts this process's thread: that of the process it was forked from is not here."""
        with self._lock:
            if self._watching is None or self._watching[0] != os.getpid():
                thread = threading.Thread(target=self._look_again_and_again, name="index-follower", daemon=True)
                self._watching = (os.getpid(), thread)
                thread.start()

    def _look_again_and_again(self) -> None:
        while not self._closed.wait(self._check_every_s):
            self._look()

    def _look(self) -> None:
        """Asks the store for its state and has the index follow."""
        try:
            state = self._store.state()
        except (SearchUnavailableError, CatalogError) as error:
            if not self.stale:
                _LOG.warning("the catalog does not answer, searching what was indexed last: %s", error)
            self.stale = True
            return
        self.stale = False
        if self._is_current(state):
            return
        try:
            self._follow(state, progress=None, timeout_s=self._lock_wait_s)
        except (SearchUnavailableError, CatalogError) as error:
            _LOG.warning("the search index could not follow the catalog: %s", error)

    def _is_current(self, state: CatalogState) -> bool:
        return self._snapshot is not None and self._snapshot.state == IndexState(state.catalog_id, state.revision)

    def _follow(self, state: CatalogState, *, progress: Progress | None, timeout_s: float) -> None:
        self._reopen()
        if self._is_current(state):
            return
        with self._directory.writing(timeout_s=timeout_s) as granted:
            usable = self._reopen()
            if not granted:
                return
            state = self._store.state()  # while others cannot write, it is behind the index only if it was restored
            if not usable or not self._is_current(state):
                self._snapshot = self._brought_forward(self._snapshot if usable else None, state, progress)

    def _brought_forward(self, have: Snapshot | None, state: CatalogState, progress: Progress | None) -> Snapshot:
        if have is None or have.state.catalog_id != state.catalog_id:
            return self._built(state, progress)
        if not state.complete_from <= have.state.revision <= state.revision:
            return self._built(state, progress)
        try:
            return self._updated(have, state, progress)
        except (ValueError, OSError) as error:
            _LOG.warning("the search index is built anew, since it could not be changed: %s", error)
            return self._built(state, progress)

    def _updated(self, have: Snapshot, state: CatalogState, progress: Progress | None) -> Snapshot:
        target = IndexState(state.catalog_id, state.revision)
        with _closed_after(self._store.changes_since(have.state.revision)) as changes:
            return Snapshot(have.generation, have.engine, have.engine.update(changes, state=target, progress=progress))

    def _built(self, state: CatalogState, progress: Progress | None) -> Snapshot:
        generation = self._directory.begin()
        with _closed_after(self._store.changes_since(0)) as changes:
            sample = list(itertools.islice(changes, SAMPLE_SIZE))
            engine = Engine.create(generation, [change.record for change in sample if change.record])
            everything = itertools.chain(sample, changes)
            reached = engine.build(everything, state=IndexState(state.catalog_id, state.revision), progress=progress)
        self._directory.publish(generation)
        return Snapshot(generation, engine, reached)

    def _reopen(self) -> bool:
        """Whether what lies in the directory now is usable; it is the snapshot then, else that stays what it was."""
        generation, have = self._directory.current(), self._snapshot
        if generation is None:
            return False
        try:
            engine = have.engine if have is not None and have.generation == generation else Engine.open(generation)
            engine.index.reload()
            state = engine.state()
        except (CatalogError, OSError, ValueError) as error:
            _LOG.warning("the search index is built anew: %s", error)
            return False
        if state is not None:
            self._snapshot = Snapshot(generation, engine, state)
        return state is not None


@contextmanager
def _closed_after(changes: Iterator[Change]) -> Iterator[Iterator[Change]]:
    """Ends the store's snapshot also where the changes are not read to their end."""
    try:
        yield changes
    finally:
        close = getattr(changes, "close", None)
        if close is not None:
            close()
