from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from search_client.factory import open_catalog_store
from search_client.models import Product
from search_client.settings import CatalogSettings
from search_client.store.forking import _abandon_all
from tests.postgres import postgres_schema

ROOT = Path(__file__).parents[3]

# As a web server does that loads the app once and forks its workers; each of them then reads at the same time.
_PRELOADED = """
import os, sys
from pathlib import Path
from search_client.factory import open_search_client
from search_client.models import SearchQuery
from search_client.settings import CatalogSettings
from search_client.store.forking import _abandon_all
client = open_search_client(CatalogSettings(sys.argv[1], index_dir=Path(sys.argv[2])))
client.get_product_details("p1")
client.vocabulary()
workers = []
for _ in range(3):
    if (worker := os.fork()) == 0:
        good = all(client.get_product_details(f"p{n % 50}").title == f"Mug {n % 50}" for n in range(300))
        os._exit(0 if good and client.search(SearchQuery(("mug",))).total == 50 else 1)
    workers.append(worker)
good = all(client.get_product_details(f"p{n % 50}").title == f"Mug {n % 50}" for n in range(300))
codes = [os.waitpid(worker, 0)[1] for worker in workers]
client.close()
sys.exit(0 if good and not any(codes) else 1)
"""


def forked(url: str, index_dir: Path) -> subprocess.CompletedProcess[str]:
    with closing(open_catalog_store(CatalogSettings(url))) as store:
        store.write(Product(f"p{number}", f"Mug {number}") for number in range(50))
    command = [sys.executable, "-W", "error", "-c", _PRELOADED, url, str(index_dir)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


def test_forked_workers_read_on_connections_of_their_own(tmp_path: Path) -> None:
    done = forked(f"sqlite:///{tmp_path}/catalog.sqlite", tmp_path / "index")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.postgres
def test_forked_workers_share_no_connection_to_the_server(tmp_path: Path) -> None:
    with postgres_schema() as url:
        done = forked(url, tmp_path / "index")
    assert (done.returncode, done.stderr) == (0, "")


def test_an_abandoned_store_reads_on_by_new_connections(tmp_path: Path) -> None:
    with closing(open_catalog_store(CatalogSettings(f"sqlite:///{tmp_path}/catalog.sqlite"))) as store:
        store.write([Product("p1", "Mug")])
        parents = store._engine.pool
        _abandon_all()
        assert store._engine.pool is not parents
        assert store.revision() == 1
        parents.dispose()
