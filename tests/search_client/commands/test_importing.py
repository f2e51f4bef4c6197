from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from search_client.codec import dump_products
from search_client.commands.importing import installed_text_check
from search_client.commands.reporting import report_lines
from search_client.factory import open_catalog_store, open_search_client
from search_client.feeds import ImportReport, Kind
from search_client.models import Product, SearchQuery
from search_client.settings import CatalogSettings
from search_client.store.catalog_store import WriteReport
from tests.search_client.commands.conftest import Run
from tests.search_client.shop import SHOP

RunJson = Callable[..., dict[str, object]]
ROOT = Path(__file__).parents[3]

FEED = """id,title,price,currency,category,wholesale price
K1,"Trail Boot, brown",129.95,USD,Shoes,1.00
K2,Desk Lamp,39.90,USD,Lighting,1.00
K3,,12.00,USD,Lighting,1.00
"""


@pytest.fixture
def feed(tmp_path: Path) -> Path:
    path = tmp_path / "shop.csv"
    path.write_text(FEED, encoding="utf-8")
    return path


def test_an_import_says_what_it_took_the_file_for_and_what_came_of_it(run: Run, feed: Path) -> None:
    code, out, err = run("import", str(feed))
    assert (code, err) == (0, "")
    assert out.startswith("shop.csv: plain, utf-8, columns by ','")
    assert "left out as private: wholesale price" in out
    assert "4: skipped: no title" in out
    assert out.endswith("Imported 2 products of 3 records: 2 new, 0 changed, 0 as before; 1 left out, 0 repaired.\n")


def test_what_was_imported_is_found_at_once(run: Run, feed: Path) -> None:
    run("import", str(feed))
    assert run("search", "boot")[1] == "1. Trail Boot, brown (ID: K1), 129.95 USD\n"


def test_the_same_file_again_changes_nothing_and_a_changed_one_only_what_changed(run_json: RunJson, feed: Path) -> None:
    run_json("import", str(feed))
    assert {key: run_json("import", str(feed))[key] for key in ("added", "updated", "unchanged")} == {
        "added": 0,
        "updated": 0,
        "unchanged": 2,
    }
    feed.write_text(FEED.replace("39.90", "35.00"), encoding="utf-8")
    assert run_json("import", str(feed))["updated"] == 1


def test_only_a_replacement_removes_what_is_gone(run: Run, run_json: RunJson, feed: Path) -> None:
    run_json("import", str(feed))
    feed.write_text("".join(line for line in FEED.splitlines(keepends=True) if "K1" not in line), encoding="utf-8")
    assert run_json("import", str(feed), "--update")["deleted"] == 0
    assert "1 removed" in run("import", str(feed), "--replace")[1]
    assert run_json("stats")["product_count"] == 1


