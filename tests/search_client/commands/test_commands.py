from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.serving import make_server

from search_client.factory import open_catalog_store
from search_client.models import Product
from search_client.settings import CatalogSettings
from search_client.testing import FakeSearchClient
from tests.search_client.commands.conftest import Run
from tests.search_client.shop import SHOP
from web.blueprints.catalog_api import create_catalog_api

ROOT = Path(__file__).parents[3]
RunJson = Callable[..., dict[str, object]]


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[None]:
    with closing(open_catalog_store(CatalogSettings(f"sqlite:///{tmp_path}/catalog.sqlite"))) as store:
        store.write(SHOP)
    yield


@pytest.mark.parametrize("command", ["", "search", "stats", "demo", "export", "migrate", "rebuild-index"])
def test_help_says_what_a_command_does(run: Run, command: str) -> None:
    code, out, _ = run(*command.split(), "--help")
    assert code == 0
    assert "usage: python -m search_client" in out


@pytest.mark.usefixtures("filled")
def test_a_search_prints_what_the_catalog_says(run: Run) -> None:
    code, out, _ = run("search", "nike", "shirts", "--max-price", "30", "--brand", "Nike", "--in-stock", "--on-sale")
    assert code == 0
    assert out == "1. Nike Dry Fit T Shirt (ID: p1), 25.00 USD, was 30.00 USD, 4.5/5 (120), in stock\n"


@pytest.mark.usefixtures("filled")
def test_a_search_without_a_hit_says_what_emptied_it(run: Run) -> None:
    _, out, _ = run("search", "shirt", "--category", "Shirts", "--max-price", "1", "--brand", "Nikee")
    assert "This catalog has no 'Nikee' among its brands. Near: Nike." in out
    assert "Nothing found." in out


@pytest.mark.usefixtures("filled")
def test_a_search_can_print_the_contract_of_the_service(run_json: RunJson) -> None:
    found = run_json("search", "--attribute", "Material=Wool", "--color", "red", "--size", "M", "--min-rating", "1")
    assert found["total"] == 0
    assert run_json("search", "shirt", "--exclude", "nike", "--sort", "price_asc", "--limit", "1")["total"] == 2


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--max-price=-4", "--max-price -4 is not zero or more.\n"),
        ("--min-price=nan", "--min-price nan is not zero or more.\n"),
        ("--min-rating=9", "--min-rating 9 is not within 0 to 5.\n"),
    ],
)
def test_an_amount_that_no_product_can_have_is_refused(run: Run, option: str, said: str) -> None:
    assert run("search", "shirt", option) == (2, "", said)


def test_an_empty_catalog_says_how_to_fill_it(run: Run) -> None:
    assert "The catalog is empty. Fill it: python -m search_client import FILE" in run("search", "mug")[1]


@pytest.mark.usefixtures("filled")
def test_stats_tell_what_the_catalog_holds(run: Run, run_json: RunJson) -> None:
    _, out, _ = run("stats")
    assert "Products: 4, prices in USD" in out
    assert "Brands: Nike (1)" in out
    assert "Revision: 1" in out
    stats = run_json("stats")
    assert stats["product_count"] == 4
    assert stats["catalog"]


def test_demo_fills_an_empty_catalog_once(run: Run, run_json: RunJson, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search_client.demo.products", lambda: iter(SHOP))
    assert run("demo") == (0, "Made the demo catalog: 5 products.\n", "")
    assert run("demo") == (0, "", "")
    assert run_json("demo") == {"products": 5, "made": False}
    assert "filled with the demo products" in run("stats")[1]


@pytest.mark.usefixtures("filled")
def test_demo_leaves_a_catalog_that_holds_anything_alone(run: Run, run_json: RunJson) -> None:
    run("demo")
    assert run_json("stats")["product_count"] == 4


@pytest.mark.usefixtures("filled")
def test_an_export_is_a_native_file_written_whole(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    assert run_json("export", str(path)) == {"products": 5}
    lines = path.read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["id"] for line in lines} == {product.id for product in SHOP}
    assert run("export", "-")[1].splitlines() == lines
    assert [entry.name for entry in tmp_path.glob("out*")] == ["out.jsonl"]


@pytest.mark.usefixtures("filled")
def test_an_index_is_built_anew_and_a_schema_is_up_to_date(run: Run) -> None:
    run("search", "mug")
    assert run("rebuild-index") == (0, "Indexed 5 products anew.\n", "")
    assert run("migrate") == (0, "The schema is up to date (0 steps taken).\n", "")
    assert run("search", "mug")[1].startswith("1. Café Mug")


def test_migrate_makes_a_schema_where_there_is_none(run_json: RunJson) -> None:
    assert run_json("migrate") == {"steps": 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "--attribute", "Material"], "--attribute 'Material' is not NAME=VALUE"),
        (["search", "--limit", "0"], "limit 0 is not within 1 to 100"),
        (["search", "--catalog", "mysql://x"], "'mysql://x' is none of sqlite:///path"),
        (["search", "--catalog", "http://127.0.0.1:1"], "does not answer"),
        (["demo", "--catalog", "http://127.0.0.1:1"], "is a service that is only read"),
        (["migrate", "--catalog", "http://127.0.0.1:1"], "migrates its own database"),
        (["stats", "--catalog", "sqlite:///"], "names no file"),
        (["export", "no/such/folder/x.jsonl"], "cannot be written: No such file"),
        (["search", "--max-price", "cheap"], "invalid float value: 'cheap'"),
        (["fly"], "invalid choice: 'fly'"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(run: Run, arguments: list[str], message: str) -> None:
    code, out, err = run(*arguments)
    assert code == 2
    assert out == ""
    assert message in err
    assert "Traceback" not in err


def test_an_interruption_leaves_the_catalog_as_it_was(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> Iterator[Product]:
        yield from SHOP
        raise KeyboardInterrupt

    monkeypatch.setattr("search_client.demo.products", interrupted)
    assert run("demo") == (130, "", "Stopped; the catalog is as it was.\n")
    assert "The catalog is empty" in run("search", "mug")[1]


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/catalog.sqlite"
    with closing(open_catalog_store(CatalogSettings(url))) as store:
        store.write(Product(f"p{number}", "Thing " * 50) for number in range(3_000))
    command = [sys.executable, "-m", "search_client", "export", "-", "--catalog", url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as export:
        assert export.stdout is not None
        assert export.stderr is not None
        export.stdout.readline()
        export.stdout.close()
        assert export.stderr.read() == b""
    assert export.returncode == 0


@pytest.mark.usefixtures("filled")
def test_a_person_sees_how_far_the_index_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    run("search", "mug")
    assert "Indexing" in terminal.getvalue()


def test_another_deployment_is_searched_by_its_address(run: Run, run_json: RunJson) -> None:
    app = Flask("shop")
    app.register_blueprint(create_catalog_api(FakeSearchClient(SHOP)))
    server = make_server("127.0.0.1", 0, app, threaded=True)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    try:
        address = f"http://127.0.0.1:{server.server_port}"
        assert run("search", "mug", "--catalog", address)[1] == "1. Café Mug (ID: k/4 ü%), 9.00 USD\n"
        assert run_json("stats", "--catalog", address)["product_count"] == 4
        assert "Brands: Nike (1)" in run("stats", "--catalog", address)[1]
    finally:
        server.shutdown()
        serving.join()
        server.server_close()
