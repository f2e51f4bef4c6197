"""The index that follows its catalog: fresh, whole and rebuilt by itself, whatever happens to process or file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from search_client.errors import CatalogError, SearchUnavailableError
from search_client.index.schema import FORMAT
from search_client.index.storage import IndexDirectory
from search_client.local import LocalSearchClient
from search_client.models import Money, Product, SearchQuery
from search_client.store.catalog_store import CatalogState
from search_client.store.sql_store import SqlCatalogStore, open_store

MUGS = [Product(id=f"m{number}", title="Enamel mug", price=Money(900, "USD")) for number in range(20)]


class Unreachable:
    """A store that can be taken down; else the store it wraps."""

    def __init__(self, store: SqlCatalogStore) -> None:
        self._store = store
        self.down = False

    def __getattr__(self, name: str) -> object:
        if self.down and name != "close":
            raise SearchUnavailableError("the database is away")
        return getattr(self._store, name)

    def state(self) -> CatalogState:
        if self.down:
            raise SearchUnavailableError("the database is away")
        return self._store.state()


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'catalog.sqlite'}"


@pytest.fixture
def store(url: str) -> Iterator[SqlCatalogStore]:
    opened = open_store(url)
    opened.write(MUGS)
    yield opened
    opened.close()


@pytest.fixture
def open_client(url: str, tmp_path: Path, store: SqlCatalogStore) -> Iterator[Callable[[], LocalSearchClient]]:
    opened: list[LocalSearchClient] = []

    def open_another() -> LocalSearchClient:
        opened.append(LocalSearchClient(open_store(url), tmp_path / "index", check_every_s=0))
        return opened[-1]

    yield open_another
    for client in opened:
        client.close()


def total(client: LocalSearchClient, *words: str) -> int:
    return client.search(SearchQuery(words)).total


def test_the_next_search_sees_what_was_just_written(
    store: SqlCatalogStore, open_client: Callable[[], LocalSearchClient]
) -> None:
    client = open_client()
    assert total(client, "lantern") == 0

    store.write([Product(id="l1", title="Storm lantern", price=Money(500, "USD"))])
    assert total(client, "lantern") == 1
    store.write([Product(id="l1", title="Storm lantern", price=Money(400, "USD"))])
    assert client.search(SearchQuery(("lantern",))).products[0].price == Money(400, "USD")
    store.write([], delete=["l1"])
    assert total(client, "lantern") == 0
    store.write([Product(id="t1", title="Tent")], replace=True)
    assert (total(client, "mug"), total(client, "tent"), total(client)) == (0, 1, 1)


def test_every_process_reads_what_one_of_them_indexed(
    store: SqlCatalogStore, open_client: Callable[[], LocalSearchClient]
) -> None:
    first, second = open_client(), open_client()

    store.write([Product(id="l1", title="Storm lantern")])

    assert total(first, "lantern") == 1
    assert total(second, "lantern") == 1


def test_an_index_up_to_date_is_opened_not_built(tmp_path: Path, open_client: Callable[[], LocalSearchClient]) -> None:
    open_client()
    before = IndexDirectory(tmp_path / "index").current()

    assert total(open_client(), "mug") == 20
    assert IndexDirectory(tmp_path / "index").current() == before


def test_an_index_of_another_catalog_is_replaced(tmp_path: Path, open_client: Callable[[], LocalSearchClient]) -> None:
    open_client().close()
    other = open_store(f"sqlite:///{tmp_path / 'other.sqlite'}")
    other.write([Product(id="t1", title="Tent")])

    client = LocalSearchClient(other, tmp_path / "index")

    assert (total(client, "mug"), total(client, "tent")) == (0, 1)
    client.close()


def test_a_catalog_restored_from_a_backup_is_followed_back(
    url: str, tmp_path: Path, store: SqlCatalogStore, open_client: Callable[[], LocalSearchClient]
) -> None:
    path = tmp_path / "catalog.sqlite"
    backup = path.read_bytes()
    store.write([Product(id="t1", title="Tent")])
    open_client().close()
    store.close()
    for extra in tmp_path.glob("catalog.sqlite-*"):
        extra.unlink()
    path.write_bytes(backup)

    assert total(open_client(), "tent") == 0


@pytest.mark.parametrize("suffix", [".store", ".idx", ".term", ".json", ".bin"])
def test_a_damaged_index_is_built_anew_by_itself(
    suffix: str, tmp_path: Path, open_client: Callable[[], LocalSearchClient]
) -> None:
    open_client().close()
    generation = IndexDirectory(tmp_path / "index").current()
    assert generation is not None
    damaged = next(path for path in generation.path.iterdir() if path.suffix == suffix)
    content = damaged.read_bytes()
    damaged.unlink()
    damaged.write_bytes(content[: len(content) // 2])

    assert total(open_client(), "mug") == 20


def test_an_index_that_a_killed_writer_left_in_the_way_is_built_anew(
    tmp_path: Path, open_client: Callable[[], LocalSearchClient], store: SqlCatalogStore
) -> None:
    client = open_client()
    meta = next((tmp_path / "index").rglob("meta.json"))
    for segment in json.loads(meta.read_text())["segments"]:
        name = segment["segment_id"].replace("-", "")
        for stamp in range(200):
            (meta.parent / f"{name}.{stamp}.del").touch()
    store.write([Product(id="m1", title="Steel kettle", price=Money(900, "USD"))])
    assert total(client, "kettle") == 1
    assert total(client, "mug") == len(MUGS) - 1


@pytest.mark.parametrize(
    "pointer", ['{"format": 999, "generation": "x"}', "{}", "not json", f'{{"format": {FORMAT}, "generation": ".."}}']
)
def test_an_index_of_another_format_is_built_anew_by_itself(
    pointer: str, tmp_path: Path, open_client: Callable[[], LocalSearchClient]
) -> None:
    open_client().close()
    (tmp_path / "index" / "CURRENT").write_text(pointer, encoding="utf-8")

    assert total(open_client(), "mug") == 20
    assert len(list((tmp_path / "index").glob("generation-*"))) == 1


def test_a_damaged_record_is_told_in_one_sentence_with_what_to_do(
    tmp_path: Path, open_client: Callable[[], LocalSearchClient]
) -> None:
    client = open_client()
    client.search(SearchQuery(("mug",)))
    engine = client._current()._engine
    engine.packer.dictionary = b"nonsense"

    with pytest.raises(CatalogError, match="delete that folder"):
        client.search(SearchQuery(("mug",)))


def test_while_the_store_is_away_the_last_index_answers_and_says_so(
    url: str, tmp_path: Path, store: SqlCatalogStore
) -> None:
    away = Unreachable(open_store(url))
    client = LocalSearchClient(away, tmp_path / "index", check_every_s=0)  # type: ignore[arg-type]  # by __getattr__

    away.down = True
    results = client.search(SearchQuery(("mug",)))

    assert (results.total, results.stale) == (20, True)
    assert client.get_product_details("m1") == MUGS[1]
    assert len(client.alternatives("m1")) > 0
    client.close()
    again = LocalSearchClient(away, tmp_path / "index", check_every_s=0)  # type: ignore[arg-type]  # by __getattr__
    assert again.search(SearchQuery(("mug",))).stale
    again.close()
    with pytest.raises(SearchUnavailableError):
        LocalSearchClient(away, tmp_path / "elsewhere")  # type: ignore[arg-type]  # by __getattr__


def test_building_tells_how_far_it_is(url: str, tmp_path: Path, store: SqlCatalogStore) -> None:
    store.write(Product(id=f"x{number}", title="Peg") for number in range(2_500))
    told: list[int] = []

    LocalSearchClient(open_store(url), tmp_path / "index", progress=told.append).close()

    assert told == [1_000, 2_000]


def test_a_folder_that_cannot_be_made_is_told(url: str, tmp_path: Path, store: SqlCatalogStore) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CatalogError, match="cannot be made"):
        LocalSearchClient(open_store(url), tmp_path / "file" / "index")


_WRITER = """
import sys
from pathlib import Path
from search_client.local import LocalSearchClient
from search_client.models import Product, SearchQuery
from search_client.store.sql_store import open_store