def test_the_first_import_replaces_the_demo_products(
    run: Run, run_json: RunJson, feed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("search_client.demo.products", lambda: iter(SHOP))
    run("demo")
    run("import", str(feed))
    assert run_json("stats")["product_count"] == 2
    other = feed.with_name("more.jsonl.gz")
    other.write_bytes(gzip.compress("".join(dump_products([Product("n1", "Mug")])).encode()))
    run("import", str(other))
    assert run_json("stats")["product_count"] == 3


def test_an_update_keeps_the_demo_products(
    run: Run, run_json: RunJson, feed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("search_client.demo.products", lambda: iter(SHOP))
    monkeypatch.setattr("search_client.index.ahead._FEW", 1)
    run("demo")
    run("import", str(feed), "--update")
    assert run_json("search", "--limit", "20")["total"] == 4 + 2
    run("import", str(feed))
    assert run_json("search", "--limit", "20")["total"] == 4 + 2


def test_a_dry_run_reports_and_changes_nothing(run: Run, run_json: RunJson, feed: Path) -> None:
    out = run("import", str(feed), "--dry-run")[1]
    assert out.endswith("Would import 2 products of 3 records; 1 left out, 0 repaired. Nothing was changed.\n")
    assert run_json("stats")["product_count"] == 0


def test_strict_means_the_first_fault_and_nothing_changed(run: Run, run_json: RunJson, feed: Path) -> None:
    code, _, err = run("import", str(feed), "--strict")
    assert code == 2
    assert "4: skipped: no title" in err
    assert run_json("stats")["product_count"] == 0


def test_columns_decimal_sign_and_currency_can_be_said(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "artikel.csv"
    path.write_text("Nr;Wort;VK\n007;Lampe;1.299,00\n", encoding="utf-8")
    said = ["--map", "id=Nr", "--map", "title=Wort", "--map", "price=VK", "--decimal", ",", "--currency", "EUR"]
    assert run("import", str(path), *said, "--delimiter", ";")[0] == 0
    assert run("search", "lampe")[1] == "1. Lampe (ID: 007), 1299.00 EUR\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("columns.txt", "# our ERP\nid=Nr\n\ntitle=Wort = Name\nprice=VK\n"),
        ("columns.csv", 'field,column\nid,Nr\ntitle,"Wort = Name"\nprice,VK\n'),
        ("columns.json", '{"id": "Nr", "title": ["Wort = Name"], "price": "VK"}'),
    ],
)
def test_a_mapping_is_kept_in_a_file(run: Run, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "artikel.csv").write_text("Nr;Wort = Name;VK\n007;Lampe;1.299,00\n", encoding="utf-8")
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert run("import", "artikel.csv", "--map", name, "--currency", "EUR")[0] == 0
    assert run("search", "lampe")[1] == "1. Lampe (ID: 007), 1299.00 EUR\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"title=Wort\nprice\n", "line 2: 'price' is not FIELD=COLUMN."),
        (b'{"title": 5}', "'title' names 5, which is no column."),
        (b'{"title": ', "is no JSON object of fields and columns"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"titel=Wort", "--map titel=Wort: no field 'titel'"),
    ],
)
def test_a_mapping_file_that_cannot_be_used_is_said_where(
    run: Run, feed: Path, tmp_path: Path, text: bytes, message: str
) -> None:
    (tmp_path / "columns").write_bytes(text)
    code, _, err = run("import", str(feed), "--map", "columns")
    assert code == 2
    assert message in err


def test_help_says_what_to_write_for_what_could_not_be_found_out(run: Run) -> None:
    shown = " ".join(run("import", "--help")[1].split())
    assert "--decimal SIGN before the cents: . as in 1,299.00 or , as in 1.299,00" in shown
    assert "title=Bezeichnung; repeat it, or name a file of such lines" in shown


def test_an_export_imported_elsewhere_gives_the_same_catalog(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    with closing(open_catalog_store(CatalogSettings(f"sqlite:///{tmp_path}/catalog.sqlite"))) as store:
        store.write(SHOP)
    run("export", "out.jsonl")
    elsewhere = f"sqlite:///{tmp_path}/other.sqlite"
    assert run_json("import", "out.jsonl", "--catalog", elsewhere)["added"] == len(SHOP)
    with closing(open_catalog_store(CatalogSettings(elsewhere))) as store:
        assert {change.product for change in store.changes_since(0)} == set(SHOP)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope.csv"], "Cannot read 'nope.csv'"),
        (["shop.csv", "nope.csv"], "Cannot read 'nope.csv'"),
        (["empty.csv"], "empty.csv"),
        (["picture.png"], "is a picture"),
        (["shop.csv", "--currency", "money"], "--currency 'money' is not an ISO 4217 code"),
        (["shop.csv", "--map", "title"], "--map 'title' is not FIELD=COLUMN"),
        (["shop.csv", "--format", "sap"], "sap"),
        (["shop.csv", "--catalog", "https://search.example"], "is a service that is only read"),
        (["shop.csv", "--update", "--replace"], "not allowed with argument"),
        ([], "the following arguments are required: FILE"),
    ],
)
@pytest.mark.usefixtures("feed")
def test_what_cannot_be_imported_is_said_in_one_sentence(
    run: Run, run_json: RunJson, tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "empty.csv").write_bytes(b"")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    code, _, err = run("import", *arguments)
    assert code == 2
    assert message in err
    assert "Traceback" not in err
    assert run_json("stats")["product_count"] == 0


