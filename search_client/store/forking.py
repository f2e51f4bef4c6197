"""A forked process must not speak on its parent's connections: it makes its own."""

from __future__ import annotations

import functools
import os
import weakref
from typing import Protocol


class Connected(Protocol):
    """Holds connections."""

    def abandon(self) -> None:
        """Forget all connections without closing them: they are the parent's."""
        ...


_open: weakref.WeakSet[Connected] = weakref.WeakSet()


def abandon_after_fork(holder: Connected) -> None:
    """Has a forked child abandon `holder`'s connections before it does anything."""
    _register()
    _open.add(holder)


@functools.cache
def _register() -> None:
    os.register_at_fork(after_in_child=_abandon_all)


def _abandon_all() -> None:
    for holder in list(_open):
        holder.abandon()
