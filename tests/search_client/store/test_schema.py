from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from search_client.errors import CatalogError, SettingsError
from search_client.models import Product
from search_client.store.schema import MIGRATIONS, SCHEMA_VERSION
from search_client.store.sql_store import open_store


def test_a_step_leads_to_each_version() -> None:
    assert len(MIGRATIONS) == SCHEMA_VERSION


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/deep/folder/catalog.sqlite"
    with closing(open_store(url)) as store:
        store.write([Product("1", "Mug")])
        before = store.state()
    with closing(open_store(url)) as store:
        assert store.migrate() == 0
        assert store.state() == before


def test_two_catalogs_are_told_apart(tmp_path: Path) -> None:
    with closing(open_store(f"sqlite:///{tmp_path}/a")) as one, closing(open_store(f"sqlite:///{tmp_path}/b")) as other:
        assert one.state().catalog_id != other.state().catalog_id


def test_a_catalog_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    open_store(f"sqlite:///{path}").close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE catalog_state SET schema_version = 99")
    with pytest.raises(CatalogError, match="schema version 99, this program knows 1"):
        open_store(f"sqlite:///{path}")


@pytest.mark.parametrize("url", ["mysql://host/db", "sqlite://", "sqlite:///:memory:", "nonsense", ""])
def test_a_url_that_names_no_usable_catalog_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="catalog URL"):
        open_store(url)


_WRITE_FOREVER = """
import sys
from search_client.models import Product
from search_client.store.sql_store import open_store
store = open_store(sys.argv[1])
for round in range(1, 10**6):
    store.write([Product(f"p{n}", f"Thing of round {round}") for n in range(1500)], replace=round % 2 == 0)
    print(round, flush=True)
"""


def test_a_killed_writer_leaves_a_whole_catalog(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/catalog.sqlite"
    for rounds in (1, 2, 3):
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITE_FOREVER, url],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[3],
        )
        assert writer.stdout is not None
        for _ in range(rounds):
            writer.stdout.readline()
        writer.kill()
        writer.communicate()
        with closing(open_store(url)) as store:
            titles = {change.product.title for change in store.changes_since(0) if change.product}
            assert len(titles) == 1
            assert store.state().product_count == 1_500
            store.write([], replace=True)
