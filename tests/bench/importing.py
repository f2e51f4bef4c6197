"""How long a merchant's CSV takes into the catalog and its index, and how much memory, on SQLite and PostgreSQL.

`BENCH_ROWS=1000000 BENCH_DATABASE=SQLite python -m tests.bench importing`; by default 100,000 rows, both databases.
"""

from __future__ import annotations

import csv
import os
import resource
import subprocess
import sys
import tempfile
import time
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


def measured_import(feed: Path, catalog_url: str, index_dir: Path) -> tuple[float, float, int]:
    """Seconds of wall and CPU time and peak MiB of own memory of one import with its index, all processes together."""
    begun = time.monotonic()
    before = _cpu_s()
    process = subprocess.Popen(
        [sys.executable, "-m", "search_client", "import", str(feed), "--catalog", catalog_url, "--replace"],
        cwd=ROOT,
        env=os.environ | {"CATALOG_INDEX_DIR": str(index_dir), "CATALOG_URL": catalog_url},
        stdout=subprocess.DEVNULL,
    )
    peak = 0
    while process.poll() is None:
        peak = max(peak, _anonymous_kib(process.pid))
        time.sleep(0.2)
    if process.returncode:
        raise RuntimeError(f"the import ended with exit code {process.returncode}")
    return time.monotonic() - begun, _cpu_s() - before, peak // 1024


def _cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _anonymous_kib(pid: int) -> int:
    """Memory of a process and of all it has started, without the pages of files that are mapped, such as the index."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:  # it has ended meanwhile
        return 0
    own = next((int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")), 0)
    return own + sum(_anonymous_kib(int(child)) for child in children)


def _databases(folder: Path, postgres_url: str) -> list[tuple[str, str]]:
    found = [("SQLite", f"sqlite:///{folder}/catalog.sqlite"), ("PostgreSQL", postgres_url)]
    return [pair for pair in found if os.environ.get("BENCH_DATABASE", pair[0]) == pair[0]]


def main() -> int:
    rows = int(os.environ.get("BENCH_ROWS", "100000"))
    with tempfile.TemporaryDirectory() as name, postgres_schema() as postgres_url:
        folder = Path(name)
        feed = folder / "feed.csv"
        write_csv(feed, rows=rows)
        print(f"CSV of {rows:,} products, {feed.stat().st_size >> 20:,} MiB, read, stored and indexed:")
        for title, url in _databases(folder, postgres_url):
            for name in (title, "again"):
                wall_s, cpu_s, mebibytes = measured_import(feed, url, folder / f"index-{title}")
                speed = f"{rows / wall_s:7,.0f} products/s"
                print(f"  {name:<10} {wall_s:7.1f} s, {cpu_s:7.1f} s of CPU {speed}  {mebibytes:5,} MiB", flush=True)
    return 0
