from __future__ import annotations

from search_client.commands.wording import product_line, result_lines, state_lines, vocabulary_lines
from search_client.models import (
    Correction,
    Facet,
    FacetValue,
    Hit,
    Money,
    Product,
    Relaxation,
    SearchQuery,
    SearchResults,
    UnknownValue,
    Vocabulary,
)
from search_client.store.catalog_store import CatalogState
from tests.search_client.shop import SHIRT, WOOL


def test_a_product_is_said_with_what_its_record_states_and_nothing_else() -> None:
    assert product_line(Product("m", "Mug")) == "Mug (ID: m)"
    assert product_line(Product("m", "Mug", price=Money(1200, "JPY"), rating=4.0)) == "Mug (ID: m), 1200 JPY, 4/5"
    assert product_line(SHIRT) == "Nike Dry Fit T Shirt (ID: p1), 25.00 USD, was 30.00 USD, 4.5/5 (120), in stock"
    assert product_line(WOOL).endswith("sold out")


def test_whatever_was_done_to_the_wish_is_told_before_the_hits() -> None:
    results = SearchResults(
        query=SearchQuery(("shrit",), offset=8),
        hits=(Hit(Product("m", "Mug")),),
        total=30,
        corrections=(Correction("shrit", "shirt"),),
        unknown=(UnknownValue("colors", "mauve"),),
        relaxed=True,
        stale=True,
    )
    assert list(result_lines(results)) == [
        "Searched for 'shirt' instead of 'shrit'.",
        "This catalog has no 'mauve' among its colors.",
        "The catalog's database does not answer; this is what was indexed last.",
        "No product has all the words; these have most of them.",
        "9. Mug (ID: m)",
        "30 products in all.",
    ]


def test_an_empty_result_names_the_ways_out() -> None:
    query = SearchQuery(("mug",))
    empty = SearchResults(query, relaxations=(Relaxation("max_price", "5", query, 12),))
    assert list(result_lines(empty)) == ["Nothing found.", "Without max_price '5' there are 12."]
    assert list(result_lines(SearchResults(query, total=3))) == ["No more than 3 products."]


def test_long_lists_are_cut_and_say_so() -> None:
    brands = tuple(FacetValue(f"B{number}", 10 - number) for number in range(10))
    vocabulary = Vocabulary(product_count=1234, brands=brands, attributes=(Facet("Material", brands[:1]),))
    lines = list(vocabulary_lines(vocabulary))
    assert lines[0] == "Products: 1,234, prices in no currency"
    assert lines[1].endswith("B7 (3), and 2 more")
    assert lines[2] == "Material: B0 (10)"
    assert list(state_lines(CatalogState("x", 3, 4))) == ["Revision: 3"]
