"""How long a merchant's CSV takes into the catalog and its index, and how much memory and disk, on both databases.

`BENCH_ROWS=1000000 BENCH_DATABASE=SQLite python -m tests.bench importing`; by default 100,000 rows, both databases.
The CSV is generated from a seed. Each database is filled, then given the same file again, which changes nothing.
"""

from __future__ import annotations

import csv
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from search_client.models import Product
from tests.bench.catalog import SyntheticCatalog
from tests.postgres import postgres_schema

ROOT = Path(__file__).parents[2]
_HEADER = (
    "id", "title", "description", "brand", "category", "price", "sale price", "currency", "availability", "rating",
    "rating count", "color", "material", "sku",
)  # fmt: skip


def write_csv(path: Path, *, rows: int) -> None:
    """A shop's export with one product a row."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(_HEADER)
        writer.writerows(_row(product) for product in SyntheticCatalog().products(rows))


def _row(product: Product) -> tuple[object, ...]:
    price, sale = product.price, None
    if product.list_price is not None:
        price, sale = product.list_price, product.price
    return (
        product.id, product.title, product.description, product.brand, " > ".join(product.category),
        price.decimal if price else "", sale.decimal if sale else "", "USD", product.availability.value, product.rating,
        product.rating_count, product.attribute("Color"), product.attribute("Material"), product.sku,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Measured:
    """What one import took, its index included."""

    wall_s: float
    cpu_s: float
    """Of all processes together."""
    indexing_cpu_s: float
    """Of that, what the process took that indexes meanwhile."""
    anonymous_mib: int
    """Highest sum of the processes' own memory."""
    resident_mib: int
    """Highest sum of all their pages, also those of mapped files, which the system takes back when it needs them."""

    def __str__(self) -> str:
        return (
            f"{self.wall_s:7.1f} s, {self.cpu_s:7.1f} s of CPU ({self.indexing_cpu_s:.0f} s in the indexing process), "
            f"peak {self.anonymous_mib:,} MiB anonymous, {self.resident_mib:,} MiB resident"
        )


@dataclass(slots=True)
class Watch:
    """Looks at a process and those it has started, again and again."""

    anonymous_kib: int = 0
    resident_kib: int = 0
    child_cpu_s: float = 0.0

    def look(self, pid: int) -> None:
        anonymous = resident = 0
        for each in _family(pid):
            try:
                status = Path(f"/proc/{each}/status").read_text(encoding="ascii")
                ticks = Path(f"/proc/{each}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[11:13]
            except OSError:  # it has ended meanwhile
                continue
            found = {name: int(rest.split()[0]) for name, _, rest in _lines(status) if name in {"VmRSS", "RssAnon"}}
            anonymous += found.get("RssAnon", 0)
            resident += found.get("VmRSS", 0)
            if each != pid:
                self.child_cpu_s = max(self.child_cpu_s, sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"))
        self.anonymous_kib = max(self.anonymous_kib, anonymous)
        self.resident_kib = max(self.resident_kib, resident)


def _lines(status: str) -> list[tuple[str, str, str]]:
    return [line.partition(":") for line in status.splitlines()]


def _family(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        return []
    return [pid, *(each for child in children for each in _family(int(child)))]


def measured_import(feed: Path, catalog_url: str, index_dir: Path) -> Measured:
    """Imports `feed` as the whole catalog."""
    begun, before = time.monotonic(), _cpu_s()
    process = subprocess.Popen(
        [sys.executable, "-m", "search_client", "import", str(feed), "--catalog", catalog_url, "--replace"],
        cwd=ROOT,
        env=os.environ | {"CATALOG_INDEX_DIR": str(index_dir), "CATALOG_URL": catalog_url},
        stdout=subprocess.DEVNULL,
    )
    watch = Watch()
    while process.poll() is None:
        watch.look(process.pid)
        time.sleep(0.2)
    if process.returncode:
        raise RuntimeError(f"the import ended with exit code {process.returncode}")
    return Measured(
        time.monotonic() - begun,
        _cpu_s() - before,
        watch.child_cpu_s,
        watch.anonymous_kib // 1024,
        watch.resident_kib // 1024,
    )


def _cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _mib(*paths: Path) -> int:
    files = [file for path in paths for file in (path.rglob("*") if path.is_dir() else [path])]
    return sum(file.stat().st_size for file in files if file.is_file()) >> 20


def _catalog_mib(url: str, folder: Path) -> int:
    if url.startswith("sqlite"):
        return _mib(*folder.glob("catalog.sqlite*"))
    import psycopg

    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT pg_total_relation_size('catalog_products')").fetchone()
    return int(row[0]) >> 20 if row else 0


def _databases(folder: Path, postgres_url: str) -> list[tuple[str, str]]:
    found = [("SQLite", f"sqlite:///{folder}/catalog.sqlite"), ("PostgreSQL", postgres_url)]
    return [pair for pair in found if os.environ.get("BENCH_DATABASE", pair[0]) == pair[0]]


def main() -> int:
    rows = int(os.environ.get("BENCH_ROWS", "100000"))
    with tempfile.TemporaryDirectory() as name, postgres_schema() as postgres_url:
        folder = Path(name)
        feed = folder / "feed.csv"
        write_csv(feed, rows=rows)
        print(f"CSV of {rows:,} products, {_mib(feed):,} MiB, read, stored and indexed:", flush=True)
        for title, url in _databases(folder, postgres_url):
            index = folder / f"index-{title}"
            for name in (title, "again"):
                print(f"  {name:<10} {measured_import(feed, url, index)}", flush=True)
            print(
                f"  {'':<10} on disk: catalog {_catalog_mib(url, folder):,} MiB, index {_mib(index):,} MiB", flush=True
            )
    return 0
