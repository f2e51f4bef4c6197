"""`python -m tests.load.import_kills --kills 200`: kill imports at random moments; the catalog stays whole.

Every import brings an edition of a shop into a catalog that holds another one, none yet, or does not even exist, and is
killed alone or with the process that indexes for it. Then the store must hold what it held before or the new edition,
whole, a search must answer with the same, and the import, run again, must bring the new one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, redirect_stdout, suppress
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

from sqlalchemy import make_url

from search_client.__main__ import main as search_client
from search_client.commands.upkeep import DEMO
from search_client.factory import open_catalog_store, open_search_client
from search_client.index import ahead
from search_client.models import SearchQuery
from search_client.settings import CatalogSettings
from tests.bench.importing import write_csv
from tests.postgres import postgres_schema

ROWS = 1_500
_AHEAD_FROM = 300
"""Products from which the first import of a catalog is indexed by another process while it is read."""
_SLACK = 1.15
"""Kills fall within this many times an import's length: some come too late."""


@dataclass(frozen=True, slots=True)
class Edition:
    """One whole content of the catalog."""

    feed: Path | None
    digest: str
    product_count: int
    word: str
    """Stands in every title of this edition, and in none of others."""


class Shop:
    """A catalog that is imported into, and what it may hold."""

    def __init__(self, folder: Path, *, catalog_url: str) -> None:
        self._settings = CatalogSettings(catalog_url, index_dir=folder / "index", timeout_s=30)

    def importing(self, edition: Edition) -> BaseProcess:
        """An import that has begun, in a process group of its own."""
        process = multiprocessing.get_context("fork").Process(target=_import, args=(edition.feed, self._settings))
        process.start()
        return process

    def replaced(self, edition: Edition) -> float:
        """Imports an edition to its end; gives the seconds it took."""
        began = time.monotonic()
        process = self.importing(edition)
        process.join()
        if process.exitcode:
            raise RuntimeError(f"an import nobody killed ended with exit code {process.exitcode}")
        return time.monotonic() - began

    def emptied(self) -> None:
        """A catalog that held the demo products, which make way for the first import."""
        with closing(open_catalog_store(self._settings)) as store:
            store.write([], replace=True, origin=DEMO)

    def lost(self) -> None:
        """No catalog any more, where it is a file."""
        path = make_url(self._settings.catalog_url).database or ""
        for file in Path(path).parent.glob(f"{Path(path).name}*"):
            file.unlink()

    def digest(self) -> str:
        """What the store holds, as one number."""
        with closing(open_catalog_store(self._settings)) as store:
            records = sorted(change.record for change in store.changes_since(0))
        return hashlib.sha256("\n".join(records).encode()).hexdigest()

    def holds(self, edition: Edition) -> bool:
        """Whether store and search have this edition and nothing else."""
        return self.digest() == edition.digest and self._finds(edition)

    def _finds(self, edition: Edition) -> bool:
        with closing(open_search_client(self._settings)) as client:
            everything = client.search(SearchQuery()).total
            found = client.search(SearchQuery((edition.word,))).total if edition.product_count else 0
            return everything == found == edition.product_count == client.vocabulary().product_count


def _import(feed: Path, settings: CatalogSettings) -> None:
    """What `python -m search_client import --replace` does, in a process forked from one that has imported it all."""
    os.setsid()
    os.environ["CATALOG_INDEX_DIR"] = str(settings.index_dir)
    os.environ["CATALOG_URL"] = settings.catalog_url
    os.environ["CATALOG_TIMEOUT_S"] = "60"
    ahead._FEW = _AHEAD_FROM
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        code = search_client(["import", str(feed), "--replace"])
    sys.stderr.flush()
    os._exit(code)


@contextmanager
def editions(folder: Path, *, rows: int) -> Iterator[tuple[Edition, Edition, Edition]]:
    """An empty catalog, and two that share two thirds of their ids."""
    found = [Edition(None, hashlib.sha256(b"").hexdigest(), 0, "")]
    write_csv(folder / "base.csv", rows=rows)
    header, *lines = (folder / "base.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    for word, part in (("zwolpe", lines[: rows * 5 // 6]), ("krimsu", lines[rows // 6 :])):
        feed = folder / f"{word}.csv"
        feed.write_text(header + "".join(line.replace(",", f",{word} ", 1) for line in part), encoding="utf-8")
        reference = Shop(folder / word, catalog_url=f"sqlite:///{folder}/{word}.sqlite")
        reference.replaced(Edition(feed, "", 0, word))
        found.append(Edition(feed, reference.digest(), len(part), word))
    yield found[0], found[1], found[2]


def run(*, kills: int, rows: int, seed: int, catalog_url: str | None) -> int:
    """Kills and looks; 1 if anything was not whole."""
    chance, seen = random.Random(seed), Counter[str]()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name, editions(Path(name), rows=rows) as (nothing, one, other):
        shop = Shop(Path(name), catalog_url=catalog_url or f"sqlite:///{name}/catalog.sqlite")
        lengths_s = {True: shop.replaced(one), False: shop.replaced(other)}
        """Of a first import, and of one over another edition."""
        before, after = other, one
        for _ in range(kills):
            if chance.random() < 0.5:
                before = nothing
                (shop.lost if catalog_url is None and chance.random() < 0.5 else shop.emptied)()
            first = before is nothing
            pause_s = chance.uniform(0, _SLACK * lengths_s[first])
            _kill(shop.importing(after), after_s=pause_s, whole=chance.random() < 0.7)
            seen[outcome := _aftermath(shop, before=before, after=after)] += 1
            took_s = shop.replaced(after)
            lengths_s[first] = took_s if outcome == "as before" else lengths_s[first]
            seen["imported again"] += shop.holds(after)
            before, after = after, other if after is one else one
    sys.stdout.write(json.dumps({"kills": kills, "seconds": round(time.monotonic() - began), **seen}) + "\n")
    return 0 if seen["imported again"] == kills == seen["as before"] + seen["as after"] else 1


def _kill(process: BaseProcess, *, after_s: float, whole: bool) -> None:
    """Kills an import after a while, with all processes it has started or alone."""
    assert process.pid is not None
    process.join(after_s)
    for kill in (os.killpg, os.kill) if whole else (os.kill,):
        with suppress(ProcessLookupError):  # it has ended, or has not come to lead a group
            kill(process.pid, signal.SIGKILL)
    process.join()


def _aftermath(shop: Shop, *, before: Edition, after: Edition) -> str:
    if shop.holds(before):
        return "as before"
    return "as after" if shop.holds(after) else "neither"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.import_kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--postgres", action="store_true", help="a catalog in PostgreSQL instead of SQLite")
    options = parser.parse_args()
    with postgres_schema() if options.postgres else nullcontext(None) as url:
        return run(kills=options.kills, rows=options.rows, seed=options.seed, catalog_url=url)


if __name__ == "__main__":
    raise SystemExit(main())