url, folder = sys.argv[1:]
client = LocalSearchClient(open_store(url), Path(folder), check_every_s=0)
store = open_store(url)
number = 0
while True:
    store.write([Product(id=f"n{number}", title="Novelty spoon")])
    client.search(SearchQuery(("spoon",)))
    number += 1
    print(number, flush=True)
"""

_READER = """
import json, sys
from pathlib import Path
from search_client.local import LocalSearchClient
from search_client.models import SearchQuery
from search_client.store.sql_store import open_store

url, folder = sys.argv[1:]
client = LocalSearchClient(open_store(url), Path(folder), check_every_s=0.01)
totals = [client.search(SearchQuery(("mug",))).total for _ in range(80)]
print(json.dumps([min(totals), max(totals)]))
client.close()
"""


def _started(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True)


def test_readers_beside_a_writer_see_a_whole_catalog_and_a_killed_writer_leaves_one(
    url: str, tmp_path: Path, store: SqlCatalogStore, open_client: Callable[[], LocalSearchClient]
) -> None:
    open_client().close()
    folder = str(tmp_path / "index")
    with _started(_WRITER, url, folder) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        readers = [_started(_READER, url, folder) for _ in range(2)]
        answers = [json.loads(reader.communicate()[0]) for reader in readers]
        os.kill(writer.pid, signal.SIGKILL)
        written = writer.stdout.read().split()

    assert answers == [[20, 20], [20, 20]]
    assert total(open_client(), "spoon") >= len(written)
    assert total(open_client(), "mug") == 20
