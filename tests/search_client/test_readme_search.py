from __future__ import annotations

import re
from pathlib import Path

import pytest

from search_client import CatalogSettings, Money, Product, open_catalog_store
from search_client.models import Availability

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_search_snippet_finds_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'catalog.sqlite'}"
    monkeypatch.setenv("CATALOG_URL", url)
    store = open_catalog_store(CatalogSettings(catalog_url=url))
    store.write([Product("1", "Black boots", price=Money(9900, "USD"), availability=Availability.IN_STOCK)])
    store.close()
    section = README.split("\n## Search\n")[1].split("\n## ")[0]
    snippet = re.search(r"```python\n(.*?)```", section, re.S)
    assert snippet

    names: dict[str, object] = {}
    exec(snippet[1] + "\nclient.close()", names)

    assert capsys.readouterr().out == "Black boots ('title',) ()\n"
