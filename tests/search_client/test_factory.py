from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from search_client.errors import SearchUnavailableError, SettingsError
from search_client.factory import open_catalog_store, open_search_client
from search_client.local import LocalSearchClient
from search_client.models import Product, SearchQuery
from search_client.settings import CatalogSettings
from search_client.wrappers import BreakingSearchClient, CachingSearchClient

MUG = Product("1", "Mug")


def test_a_database_gives_a_local_client_over_what_it_holds(tmp_path: Path) -> None:
    settings = CatalogSettings(f"sqlite:///{tmp_path}/catalog.sqlite")
    with closing(open_catalog_store(settings)) as store:
        store.write([MUG])
    indexed: list[int] = []
    with closing(open_search_client(settings, progress=indexed.append)) as client:
        assert isinstance(client, LocalSearchClient)
        assert client.search(SearchQuery(("mug",))).products == (MUG,)
    assert (tmp_path / "catalog.sqlite.index").is_dir()


def test_the_environment_says_which_catalog_where_nothing_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATALOG_URL", f"sqlite:///{tmp_path}/catalog.sqlite")
    monkeypatch.setenv("CATALOG_CACHE_ANSWERS", "10")
    with closing(open_search_client()) as client:
        assert isinstance(client, CachingSearchClient)
        assert client.search(SearchQuery()).total == 0


def test_a_service_gives_a_client_that_retries_and_rests() -> None:
    with closing(open_search_client(CatalogSettings("http://127.0.0.1:1", timeout_s=0.2))) as client:
        assert isinstance(client, BreakingSearchClient)
        with pytest.raises(SearchUnavailableError):
            client.search(SearchQuery())


def test_a_service_has_no_database_to_write() -> None:
    with pytest.raises(SettingsError, match="is a service"):
        open_catalog_store(CatalogSettings("https://search.example"))


def test_a_database_that_never_answered_leaves_nothing_to_search(tmp_path: Path) -> None:
    with pytest.raises(SearchUnavailableError):
        open_search_client(CatalogSettings("postgresql://127.0.0.1:1/shop", index_dir=tmp_path))


def test_importing_loads_no_engine_and_no_driver() -> None:
    heavy = "{'sqlalchemy', 'psycopg', 'tantivy', 'httpx', 'tqdm', 'flask', 'openai', 'pydantic'}"
    code = f"import sys, search_client.__main__, search_client.factory as f; sys.exit(str({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == "set()"


def test_a_server_that_has_to_index_first_tells_its_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("search_client.factory._LOGGED_EVERY", 1_000)
    settings = CatalogSettings(f"sqlite:///{tmp_path}/catalog.sqlite")
    with closing(open_catalog_store(settings)) as store:
        store.write(Product(f"p{number}", "Mug") for number in range(2_500))
    with caplog.at_level("INFO", logger="search_client.factory"):
        open_search_client(settings).close()
    assert caplog.messages == ["indexed 1000 products", "indexed 2000 products"]


def test_a_shops_own_synonyms_are_searched_beside_ours(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/catalog.sqlite"
    own = tmp_path / "synonyms.txt"
    own.write_text("# our words\nwellies, rubber boots\n", encoding="utf-8")
    with closing(open_catalog_store(CatalogSettings(url))) as store:
        store.write([Product(id="b", title="Rubber boots"), Product(id="s", title="Grey sofa")])
    for file, expected in ((None, 0), (own, 1)):
        with closing(open_search_client(CatalogSettings(url, synonyms_file=file))) as client:
            assert client.search(SearchQuery(("wellies",))).total == expected
            assert client.search(SearchQuery(("couch",))).total == 1


@pytest.mark.parametrize("text", ["a, => b\nlonely", None], ids=["no rule", "no file"])
def test_a_synonym_file_that_cannot_be_read_is_named(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "synonyms.txt"
    if text:
        file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=r"synonyms\.txt"):
        open_search_client(CatalogSettings(f"sqlite:///{tmp_path}/catalog.sqlite", synonyms_file=file))
