"""Progress on the terminal: rate and time left, on stderr, only where a person looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(title: str, *, total: int | None, unit: str, scaled: bool = False) -> Iterator[Callable[[int], None]]:
    """A function that is told how much is done so far, in `unit`s."""
    from tqdm import tqdm

    with tqdm(total=total, desc=title, unit=unit, unit_scale=scaled, disable=None, leave=False, mininterval=0.3) as bar:

        def tell(done: int) -> None:
            bar.update(done - bar.n)

        yield tell
