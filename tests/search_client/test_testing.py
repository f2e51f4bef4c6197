from __future__ import annotations

import pytest

from search_client.errors import (
    CatalogError,
    InvalidQueryError,
    ProductNotFoundError,
    SearchClientError,
    SearchUnavailableError,
)
from search_client.models import Availability, Filters, Money, Product, SearchQuery, Shopper, Sort, Variant
from search_client.testing import FakeSearchClient

SHOP = (
    Product(
        "p1",
        "Nike Dry Fit T Shirt",
        brand="Nike",
        category=("Clothing", "Shirts"),
        price=Money(2500, "USD"),
        options=(("Color", ("Red", "Dark Blue")), ("Size", ("S", "M"))),
        variants=(Variant("p1-s", options=(("Size", "S"), ("Color", "Red")), sku="NK-001"),),
        attributes=(("Material", "Polyester"),),
        rating=4.5,
        added_at="2026-01-02",
    ),
    Product("p2", "Linen Shirt", category=("Clothing", "Shirts"), price=Money(6000, "USD"), description="for summer"),
    Product(
        "p3",
        "Wool Shirts",
        category=("Clothing", "Shirts"),
        price=Money(3000, "USD"),
        list_price=Money(4000, "USD"),
        availability=Availability.OUT_OF_STOCK,
        attributes=(("Material", "Wool"),),
        rating=3.0,
        added_at="2026-03-01",
    ),
    Product("p4", "Café Mug", category=("Kitchen",), price=Money(900, "EUR")),
    Product("p5", "Staff Shirt", category=("Clothing", "Shirts"), visible_to=("staff",)),
)


def ids(query: SearchQuery, *, shopper: Shopper | None = None) -> list[str]:
    client = FakeSearchClient(SHOP)
    return [hit.product.id for hit in client.search(query, shopper=shopper or Shopper())]


def test_words_match_without_case_accents_and_plural_s() -> None:
    assert ids(SearchQuery(("SHIRTS",))) == ["p1", "p2", "p3"]
    assert ids(SearchQuery(("cafe mugs",))) == ["p4"]
    assert ids(SearchQuery(("nk-001",))) == ["p1"]


def test_a_query_without_words_browses_and_one_of_signs_finds_nothing() -> None:
    assert ids(SearchQuery()) == ["p1", "p2", "p4", "p3"]
    assert ids(SearchQuery(("?!",))) == []


def test_most_words_are_enough_where_no_product_carries_all() -> None:
    results = FakeSearchClient(SHOP).search(SearchQuery(("linen shirt purple",)))
    assert results.relaxed
    assert results.hits[0].why.missing == ("purple",)


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (Filters(max_price=30), ["p1", "p3"]),
        (Filters(min_price=30), ["p2", "p3"]),
        (Filters(max_price=10, currency="EUR"), ["p4"]),
        (Filters(brands=("nike", "Puma")), ["p1"]),
        (Filters(categories=("clothing > shirts",)), ["p1", "p2", "p3"]),
        (Filters(colors=("blue",)), ["p1"]),
        (Filters(sizes=("m",)), ["p1"]),
        (Filters(attributes=(("material", "wool"),)), ["p3"]),
        (Filters(min_rating=4), ["p1"]),
        (Filters(in_stock=True), ["p1", "p2", "p4"]),
        (Filters(on_sale=True), ["p3"]),
    ],
)
def test_filters_are_hard_conditions(filters: Filters, found: list[str]) -> None:
    assert ids(SearchQuery(filters=filters)) == found


@pytest.mark.parametrize(
    ("sort", "found"),
    [
        (Sort.PRICE_ASC, ["p1", "p3", "p2"]),
        (Sort.PRICE_DESC, ["p2", "p3", "p1"]),
        (Sort.RATING, ["p1", "p3", "p2"]),
        (Sort.NEWEST, ["p3", "p1", "p2"]),
    ],
)
def test_hits_come_in_the_order_asked_for_and_unknown_last(sort: Sort, found: list[str]) -> None:
    assert ids(SearchQuery(("shirt",), sort=sort)) == found


def test_pages_do_not_overlap() -> None:
    pages = [ids(SearchQuery(("shirt",), limit=2, offset=offset)) for offset in (0, 2, 4)]
    assert pages == [["p1", "p2"], ["p3"], []]


def test_excluded_words_are_in_no_hit() -> None:
    assert ids(SearchQuery(("shirt",), exclude=("wool", "nike"))) == ["p2"]


def test_an_empty_result_says_which_wish_emptied_it() -> None:
    filters = Filters(
        min_price=1,
        max_price=5,
        brands=("Nike",),
        categories=("Shirts",),
        colors=("red",),
        sizes=("S",),
        attributes=(("Material", "Polyester"),),
        min_rating=4,
        in_stock=True,
        currency="USD",
    )
    results = FakeSearchClient(SHOP).search(SearchQuery(("shirt",), filters=filters))
    assert [(each.field, each.value, each.total) for each in results.relaxations] == [("max_price", "5", 1)]
    assert results.total == 0


