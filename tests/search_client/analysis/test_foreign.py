"""Words of other languages read as the catalog's English ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_client.analysis.foreign import translated, translations
from search_client.models import Product, SearchQuery
from tests.contract.search_clients import open_local


@pytest.mark.parametrize(
    ("word", "english"),
    [
        ("mochila", "backpack"),
        ("rucksacke", "backpack"),
        ("rucksaecke", "backpack"),
        ("chaussettes", "socks"),
        ("跑鞋", "running shoes"),
    ],
)
def test_a_word_is_read_as_the_english_one(word: str, english: str) -> None:
    assert translations(word)[0] == english


def test_a_compound_is_read_by_its_parts_then_by_its_end() -> None:
    assert translations("winterjacke") == ("winter jacket", "jacket")


def test_what_the_catalog_lacks_is_no_translation() -> None:
    assert translated("winterjacke", known=lambda part: part == "jacket") == "jacket"
    assert translated("winterjacke", known=lambda _part: False) is None
    assert translated("quux", known=lambda _part: True) is None


def test_a_wish_in_another_language_finds_goods_and_says_how_it_was_read(tmp_path: Path) -> None:
    products = [Product("p1", "Hiking Backpack"), Product("p2", "Running Shoes"), Product("p3", "Mochila Roja")]
    client = open_local(products, tmp_path)
    found = client.search(SearchQuery(("跑鞋",)))
    assert [product.id for product in found.products] == ["p2"]
    assert [(correction.typed, correction.used) for correction in found.corrections] == [("跑鞋", "running shoes")]
    assert [product.id for product in client.search(SearchQuery(("mochila",))).products] == ["p3"]
    client.close()
