"""First questions come from what the catalog has."""

from __future__ import annotations

from dataclasses import replace

from search_client.errors import SearchUnavailableError
from search_client.models import Money
from search_client.testing import FakeSearchClient
from tests.web.shop import LAMP
from web.look import Look
from web.starters import Starter, starters
from web.strings import Strings

EN = Strings("en")


def test_each_department_gives_one_question_in_another_way() -> None:
    products = [
        replace(LAMP, id=f"{name}{number}", category=(name, f"{name} things"), price=Money(price, "USD"))
        for number, (name, price) in enumerate([("A", 3990), ("B", 21200), ("C", 500), ("D", 125000), ("E", 100)])
    ]
    made = starters(FakeSearchClient(products), EN, look=Look())
    assert [starter.text for starter in made] == [
        "Best rated A things",
        "B things under $250",
        "Show me C things",
        "D things under $1,500",
    ]
    assert made[0].image == "/static/icon.svg"


def test_the_merchants_own_questions_come_instead() -> None:
    assert starters(FakeSearchClient(), EN, look=Look(starters=("Tents?",))) == (Starter("Tents?"),)


def test_an_empty_or_silent_catalog_asks_nothing() -> None:
    silent = FakeSearchClient()
    silent.error = SearchUnavailableError("down")
    assert starters(FakeSearchClient(), EN, look=Look()) == starters(silent, EN, look=Look()) == ()
