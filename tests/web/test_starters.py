"""First questions come from what the catalog has."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from search_client.errors import SearchUnavailableError
from search_client.local import LocalSearchClient
from search_client.models import Money
from search_client.store.sql_store import open_store
from search_client.testing import FakeSearchClient
from tests.web.shop import LAMP
from web.look import Look
from web.starters import LONGEST_S, Starter, Starters
from web.strings import Strings

EN = Strings("en")


def test_each_department_gives_one_question_in_another_way() -> None:
    products = [
        replace(LAMP, id=f"{name}{number}", category=(name, f"{name} things"), price=Money(price, "USD"))
        for number, (name, price) in enumerate([("A", 3990), ("B", 21200), ("C", 500), ("D", 125000), ("E", 100)])
    ]
    made = Starters(FakeSearchClient(products), look=Look()).questions(EN)
    assert [starter.text for starter in made] == [
        "Best rated A things",
        "B things under $250",
        "Show me C things",
        "D things under $1,500",
    ]
    assert made[0].image == "/static/icon.svg"


def test_the_merchants_own_questions_come_instead() -> None:
    assert Starters(FakeSearchClient(), look=Look(starters=("Tents?",))).questions(EN) == (Starter("Tents?"),)


def test_questions_are_made_anew_once_the_catalog_has_changed_or_after_minutes(tmp_path: Path) -> None:
    now = [0.0]
    store = open_store(f"sqlite:///{tmp_path}/catalog.sqlite")
    store.write([LAMP])
    with closing(LocalSearchClient(store, tmp_path / "index", check_every_s=0)) as catalog:
        made = Starters(catalog, look=Look(), clock=lambda: now[0])
        first = made.questions(EN)
        assert made.questions(EN) is first
        now[0] = LONGEST_S + 1
        assert made.questions(EN) is not first
        store.write([replace(LAMP, category=("Home", "Lanterns"))])
        assert [starter.text for starter in made.questions(EN)] == ["Best rated Lanterns"]


def test_an_empty_or_silent_catalog_asks_nothing() -> None:
    silent = FakeSearchClient()
    silent.error = SearchUnavailableError("down")
    assert [Starters(catalog, look=Look()).questions(EN) for catalog in (FakeSearchClient(), silent)] == [(), ()]
