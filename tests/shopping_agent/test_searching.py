"""What a chosen search shows where the shop files a thing differently than the shopper says it."""

from __future__ import annotations

from search_client.models import Product
from search_client.testing import FakeSearchClient
from shopping_agent.actions import Search
from shopping_agent.results import ProductsFound

SHIRT = Product(id="s", title="Ocean Blue Shirt")
RED = Product(id="r", title="Shirt", options=(("Color", ("Red",)),))
NAMED = Product(id="n", title="Acme Kettle")
SHOP = FakeSearchClient([SHIRT, RED, NAMED])


def found(search: Search) -> list[str]:
    result = search.execute(SHOP)
    assert isinstance(result, ProductsFound)
    return [product.id for product in result.results.products]


def test_a_colour_that_stands_in_the_title_alone_is_found() -> None:
    assert found(Search(keywords=["shirt"], colors=["blue"])) == ["s"]


def test_a_brand_that_stands_in_the_title_alone_is_found() -> None:
    assert found(Search(keywords=["kettle"], brands=["Acme"])) == ["n"]


def test_a_colour_that_is_filed_is_a_condition() -> None:
    assert found(Search(keywords=["shirt"], colors=["red"])) == ["r"]


def test_a_colour_that_nothing_has_empties_the_result() -> None:
    assert found(Search(keywords=["shirt"], colors=["green"])) == []