def test_an_interruption_while_indexing_says_that_the_products_are_in(
    run: Run, run_json: RunJson, feed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: CatalogSettings) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("search_client.commands.importing.opened", interrupted)
        assert "Imported; stopped while indexing" in run("import", str(feed))[2]
    assert run_json("stats")["product_count"] == 2


def test_findings_of_one_kind_are_shown_thrice_and_counted() -> None:
    report = ImportReport()
    for line in range(9):
        report.tell(Kind.SKIPPED, line, "no title")
    for reason in range(14):
        report.tell(Kind.WARNING, None, f"odd {reason}")
    report.suspicious = 2
    lines = list(report_lines(report, WriteReport(added=1, deleted=3)))
    assert lines[:4] == [f"  {line}: skipped: no title" for line in range(3)] + ["    … and 6 more like it"]
    assert "    … and 2 more reasons why records were warning (see --json)" in lines
    assert lines[-2].startswith("2 products carry text that reads like instructions")
    assert lines[-1].endswith("3 removed; 9 left out, 0 repaired.")


def test_text_that_an_installed_check_tells_is_counted_and_imported_all_the_same(
    run_json: RunJson, feed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = [EntryPoint("every text", "operator:truth", "search_client.text_checks")]
    monkeypatch.setattr("search_client.commands.importing.entry_points", lambda group: offered)
    checked = run_json("import", str(feed))
    assert (checked["suspicious"], checked["imported"]) == (2, 2)
    assert run_json("import", str(feed), "--no-text-check")["suspicious"] == 0


def test_without_an_installed_check_nothing_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search_client.commands.importing.entry_points", lambda group: [])
    assert installed_text_check() is None


@pytest.mark.parametrize("after_lines", [0, 1, 2])
def test_an_import_killed_at_any_moment_leaves_a_catalog_that_answers(tmp_path: Path, after_lines: int) -> None:
    settings = CatalogSettings(f"sqlite:///{tmp_path}/catalog.sqlite")
    with closing(open_catalog_store(settings)) as store:
        store.write([Product("old", "Old Mug")])
    feed = tmp_path / "big.jsonl"
    feed.write_text("".join(dump_products(Product(f"p{n}", "New Mug") for n in range(20_000))), encoding="utf-8")
    command = [sys.executable, "-u", "-m", "search_client", "import", str(feed), "--catalog", settings.catalog_url]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as importing:
        assert importing.stdout is not None
        for _ in range(after_lines):  # the lines that say what the file is come before its products are read
            importing.stdout.readline()
        os.kill(importing.pid, signal.SIGKILL)
    with closing(open_search_client(settings)) as client:
        assert client.search(SearchQuery(("mug",))).total in {1, 20_001}
        assert client.vocabulary().product_count in {1, 20_001}


def test_the_report_is_one_object_for_programs(run_json: RunJson, feed: Path) -> None:
    report = run_json("import", str(feed))
    assert {"detected", "read", "imported", "skipped", "repaired", "added", "updated", "findings"} <= set(report)
    assert json.loads(json.dumps(report)) == report


def test_a_first_import_is_indexed_while_it_is_read(
    run: Run, run_json: RunJson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("search_client.index.ahead._FEW", 10)
    path = tmp_path / "mugs.jsonl"
    path.write_text("".join(dump_products(Product(f"p{n}", f"Mug {n}") for n in range(50))), encoding="utf-8")
    run_json("import", str(path))
    built = list((tmp_path / "catalog.sqlite.index").glob("generation-*"))
    assert run_json("search", "mug")["total"] == 50
    path.write_text("".join(dump_products(Product(f"p{n}", f"Cup {n}") for n in range(49))), encoding="utf-8")
    assert run_json("import", str(path), "--replace")["deleted"] == 1
    assert run_json("search", "Cup 7")["total"] != 0
    assert list((tmp_path / "catalog.sqlite.index").glob("generation-*")) == built