@pytest.mark.parametrize(
    ("query", "field"),
    [
        (SearchQuery(("mug",), filters=Filters(brands=("x",))), "brands"),
        (SearchQuery(("shirt",), filters=Filters(categories=("x",))), "categories"),
        (SearchQuery(("shirt",), filters=Filters(colors=("x",))), "colors"),
        (SearchQuery(("shirt",), filters=Filters(sizes=("x",))), "sizes"),
        (SearchQuery(("shirt",), filters=Filters(attributes=(("Material", "x"),))), "attributes:Material"),
        (SearchQuery(("shirt",), filters=Filters(min_rating=5)), "min_rating"),
        (SearchQuery(("shirt",), filters=Filters(min_price=1000)), "min_price"),
        (SearchQuery(("mug",), filters=Filters(on_sale=True)), "on_sale"),
        (SearchQuery(("wool",), filters=Filters(in_stock=True)), "in_stock"),
        (SearchQuery(("mug",), exclude=("mug",)), "exclude"),
        (SearchQuery(("netflix", "quux", "shirt")), "keywords"),
    ],
)
def test_each_kind_of_wish_can_be_the_one_to_drop(query: SearchQuery, field: str) -> None:
    results = FakeSearchClient(SHOP).search(query)
    assert results.hits == ()
    assert field in {each.field for each in results.relaxations}


def test_nothing_is_left_of_a_wish_of_one_unknown_word() -> None:
    assert FakeSearchClient(SHOP).search(SearchQuery(("netflix",))).relaxations == ()


def test_a_value_the_catalog_does_not_know_is_told_with_the_nearest() -> None:
    results = FakeSearchClient(SHOP).search(SearchQuery(filters=Filters(brands=("Nikee",))))
    assert [(each.field, each.value, each.nearest) for each in results.unknown] == [("brands", "Nikee", ("Nike",))]


def test_facets_count_the_whole_result() -> None:
    results = FakeSearchClient(SHOP).search(SearchQuery(("shirt",), limit=1))
    counts = {facet.name: {each.value: each.count for each in facet.values} for facet in results.facets}
    assert counts["categories"] == {"Clothing": 3, "Shirts": 3}
    assert counts["Material"] == {"Polyester": 1, "Wool": 1}
    assert counts["colors"] == {"Dark Blue": 1, "Red": 1}


def test_nobody_is_shown_what_they_may_not_see() -> None:
    client = FakeSearchClient(SHOP)
    staff = Shopper(groups=("staff",))
    assert "p5" in ids(SearchQuery(("shirt",)), shopper=staff)
    assert client.get_product_details("p5", shopper=staff).title == "Staff Shirt"
    with pytest.raises(ProductNotFoundError):
        client.get_product_details("p5")
    assert client.vocabulary().product_count == 4


def test_alternatives_are_of_the_same_kind_near_in_price_and_in_stock_first() -> None:
    client = FakeSearchClient(SHOP)
    assert [hit.product.id for hit in client.alternatives("p1")] == ["p2", "p3"]
    assert client.alternatives("p4") == ()
    with pytest.raises(ProductNotFoundError):
        client.alternatives("nope")


def test_the_vocabulary_is_what_the_catalog_talks_about() -> None:
    vocabulary = FakeSearchClient(SHOP, revision=7).vocabulary()
    assert vocabulary.revision == 7
    assert vocabulary.currency == "USD"
    assert vocabulary.categories[0].value == "Clothing"
    assert [facet.name for facet in vocabulary.attributes] == ["Material"]
    assert [term.value for term in vocabulary.terms[:2]] == ["clothing", "shirts"]


@pytest.mark.parametrize("query", [SearchQuery(limit=0), SearchQuery(limit=101), SearchQuery(offset=-1)])
def test_a_query_out_of_bounds_is_refused(query: SearchQuery) -> None:
    with pytest.raises(InvalidQueryError):
        FakeSearchClient(SHOP).search(query)


def test_the_double_is_strict() -> None:
    with pytest.raises(ValueError, match="'p1'"):
        FakeSearchClient([SHOP[0], SHOP[0]])
    client = FakeSearchClient()
    assert client.search(SearchQuery()).total == 0
    client.close()
    client.close()
    with pytest.raises(CatalogError):
        client.vocabulary()


@pytest.mark.parametrize("error", [SearchUnavailableError("down"), CatalogError("corrupt")])
def test_an_outage_can_be_played(error: SearchClientError) -> None:
    client = FakeSearchClient(SHOP)
    client.error = error
    with pytest.raises(type(error)):
        client.search(SearchQuery())
