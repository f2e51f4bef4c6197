"""Four processes search one index while a fifth changes its catalog: errors, empty answers, times.

`python -m tests.bench living`; BENCH_SIZES=1000000 and BENCH_SECONDS=60 for more of either. Every query is made of
title words of a product that is never deleted, so that an empty answer is a fault.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from search_client.errors import SearchClientError
from search_client.factory import open_catalog_store, open_search_client
from search_client.models import Money
from tests.bench.catalog import SyntheticCatalog
from tests.bench.search import build_command, remembered, settings_in

SIZE = 100_000
SECONDS = 20.0
READERS = 4
_CHANGED = 2_000
"""Products that get another price again and again; as many others come and go."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one reader met with."""

    times_ms: tuple[float, ...]
    errors: int
    empty: int


def read(folder: Path, size: int, seconds: float, seed: int) -> Reading:
    """Searches until the time is over."""
    queries = remembered(SyntheticCatalog(), size, 500)
    dice = random.Random(seed)
    times, errors, empty = [], 0, 0
    with closing(open_search_client(settings_in(folder))) as client:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            began = time.perf_counter()
            try:
                empty += not client.search(dice.choice(queries)).hits
            except SearchClientError:
                errors += 1
            times.append(1e3 * (time.perf_counter() - began))
    return Reading(tuple(times), errors, empty)


def write(folder: Path, size: int, seconds: float) -> int:
    """Changes prices, adds and deletes products until the time is over; gives the number of changes."""
    dice = random.Random(9)
    known = list(SyntheticCatalog().products(_CHANGED))
    changes = 0
    with closing(open_catalog_store(settings_in(folder))) as store:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            product = dice.choice(known)
            extra = replace(product, id=f"extra-{product.id}")
            store.write(
                [replace(product, price=Money(dice.randrange(100, 90_000), "USD"))] + ([extra] if changes % 2 else []),
                delete=[] if changes % 2 else [extra.id],
            )
            changes += 1
    return changes


def main() -> int:
    size = int(os.environ.get("BENCH_SIZES", SIZE))
    seconds = float(os.environ.get("BENCH_SECONDS", SECONDS))
    with tempfile.TemporaryDirectory(prefix="bench") as name:
        folder = Path(name)
        subprocess.run(build_command(size, folder), check=True)
        with ProcessPoolExecutor(READERS + 1, mp_context=multiprocessing.get_context("spawn")) as pool:
            writing = pool.submit(write, folder, size, seconds)
            reading = [pool.submit(read, folder, size, seconds, seed) for seed in range(READERS)]
            readings, changes = [each.result() for each in reading], writing.result()
    times = sorted(each for reading in readings for each in reading.times_ms)
    errors, empty = sum(each.errors for each in readings), sum(each.empty for each in readings)
    print(
        f"{READERS} readers and a writer for {seconds:.0f} s at {size:,} products: {changes:,} changes; {len(times):,} "
        f"searches, p50 {times[len(times) // 2]:.1f} ms, p99 {times[int(len(times) * 0.99)]:.1f} ms, "
        f"{errors} errors, {empty} empty answers"
    )
    return 1 if errors or empty else 0


if __name__ == "__main__":
    sys.exit(main())
