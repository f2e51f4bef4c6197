"""What models send under other names and shapes becomes bounded fields of the action's own."""

from __future__ import annotations

import math
from typing import Any

import pytest

from shopping_agent.actions import Clarify, GetProductDetails, NextActionResponse, Search


def search(**given: Any) -> Search:
    return Search.model_validate({"keywords": ["lamp"], **given})


@pytest.mark.parametrize(
    ("given", "field", "value"),
    [
        ({"keywords": "red shoes, size 42"}, "keywords", ["red shoes", "size 42"]),
        ({"keywords": '["a", "b"]'}, "keywords", ["a", "b"]),
        ({"keywords": [["a"], {"value": "b"}, 3, None, "a"]}, "keywords", ["a", "b", "3"]),
        ({"keywords": ["mug, blue"]}, "keywords", ["mug, blue"]),
        ({"keywords": None, "query": "lamp"}, "keywords", ["lamp"]),
        ({"Max Price": "50"}, "max_price", 50),
        ({"maxPrice": 50}, "max_price", 50),
        ({"price": {"max": "50"}}, "max_price", 50),
        ({"price": "20-50"}, "min_price", 20),
        ({"price_range": [20, 50]}, "max_price", 50),
        ({"budget": "ca. 1.299,50 €"}, "max_price", 1299.5),
        ({"max_price": "1 299 kr"}, "max_price", 1299),
        ({"max_price": "0.999"}, "max_price", 0.999),
        ({"min_price": 50, "max_price": 20}, "min_price", 20),
        ({"max_price": -5}, "max_price", None),
        ({"max_price": math.inf}, "max_price", None),
        ({"max_price": math.nan}, "max_price", None),
        ({"max_price": "1e999"}, "max_price", 1),
        ({"max_price": True}, "max_price", None),
        ({"max_price": 10**400}, "max_price", None),
        ({"brand": "Nike"}, "brands", ["Nike"]),
        ({"brands": {"name": "Nike"}}, "brands", ["Nike"]),
        ({"colour": "red"}, "colors", ["red"]),
        ({"size": 42}, "sizes", ["42"]),
        ({"size": 42.0}, "sizes", ["42"]),
        ({"size": 42.5}, "sizes", ["42.5"]),
        ({"categories": ["Shoes", "Boots"]}, "category", "Shoes"),
        ({"category": "Shoes, Boots"}, "category", "Shoes, Boots"),
        ({"min_rating": 9}, "min_rating", 5),
        ({"rating": "4+ stars"}, "min_rating", 4),
        ({"in_stock": "yes"}, "in_stock", True),
        ({"availability": "in stock"}, "in_stock", True),
        ({"in_stock": "no"}, "in_stock", False),
        ({"without": "leather"}, "exclude", ["leather"]),
        ({"sort": "price_low_to_high"}, "sort", "price_asc"),
        ({"sort": "price_high_to_low"}, "sort", "price_desc"),
        ({"sort_by": "Best rated"}, "sort", "rating"),
        ({"order": "latest"}, "sort", "newest"),
        ({"sort": "sideways"}, "sort", "relevance"),
        ({"attributes": {"Material": "wool", "": "x", "Fit": None}}, "attributes", {"Material": ["wool"]}),
        ({"attributes": "wool"}, "attributes", {}),
        ({"limit": 10_000}, "limit", 100),
        ({"limit": 0}, "limit", 1),
        ({"limit": "many"}, "limit", 8),
        ({"offset": -3}, "offset", 0),
        ({"offset": 10**9}, "offset", 10_000),
        ({"filters": {"brand": "Nike"}, "brands": ["Puma"]}, "brands", ["Puma"]),
        ({"kind": "details"}, "kind", "search"),
    ],
)
def test_a_search_field_is_read_as_it_was_meant(given: dict[str, Any], field: str, value: Any) -> None:
    assert getattr(search(**given), field) == value


def test_lists_and_texts_are_bounded() -> None:
    action = search(keywords=["w" * 5000] * 3 + [str(n) for n in range(500)], brands="b," * 5000)
    assert len(action.keywords) <= 12
    assert max(map(len, action.keywords)) <= 120
    assert action.brands == ["b"]


@pytest.mark.parametrize(
    ("given", "want"),
    [
        ({"id": "K3"}, ("K3", None, [])),
        ({"productId": 7}, ("7", None, [])),
        ({"product_id": "K3", "compare_with": "K4, K5, K3"}, ("K3", None, ["K4", "K5"])),
        ({"product_id": "", "compare_with": ["K4", "K5"]}, ("K4", None, ["K5"])),
        ({"product_id": ["K3", "K4"]}, ("K3", None, ["K4"])),
        ({"product_id": {"id": "K3"}, "question": "waterproof"}, ("K3", "waterproof", [])),
        ({"product_id": "Product ID: K3", "aspect": "null"}, ("K3", None, [])),
        ({"product_id": "K3", "aspect": "more"}, ("K3", None, [])),
        ({"product_id": "K3", "aspect": "product_id"}, ("K3", None, [])),
        ({}, ("", None, [])),
    ],
)
def test_details_are_read_as_they_were_meant(given: dict[str, Any], want: tuple[str, Any, list[str]]) -> None:
    action = GetProductDetails.model_validate(given)
    assert (action.product_id, action.aspect, action.compare_with) == want


@pytest.mark.parametrize(
    ("given", "want"),
    [
        ({"text": "Which size?", "about": "sizes"}, ("Which size?", "size")),
        ({"message": "How much?", "facet": "budget"}, ("How much?", "price")),
        ({"question": None, "about": None}, ("", None)),
        ({"question": "a\nb\x00?"}, ("a b ?".replace(" ?", " ?"), None)),
    ],
)
def test_a_question_is_read_as_it_was_meant(given: dict[str, Any], want: tuple[str, Any]) -> None:
    action = Clarify.model_validate(given)
    assert (action.question, action.about) == want


def test_the_schema_is_small_and_holds_nothing_that_a_function_may_not() -> None:
    schema = str(NextActionResponse.model_json_schema())
    for word in ("oneOf", "$ref", "$defs", "discriminator", "'null'", "default", "offset", "candidates"):
        assert word not in schema
    for word in ("search", "details", "clarify", "compare_with", "min_rating"):
        assert word in schema


def test_a_wish_is_told_in_the_words_of_a_shopper() -> None:
    wish = search(colors=["red"], brands=["Nike"], sizes=["42"], exclude=["wool"], min_price=5, max_price=19.5)
    assert wish.in_words == "red Nike lamp size 42 without wool over 5 under 19.5"
    assert Search(keywords=[], category="Shoes").in_words == "Shoes"
    assert Search(keywords=[]).in_words == "everything"


def test_what_no_code_sends_is_refused_as_it_stands() -> None:
    with pytest.raises(ValueError, match="valid"):
        Search.model_validate("lamp")
