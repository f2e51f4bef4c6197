"""What every `SearchClient` promises, whatever is behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from search_client.client import SearchClient
from search_client.errors import InvalidQueryError, ProductNotFoundError
from search_client.models import (
    Availability,
    Filters,
    Money,
    Product,
    SearchQuery,
    SearchResults,
    Shopper,
    Sort,
    Variant,
)
from tests.contract.search_clients import BACK_ENDS

Open = Callable[..., SearchClient]

BOOT = Product(
    id="b1",
    title="Karst trail boot",
    brand="Karst",
    category=("Shoes", "Boots"),
    price=Money(129_00, "USD"),
    list_price=Money(159_00, "USD"),
    availability=Availability.IN_STOCK,
    rating=4.5,
    rating_count=20,
    attributes=(("Color", "Dark Brown"), ("Material", "Leather")),
    options=(("Size", ("42", "43")),),
    added_at="2026-03-01",
)
VEGAN_BOOT = Product(
    id="b2",
    title="Karst city boot",
    brand="Karst",
    category=("Shoes", "Boots"),
    price=Money(99_00, "USD"),
    availability=Availability.OUT_OF_STOCK,
    rating=3.9,
    attributes=(("Color", "Black"), ("Material", "Canvas")),
    options=(("Size", ("41",)),),
    added_at="2026-05-01",
)
LAMP = Product(
    id="l1",
    title="Oslo desk lamp",
    description="Goes well beside a boot rack.",
    brand="Lumen & Co",
    category=("Home", "Lighting"),
    price=Money(39_90, "USD"),
    availability=Availability.IN_STOCK,
    added_at="2026-01-15",
)
UNPRICED = Product(id="u1", title="Karst boot laces", brand="Karst", category=("Shoes", "Care"))
HIDDEN = Product(
    id="h1",
    title="Prototype boot Zephyrine",
    brand="Secretbrand",
    category=("Shoes", "Prototypes"),
    price=Money(500_00, "USD"),
    attributes=(("Color", "Ultraviolet"),),
    visible_to=("staff",),
)
CATALOG = (BOOT, VEGAN_BOOT, LAMP, UNPRICED, HIDDEN)
STAFF = Shopper(groups=("staff",))


@pytest.fixture(
    params=[pytest.param(name, marks=[pytest.mark.postgres] * (name == "postgres")) for name in sorted(BACK_ENDS)]
)
def open_client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    opened: list[SearchClient] = []

    def open_with(*products: Product) -> SearchClient:
        folder = tmp_path / str(len(opened))
        folder.mkdir()
        opened.append(BACK_ENDS[request.param](products, folder))
        return opened[-1]

    yield open_with
    for client in opened:
        client.close()


@pytest.fixture
def client(open_client: Open) -> SearchClient:
    return open_client(*CATALOG)


def ids(results: SearchResults) -> list[str]:
    return [hit.product.id for hit in results]


def asked(*keywords: str, **wishes: object) -> SearchQuery:
    return replace(SearchQuery(keywords), **wishes)  # type: ignore[arg-type]  # names and types are those of SearchQuery


def test_a_hit_is_the_whole_record_and_says_why(client: SearchClient) -> None:
    results = client.search(asked("trail", "boots"))

    assert [hit.product for hit in results] == [BOOT]
    assert results.total == 1
    assert "title" in results.hits[0].why.fields
    assert results.hits[0].why.missing == ()


def test_what_a_product_is_comes_before_what_mentions_the_word(client: SearchClient) -> None:
    assert ids(client.search(asked("boot")))[-1] == "l1"


def test_case_accents_and_plural_do_not_matter(client: SearchClient) -> None:
    assert ids(client.search(asked("TRAIL BÓOTS"))) == ["b1"]


@pytest.mark.parametrize(
    "text", ['"', "*", "%", "_", "(lamp", "lamp)", "AND", "'; --", "[", "\\", "\x00", "🥾", "-", "lamp:"]
)
def test_any_text_is_safe_and_punctuation_finds_not_everything(client: SearchClient, text: str) -> None:
    results = client.search(asked(text))

    assert results.total < len(CATALOG) - 1


def test_no_keywords_browse_the_whole_visible_catalog(client: SearchClient) -> None:
    assert sorted(ids(client.search(SearchQuery()))) == ["b1", "b2", "l1", "u1"]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(brands=("karst",)), {"b1", "b2", "u1"}),
        (Filters(brands=("lumen co",)), {"l1"}),
        (Filters(categories=("boots",)), {"b1", "b2"}),
        (Filters(categories=("Shoes > Boots",)), {"b1", "b2"}),
        (Filters(categories=("Shoes", "Home")), {"b1", "b2", "l1", "u1"}),
        (Filters(colors=("brown",)), {"b1"}),
        (Filters(colors=("dark brown", "BLACK")), {"b1", "b2"}),
        (Filters(sizes=("41",)), {"b2"}),
        (Filters(attributes=(("material", "leather"),)), {"b1"}),
        (Filters(attributes=(("Material", "Leather"), ("Material", "Canvas"))), {"b1", "b2"}),
        (Filters(attributes=(("Material", "Leather"), ("Size", "41"))), set()),
        (Filters(min_price=99), {"b1", "b2"}),
        (Filters(max_price=99), {"b2", "l1"}),
        (Filters(min_price=40, max_price=30), set()),
        (Filters(max_price=1_000, currency="EUR"), set()),
        (Filters(min_rating=4), {"b1"}),
        (Filters(in_stock=True), {"b1", "l1", "u1"}),
        (Filters(on_sale=True), {"b1"}),
        (Filters(brands=("Karst",), max_price=100), {"b2"}),
    ],
)
def test_filters_hold_exactly(client: SearchClient, filters: Filters, expected: set[str]) -> None:
    results = client.search(SearchQuery(filters=filters))

    assert set(ids(results)) == expected
    assert results.total == len(expected)


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (Sort.PRICE_ASC, ["l1", "b2", "b1", "u1"]),
        (Sort.PRICE_DESC, ["b1", "b2", "l1", "u1"]),
        (Sort.RATING, ["b1", "b2", "l1", "u1"]),
        (Sort.NEWEST, ["b2", "b1", "l1", "u1"]),
    ],
)
def test_sorting_puts_products_without_the_value_last(client: SearchClient, sort: Sort, expected: list[str]) -> None:
    assert ids(client.search(SearchQuery(sort=sort))) == expected


def test_prices_are_ordered_as_numbers_across_magnitudes(open_client: Open) -> None:
    prices = {"a": 34_50, "b": 345_00, "c": 310_00, "d": 1000_00, "e": 200_00, "f": 9_00}
    client = open_client(*(Product(id=name, title="Mug", price=Money(minor, "USD")) for name, minor in prices.items()))

    assert ids(client.search(asked("mug", sort=Sort.PRICE_ASC))) == ["f", "a", "e", "c", "b", "d"]


def test_very_high_and_very_low_prices_are_exact(open_client: Open) -> None:
    client = open_client(
        Product(id="dong", title="Vase", price=Money(12_500_000, "VND")),
        Product(id="yen", title="Vase", price=Money(1_500_000, "JPY")),
        Product(id="cents", title="Vase", price=Money(5, "USD")),
        Product(id="dollars", title="Vase", price=Money(999_999_99, "USD")),
    )

    assert ids(client.search(asked("vase", filters=Filters(min_price=1_000_000, currency="JPY")))) == ["yen"]
    assert ids(client.search(asked("vase", filters=Filters(max_price=0.05, currency="USD")))) == ["cents"]
    assert ids(client.search(asked("vase", sort=Sort.PRICE_DESC))) == ["dong", "yen", "dollars", "cents"]


def test_equal_hits_are_ordered_by_id_and_pages_neither_repeat_nor_miss(open_client: Open) -> None:
    client = open_client(*(Product(id=f"m{number:02d}", title="Enamel mug") for number in range(45)))

    pages = [ids(client.search(asked("mugs", limit=20, offset=offset))) for offset in (0, 20, 40, 60)]

    assert [product_id for page in pages for product_id in page] == [f"m{number:02d}" for number in range(45)]
    assert client.search(asked("mugs", limit=1)).total == 45


@pytest.mark.parametrize(("limit", "offset"), [(0, 0), (101, 0), (8, -1), (8, 10_001)])
def test_bounds_are_refused(client: SearchClient, limit: int, offset: int) -> None:
    with pytest.raises(InvalidQueryError):
        client.search(SearchQuery(limit=limit, offset=offset))


def test_facets_count_the_whole_result_not_the_page(client: SearchClient) -> None:
    results = client.search(SearchQuery(filters=Filters(brands=("Karst",)), limit=1))
    facets = {facet.name: {value.value: value.count for value in facet.values} for facet in results.facets}

    assert facets["brands"] == {"Karst": 3}
    assert facets["categories"] == {"Shoes": 3, "Boots": 2, "Care": 1}
    assert facets["colors"] == {"Dark Brown": 1, "Black": 1}
    assert facets["sizes"] == {"41": 1, "42": 1, "43": 1}
    assert facets["Material"] == {"Leather": 1, "Canvas": 1}


def test_a_facet_value_used_as_a_filter_gives_its_count(client: SearchClient) -> None:
    for facet in client.search(SearchQuery()).facets:
        for value in facet.values:
            if facet.name in {"brands", "categories", "colors", "sizes"}:
                filters = replace(Filters(), **{facet.name: (value.value,)})  # type: ignore[arg-type]  # a field of texts
            else:
                filters = Filters(attributes=((facet.name, value.value),))
            assert client.search(SearchQuery(filters=filters)).total == value.count


@pytest.mark.parametrize(
    ("wish", "found"),
    [
        ({}, ["tee"]),
        ({"sizes": ("M",)}, ["tee"]),
        ({"sizes": ("S",)}, []),
        ({"sizes": ("S", "M")}, ["tee"]),
        ({"colors": ("blue",)}, ["tee"]),
        ({"sizes": ("M",), "colors": ("red",)}, ["tee"]),
        ({"sizes": ("M",), "colors": ("blue",)}, []),
        ({"sizes": ("L",), "colors": ("dark blue",)}, ["tee"]),
        ({"sizes": ("XL",)}, []),
    ],
)
def test_in_stock_means_in_a_size_and_colour_that_are_wanted(
    open_client: Open, wish: dict[str, tuple[str, ...]], found: list[str]
) -> None:
    left = {("S", "Red"): 0, ("M", "Red"): 2, ("M", "Dark Blue"): 0, ("L", "Dark Blue"): 5}
    variants = tuple(
        Variant(
            id=f"{size}-{color}",
            options=(("Size", size), ("Color", color)),
            availability=Availability.IN_STOCK if count else Availability.OUT_OF_STOCK,
        )
        for (size, color), count in left.items()
    )
    tee = Product(
        "tee", "Slub tee", availability=Availability.IN_STOCK, variants=variants, options=(("Size", ("XL",)),)
    )
    client = open_client(tee)

    everything = client.search(SearchQuery(filters=Filters(**wish)))  # type: ignore[arg-type]  # fields of texts
    in_stock = client.search(SearchQuery(filters=Filters(in_stock=True, **wish)))  # type: ignore[arg-type]

    assert (ids(everything), ids(in_stock)) == (["tee"], found)


def test_an_excluded_word_is_in_no_hit_where_it_says_what_it_is(client: SearchClient) -> None:
    assert ids(client.search(asked("boot", exclude=("leather",), filters=Filters(categories=("Boots",))))) == ["b2"]


def test_a_value_the_catalog_does_not_know_is_told_with_the_nearest(client: SearchClient) -> None:
    (unknown,) = client.search(asked("boot", filters=Filters(brands=("Karts",)))).unknown

    assert (unknown.field, unknown.value, unknown.nearest) == ("brands", "Karts", ("Karst",))


def test_an_empty_result_says_what_emptied_it_and_what_is_left_without(client: SearchClient) -> None:
    results = client.search(asked("boot", filters=Filters(colors=("black",), max_price=50)))

    assert results.total == 0
    wishes = {relaxation.field: relaxation for relaxation in results.relaxations}
    assert wishes["max_price"].total == 1
    assert wishes["colors"].total == 1
    for relaxation in results.relaxations:
        assert client.search(relaxation.query).total == relaxation.total


def test_a_search_that_finds_something_offers_no_relaxation(client: SearchClient) -> None:
    assert client.search(asked("boot")).relaxations == ()


def test_without_a_product_for_all_words_most_of_them_are_met_and_that_is_said(client: SearchClient) -> None:
    results = client.search(asked("karst trail xyzzyplugh boot"))

    assert ids(results)[0] == "b1"
    assert results.relaxed
    assert results.hits[0].why.missing == ("xyzzyplugh",)


def test_a_page_is_filled_up_only_on_demand_and_says_what_is_missing(client: SearchClient) -> None:
    assert ids(client.search(asked("trail boot"))) == ["b1"]

    filled = client.search(asked("trail boot", fill=True))

    assert ids(filled)[0] == "b1"
    assert "b2" in ids(filled)
    assert not filled.relaxed
    assert filled.hits[0].why.missing == ()
    assert {hit.why.missing for hit in filled.hits[1:]} == {("trail",)}


def test_words_nobody_sells_find_nothing(client: SearchClient) -> None:
    results = client.search(asked("xyzzyplugh"))

    assert (results.hits, results.total, results.relaxed) == ((), 0, False)


def test_details_are_the_current_record(client: SearchClient) -> None:
    assert client.get_product_details("b1") == BOOT
    with pytest.raises(ProductNotFoundError):
        client.get_product_details("B1")


def test_alternatives_are_of_the_same_kind_in_stock_first_and_never_itself(open_client: Open) -> None:
    near = replace(BOOT, id="b3", title="Karst rain boot", price=Money(139_00, "USD"))
    far = replace(BOOT, id="b4", title="Karst snow boot", price=Money(900_00, "USD"))
    client = open_client(*CATALOG, near, far)

    found = [hit.product.id for hit in client.alternatives("b1", limit=3)]

    assert found == ["b3", "b4", "b2"]
    with pytest.raises(ProductNotFoundError):
        client.alternatives("nope")


def test_a_hidden_product_leaves_no_trace_for_those_who_may_not_see_it(client: SearchClient) -> None:
    for query in (asked("zephyrine"), asked("zephyrin"), SearchQuery(filters=Filters(brands=("Secretbrand",)))):
        results = client.search(query)
        assert (results.total, results.facets, results.corrections, results.relaxations) == (0, (), (), ())
    told = client.search(SearchQuery(filters=Filters(brands=("Secretbran",)))).unknown
    assert all("Secretbrand" not in value.nearest for value in told)
    everything = client.search(SearchQuery(limit=100))
    assert "Prototypes" not in {value.value for facet in everything.facets for value in facet.values}
    assert "h1" not in {hit.product.id for hit in client.alternatives("b1", limit=9)}
    vocabulary = client.vocabulary()
    assert vocabulary.product_count == 4
    assert "Secretbrand" not in {value.value for value in vocabulary.brands}
    assert "Prototypes" not in {value.value for value in vocabulary.categories}
    assert "zephyrine" not in {value.value for value in vocabulary.terms}
    for call in (client.get_product_details, client.alternatives):
        with pytest.raises(ProductNotFoundError):
            call("h1")


def test_those_who_may_see_a_hidden_product_find_it_like_any_other(client: SearchClient) -> None:
    results = client.search(asked("zephyrine"), shopper=STAFF)

    assert [hit.product for hit in results] == [HIDDEN]
    assert client.get_product_details("h1", shopper=STAFF) == HIDDEN
    assert client.search(SearchQuery(), shopper=STAFF).total == 5


def test_the_vocabulary_tells_what_the_catalog_talks_about(client: SearchClient) -> None:
    vocabulary = client.vocabulary()

    assert vocabulary.currency == "USD"
    assert [(value.value, value.count) for value in vocabulary.brands] == [("Karst", 3), ("Lumen & Co", 1)]
    assert {value.value for value in vocabulary.categories} == {"Shoes", "Boots", "Care", "Home", "Lighting"}
    assert {value.value for value in vocabulary.colors} == {"Dark Brown", "Black"}
    assert {value.value for value in vocabulary.sizes} == {"41", "42", "43"}
    assert {facet.name for facet in vocabulary.attributes} == {"Material"}
    assert ("boot", 3) in [(value.value, value.count) for value in vocabulary.terms]
    assert client.vocabulary() == vocabulary


def test_an_empty_catalog_answers_everything_with_nothing(open_client: Open) -> None:
    client = open_client()

    assert client.search(asked("boot")).total == 0
    assert client.search(SearchQuery()).total == 0
    assert client.vocabulary().product_count == 0


def test_closing_twice_is_no_error(client: SearchClient) -> None:
    client.close()
    client.close()
