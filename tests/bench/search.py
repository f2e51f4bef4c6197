"""Search at 10 thousand, 100 thousand and a million products: build, size, memory, latency; beside two peers.

`python -m tests.bench search` runs all sizes; BENCH_SIZES=10000,100000 only these; BENCH_PEERS=0 leaves the peers out.
Times are wall clock with CPU time beside them, one thread, one query after the other. Queries are two to four words of
a product's title, as its shopper would remember them.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from search_client.factory import open_catalog_store, open_search_client
from search_client.models import Filters, Product, SearchQuery, Sort
from search_client.settings import CatalogSettings
from tests.bench.catalog import SEED, SyntheticCatalog
from tests.bench.peers import Fts5, Peer, PostgresText
from tests.evals.typos import mistyped

_FUNCTION_WORDS = 20
"""The most frequent words of the synthetic language, in most descriptions like `the` and `with`, are not asked for."""
SIZES = (10_000, 100_000, 1_000_000)
QUERIES = 1_000
_BUILD = "import sys, pathlib; from tests.bench.search import build; build(int(sys.argv[1]), pathlib.Path(sys.argv[2]))"
PEER_BUDGET_S = 60.0
"""The longest a peer is asked; FTS5 takes 0.1 s a query at a million products."""


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds."""

    p50: float
    p95: float
    p99: float
    cpu_p50: float
    count: int

    def __str__(self) -> str:
        return f"{self.p50:8.2f} {self.p95:8.2f} {self.p99:8.2f} {self.cpu_p50:8.2f} {self.count:6,}"


def measured(ask: Callable[[SearchQuery], object], queries: Sequence[SearchQuery], *, budget_s: float = 600.0) -> Times:
    """How long `ask` takes for each of `queries`, as many as the budget allows."""
    wall, cpu = [], []
    end = time.perf_counter() + budget_s
    for query in queries:
        began, busy = time.perf_counter(), time.thread_time()
        ask(query)
        wall.append(1e3 * (time.perf_counter() - began))
        cpu.append(1e3 * (time.thread_time() - busy))
        if time.perf_counter() > end:
            break
    wall.sort()
    cpu.sort()
    count = len(wall)
    return Times(wall[count // 2], wall[int(count * 0.95)], wall[int(count * 0.99)], cpu[count // 2], count)


def remembered(catalog: SyntheticCatalog, size: int, count: int) -> list[SearchQuery]:
    """Two to four title words of `count` products spread over the first tenth of the catalog."""
    dice = random.Random(SEED)
    step = max(1, size // 10 // count)
    products = (product for at, product in enumerate(catalog.products(step * count)) if at % step == 0)
    return [_words_of(product, dice, unsaid=set(catalog.words.values[:_FUNCTION_WORDS])) for product in products]


def _words_of(product: Product, dice: random.Random, *, unsaid: set[str]) -> SearchQuery:
    words = [word for word in product.title.split() if word not in unsaid]
    return SearchQuery(tuple(dice.sample(words, k=min(len(words), dice.randint(2, 4)))))


def kinds_of_queries(plain: Sequence[SearchQuery]) -> Iterator[tuple[str, list[SearchQuery]]]:
    """The same wishes asked in different ways, by name."""
    dice = random.Random(SEED)
    yield "words", list(plain)
    yield "words + price filter", [replace(query, filters=Filters(max_price=60)) for query in plain]
    yield "words + stock, rating", [replace(query, filters=Filters(in_stock=True, min_rating=3.5)) for query in plain]
    yield "words by price", [replace(query, sort=Sort.PRICE_ASC) for query in plain]
    yield "one word mistyped", [replace(query, keywords=_slipped(query.keywords, dice)) for query in plain]
    yield "one word only", [replace(query, keywords=query.keywords[:1]) for query in plain[:200]]
    yield "page filled up", [replace(query, fill=True) for query in plain[:200]]
    yield "rank 1,000", [replace(query, keywords=query.keywords[:1], offset=1_000) for query in plain[:100]]


def _slipped(words: tuple[str, ...], dice: random.Random) -> tuple[str, ...]:
    at = next((at for at, word in enumerate(words) if len(word) >= 5 and word.isalpha()), None)
    return words if at is None else (*words[:at], mistyped(words[at].lower(), dice), *words[at + 1 :])


def build_command(size: int, folder: Path) -> list[str]:
    """Runs `build` in a process of its own, whose peak memory is that of nothing else."""
    return [sys.executable, "-c", _BUILD, str(size), str(folder)]


def build(size: int, folder: Path) -> None:
    """Fills a catalog and its index in this process; prints seconds, megabytes and peak memory."""
    settings = settings_in(folder)
    store = open_catalog_store(settings)
    began = time.perf_counter()
    store.write(SyntheticCatalog().products(size))
    stored_s = time.perf_counter() - began
    store.close()
    before_mb = _peak_mb()
    began, busy = time.perf_counter(), time.process_time()
    open_search_client(settings).close()
    index_s, cpu_s = time.perf_counter() - began, time.process_time() - busy
    print(
        f"{size:>9,} products: stored in {stored_s:.0f} s; indexed in {index_s:.0f} s ({cpu_s:.0f} s of CPU), "
        f"{_megabytes(settings.index_path):.0f} MB, peak memory {_peak_mb():.0f} MB (before indexing {before_mb:.0f})",
        flush=True,
    )


def settings_in(folder: Path) -> CatalogSettings:
    """Of a catalog and its index within `folder`."""
    return CatalogSettings(catalog_url=f"sqlite:///{folder / 'catalog.sqlite'}", index_dir=folder / "index")


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def _ours(size: int, folder: Path) -> Times:
    plain = remembered(SyntheticCatalog(), size, QUERIES)
    client = open_search_client(settings_in(folder))
    measured(client.search, plain[:100])
    print(f"{'':30} {'p50 ms':>8} {'p95':>8} {'p99':>8} {'CPU p50':>8} queries")
    answers = {}
    for name, queries in kinds_of_queries(plain):
        answers[name] = measured(client.search, queries)
        print(f"  {name:28} {answers[name]}", flush=True)
    client.close()
    return answers["words"]


def _peers(size: int, folder: Path, ours: Times) -> None:
    plain = remembered(SyntheticCatalog(), size, QUERIES)
    with ExitStack() as stack:
        peers: list[Peer] = [Fts5(folder / "fts5.sqlite")]
        try:
            peers.append(PostgresText())
        except Exception as error:  # a peer that is not there is no failure of ours
            print(f"  PostgreSQL left out: {error}")
        for peer in peers:
            stack.callback(peer.close)
            began = time.perf_counter()
            peer.fill(SyntheticCatalog().products(size))
            print(f"  {peer.name}: filled in {time.perf_counter() - began:.0f} s")
            for all_words in (False, True):
                ask = lambda query, peer=peer, all_words=all_words: peer.ids(query, all_words=all_words)  # noqa: E731
                times = measured(ask, plain, budget_s=PEER_BUDGET_S)
                how = "all words" if all_words else "any word, ranked"
                print(f"  {how:28} {times}   {times.p50 / ours.p50:.1f} times ours", flush=True)


def main() -> int:
    sizes = [int(size) for size in os.environ.get("BENCH_SIZES", ",".join(map(str, SIZES))).split(",")]
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="bench") as name:
            folder = Path(name)
            subprocess.run(build_command(size, folder), check=True)
            ours = _ours(size, folder)
            if os.environ.get("BENCH_PEERS") != "0":
                _peers(size, folder, ours)
    return 0


if __name__ == "__main__":
    sys.exit(main())
