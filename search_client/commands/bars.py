"""Progress on the terminal: rate and time left, on stderr, only where a person looks at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Tell(Protocol):
    """Is told how much is done so far, and how much there is in all where that was not known before."""

    def __call__(self, done: int, total: int | None = None, /) -> None: ...


@contextmanager
def progress_bar(title: str, *, total: int | None, unit: str, scaled: bool = False) -> Iterator[Tell]:
    """A bar for as long as the block runs."""
    from tqdm import tqdm

    with tqdm(total=total, desc=title, unit=unit, unit_scale=scaled, disable=None, leave=False, mininterval=0.3) as bar:

        def tell(done: int, total: int | None = None, /) -> None:
            if total is not None:
                bar.total = total
            bar.update(done - bar.n)

        yield tell
