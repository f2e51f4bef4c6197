"""What each tool answers, without any protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from search_client.client import SearchClient
from search_client.models import ANYONE, Shopper
from shopping_agent.conversation import shown_in
from shopping_agent.mcp_server.definitions import CATEGORIES, COMPARE, DETAILS, SEARCH, TOOLS, ToolDefinition
from shopping_agent.mcp_server.records import FENCE
from shopping_agent.mcp_server.tools import ToolAnswer, ToolError, call
from tests.shopping_agent.mcp_server.shop import heavy_shop, shop


def ask(
    definition: ToolDefinition,
    arguments: Mapping[str, Any] | None,
    *,
    client: SearchClient | None = None,
    shopper: Shopper = ANYONE,
) -> ToolAnswer:
    """The answer, checked against the schema that clients are told."""
    answer = call(definition, arguments, client=client or shop(), shopper=shopper)
    Draft202012Validator(definition.output_schema).validate(answer.data)
    return answer


def data(definition: ToolDefinition, arguments: Mapping[str, Any] | None, **how: Any) -> Any:
    return ask(definition, arguments, **how).data


def ids(answer: ToolAnswer) -> list[str]:
    products: Any = answer.data["products"]
    return [product["id"] for product in products]


def test_the_tools_are_these_four_and_their_schemas_are_schemas() -> None:
    assert [tool.name for tool in TOOLS] == [
        "search_products",
        "get_product_details",
        "compare_products",
        "list_categories",
    ]
    for tool in TOOLS:
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_description_says_what_for_what_goes_in_what_comes_out_and_gives_an_example_that_fits(
    tool: ToolDefinition,
) -> None:
    what_for, inputs, outputs, example = tool.description.split("\n")
    assert what_for and inputs.startswith("Inputs: ") and outputs.startswith("Outputs: ")
    arguments = json.loads(example.removeprefix("Example: "))
    Draft202012Validator(tool.input_schema).validate(arguments)


def test_a_search_gives_facts_of_records_and_the_same_as_text() -> None:
    answer = ask(SEARCH, {"query": "desk lamp"})
    assert answer.data["products"] == [
        {
            "id": "0010",
            "title": "Lumo Desk Lamp",
            "price": "39.90 USD",
            "list_price": "49.90 USD",
            "availability": "in_stock",
            "rating": 4.5,
            "rating_count": 12,
            "brand": "Lumo",
            "category": "Lighting > Lamps",
            "url": "https://shop.example/lamp",
            "image": "https://img.example/lamp.jpg",
            "summary": "A lamp with a USB port. Dimmable in three steps.",
        }
    ]
    assert "Lumo Desk Lamp (ID: 0010) — 39.90 USD, rated 4.5 of 5, in stock — https://shop.example/lamp" in answer.text
    assert [shown.id for shown in shown_in(answer.text)] == ["0010"]


def test_nothing_found_is_an_answer_that_says_what_emptied_it() -> None:
    answer = ask(SEARCH, {"query": "lamp", "max_price": 1})
    assert answer.data["total"] == 0 and answer.data["products"] == []
    assert any("without max_price" in note for note in data(SEARCH, {"query": "lamp", "max_price": 1})["notes"])


@pytest.mark.parametrize("arguments", [{}, None, {"query": None}, {"sort": None}])
def test_a_search_for_nothing_at_all_is_refused_with_an_example(arguments: Mapping[str, Any] | None) -> None:
    with pytest.raises(ToolError, match=r"query is missing.*running shoes"):
        ask(SEARCH, arguments)


def test_an_empty_query_browses() -> None:
    assert data(SEARCH, {"query": ""})["total"] == 4


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": "lamp", "max_price": "50"},
        {"query": "lamp", "max_price": 50, "category": None, "brands": None, "sort": None},
        {"query": "lamp", "filters": {"max_price": 50}},
        {"query": "lamp", "filters": '{"max_price": 50}'},
        {"q": "lamp", "maxPrice": "$50"},
        {"query": ["lamp"], "price_max": 50.0},
    ],
    ids=["number as text", "explicit nulls", "nested", "nested as JSON text", "other names", "list"],
)
def test_arguments_mean_the_same_however_a_client_writes_them(arguments: Mapping[str, Any]) -> None:
    assert ids(ask(SEARCH, arguments)) == ["0010"]


@pytest.mark.parametrize("query", ["[M4]", '["bracket"]', "12345", 12345, "null"])
def test_a_query_that_looks_like_json_or_a_number_is_plain_text(query: object) -> None:
    assert ids(ask(SEARCH, {"query": query})) == ["b-1"]


@pytest.mark.parametrize("query", ["{}", "*", "(M4", "a\\\\", "'; --", "AND", "%"])
def test_no_text_breaks_a_search(query: str) -> None:
    assert ask(SEARCH, {"query": query}).data["total"] != 4, "no character stands for everything"


def test_what_was_not_understood_is_told() -> None:
    notes = " ".join(
        data(SEARCH, {"query": "lamp", "max_price": "cheap", "sort": "magic", "limit": "x", "colour_depth": 3})["notes"]
    )
    assert "max_price 'cheap' could not be read" in notes
    assert "sort 'magic' is none of" in notes
    assert "limit 'x' is no number" in notes
    assert "'colour_depth'" in notes and "search_products takes query, min_price" in notes


def test_a_limit_out_of_bounds_is_the_nearest_and_told() -> None:
    found = data(SEARCH, {"query": "", "limit": 500})
    assert "limit 500 is not within 1 to 20; the nearest was taken." in found["notes"]


def test_an_object_for_a_query_is_refused_by_name() -> None:
    with pytest.raises(ToolError, match="query must be text, not an object"):
        ask(SEARCH, {"query": {"text": "lamp"}})


@pytest.mark.parametrize("filters", ["max_price=50", "[1]", 7])
def test_conditions_that_are_no_object_are_refused_by_name(filters: object) -> None:
    with pytest.raises(ToolError, match="filters must be an object"):
        ask(SEARCH, {"query": "lamp", "filters": filters})


def test_pages_follow_one_another_without_gap_or_double() -> None:
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        answer = ask(SEARCH, {"query": "", "limit": 3, "offset": offset})
        seen += ids(answer)
        following: Any = answer.data.get("next_offset")
        offset = following
    assert sorted(seen) == ["0010", "10", "NA", "b-1"]


@pytest.mark.parametrize("query", ["e", "", "egg timer"])
def test_a_broad_search_over_long_records_stays_within_some_tens_of_kilobytes(query: str) -> None:
    client = heavy_shop()
    answer = ask(SEARCH, {"query": query, "limit": 20}, client=client)
    assert len(json.dumps(answer.data)) + len(answer.text) < 64_000
    if answer.data["products"]:
        assert answer.data["total"] == 30 and answer.data["next_offset"]


def test_details_of_long_records_come_in_pieces_that_add_up() -> None:
    client = heavy_shop(1)
    whole, offset = "", 0
    while True:
        answer = ask(DETAILS, {"product_id": "e0000", "description_from": offset}, client=client)
        assert len(json.dumps(answer.data)) + len(answer.text) < 100_000
        product: Any = answer.data["product"]
        whole += product["description"]
        if "next_description" not in product:
            break
        offset = product["next_description"]
    assert whole == client.get_product_details("e0000").description
    variants = data(DETAILS, {"product_id": "e0000", "variants_from": 90}, client=client)["product"]
    assert variants["variants"][-1]["id"] == "e0000-99" and "next_variant" not in variants


def test_an_id_is_taken_as_it_stands() -> None:
    assert data(DETAILS, {"product_id": "0010"})["product"]["title"] == "Lumo Desk Lamp"
    assert data(DETAILS, {"product_id": 10})["product"]["title"] == "Lumo Floor Lamp"
    assert data(DETAILS, {"product_id": "NA"})["product"]["id"] == "NA"


def test_details_about_an_aspect_quote_the_record_or_say_that_it_does_not_tell() -> None:
    told = data(DETAILS, {"product_id": "0010", "aspect": "dimmable"})
    assert {"field": "Dimmable", "text": "Yes"} in told["quotes"]
    silent = data(DETAILS, {"product_id": "0010", "aspect": "warranty"})
    assert silent["quotes"] == [] and "does not tell about 'warranty'" in silent["notes"][0]


def test_an_unknown_id_is_an_error_that_says_where_ids_come_from() -> None:
    with pytest.raises(ToolError, match=r"no product 'NOPE'.*search_products"):
        ask(DETAILS, {"product_id": "NOPE"})
    with pytest.raises(ToolError, match="product_id is missing"):
        ask(DETAILS, {"product_id": ""})


def test_a_name_in_place_of_an_id_is_an_error_that_names_the_id() -> None:
    with pytest.raises(ToolError, match=r"Perhaps: 0010 \(Lumo Desk Lamp\)"):
        ask(DETAILS, {"product_id": "Lumo Desk Lamp"})


@pytest.mark.parametrize(
    "given", [["0010", "10"], '["0010", "10"]', "0010, 10", ["0010", 10], ["0010", "0010", "10", None, {}]]
)
def test_ids_to_compare_may_come_as_a_list_or_as_text(given: object) -> None:
    answer = ask(COMPARE, {"product_ids": given})
    assert ids(answer) == ["0010", "10"]
    assert {"name": "Material", "values": ["Steel", "Oak"]} in data(COMPARE, {"product_ids": given})["rows"]
    assert "Rating: 4.5 of 5 | not stated" in answer.text


@pytest.mark.parametrize("given", [None, [], "0010", "[0010", ["0010", "0010"], 10, {"a": 1}])
def test_fewer_than_two_ids_are_refused_with_an_example(given: object) -> None:
    with pytest.raises(ToolError, match=r"two to 4 different ids"):
        ask(COMPARE, {"product_ids": given})


def test_more_than_four_products_are_left_out_and_told() -> None:
    answer = data(COMPARE, {"product_ids": ["0010", "10", "NA", "b-1", "x9"]})
    assert answer["notes"] == ["At most 4 products are compared; left out: x9."]


def test_categories_are_counted_and_searched() -> None:
    assert data(CATEGORIES, {})["currency"] == "USD"
    found = data(CATEGORIES, {"contains": "LAMP"})
    assert found["categories"] == [{"name": "Lamps", "count": 2}]
    assert "No category has 'boat'" in data(CATEGORIES, {"contains": "boat"})["notes"][0]
    assert data(CATEGORIES, {"limit": 1})["next_offset"] == 1


def test_merchants_text_cannot_leave_its_fence_and_links_are_web_addresses() -> None:
    answer = ask(SEARCH, {"query": "mug"})
    assert answer.text.count(FENCE[0]) == answer.text.count(FENCE[1]) == 1
    details = ask(DETAILS, {"product_id": "NA"})
    assert details.text.count(FENCE[0]) == details.text.count(FENCE[1]) == 1
    product: Any = details.data["product"]
    assert "url" not in product and "javascript" not in details.text


def test_goods_for_some_are_shown_to_them_only() -> None:
    assert ids(ask(SEARCH, {"query": "trade lamp"}))[:1] != ["t-1"]
    assert ids(ask(SEARCH, {"query": "trade lamp"}, shopper=Shopper("1", groups=("trade",))))[0] == "t-1"
    with pytest.raises(ToolError, match="no product 't-1'"):
        ask(DETAILS, {"product_id": "t-1"})


def test_prices_are_meant_in_the_shoppers_currency() -> None:
    assert data(SEARCH, {"query": "lamp", "max_price": 50}, shopper=Shopper("1", currency="EUR"))["total"] == 0
