"""A click on a filter makes another search of the one before."""

from __future__ import annotations

import pytest
from werkzeug.datastructures import MultiDict

from shopping_agent.actions import Search
from web.refining import MAX_SHOWN, PAGE_SIZE, Wish, having, more, refine, without

FULL = Search(
    keywords=["trail", "shoes"],
    min_price=20,
    max_price=100,
    brands=["Acme", "Kite"],
    category="Shoes",
    colors=["Red"],
    sizes=["42"],
    attributes={"Material": ["Leather", "Mesh"], "Width=x": ["Wide & high"]},
    min_rating=4,
    in_stock=True,
    on_sale=True,
    exclude=["suede"],
    sort="rating",
    limit=16,
)


@pytest.mark.parametrize(
    ("wish", "gone"),
    [
        (Wish("keywords", "trail"), {"keywords": ["shoes"]}),
        (Wish("brands", "Acme"), {"brands": ["Kite"]}),
        (Wish("price", ""), {"min_price": None, "max_price": None}),
        (Wish("max_price", "100"), {"max_price": None}),
        (Wish("min_price", "20"), {"min_price": None}),
        (Wish("category", "Shoes"), {"category": None}),
        (Wish("categories", "Shoes"), {"category": None}),
        (Wish("colors", "Red"), {"colors": []}),
        (Wish("sizes", "42"), {"sizes": []}),
        (Wish("exclude", "suede"), {"exclude": []}),
        (Wish("min_rating", "4"), {"min_rating": None}),
        (Wish("in_stock", ""), {"in_stock": False}),
        (Wish("on_sale", ""), {"on_sale": False}),
        (Wish("sort", ""), {"sort": "relevance"}),
        (Wish("attributes:Material", "Mesh"), {"attributes": FULL.attributes | {"Material": ["Leather"]}}),
        (Wish("attributes:Width=x", "Wide & high"), {"attributes": {"Material": ["Leather", "Mesh"]}}),
        (Wish("nonsense", "x"), {}),
    ],
)
def test_one_wish_is_left_out_and_the_rest_stays(wish: Wish, gone: dict[str, object]) -> None:
    changed = refine(FULL, MultiDict([("drop", wish.token)]))
    assert changed == FULL.model_copy(update={**gone, "limit": PAGE_SIZE})
    assert without(FULL, wish) == changed


@pytest.mark.parametrize(
    ("wish", "new"),
    [
        (Wish("brands", "Acme"), {"brands": ["Acme"]}),
        (Wish("categories", "Shoes"), {"category": "Shoes"}),
        (Wish("in_stock", ""), {"in_stock": True}),
        (Wish("attributes:Material", "Mesh"), {"attributes": {"Material": ["Mesh"]}}),
    ],
)
def test_a_suggested_value_is_added_once(wish: Wish, new: dict[str, object]) -> None:
    plain = Search(keywords=["shoes"])
    once = having(plain, wish)
    assert once == plain.model_copy(update=new)
    assert having(once, wish) == once


def test_more_shows_a_page_more_up_to_a_limit() -> None:
    search = Search(keywords=["mug"])
    assert more(search).limit == 2 * PAGE_SIZE
    for _ in range(20):
        search = more(search)
    assert search.limit == MAX_SHOWN


def test_the_panel_states_the_whole_wish() -> None:
    form = MultiDict(
        [
            ("edit", "1"),
            ("keywords", "running shoes, trail"),
            ("exclude", "leather"),
            ("min_price", "90,5"),
            ("max_price", "20"),
            ("min_rating", "4.5"),
            ("brands", "Acme"),
            ("brands", "Kite"),
            ("sizes", "42"),
            ("category", "Shoes"),
            ("sort", "price_asc"),
            ("in_stock", "on"),
        ]
    )
    assert refine(FULL, form) == Search(
        keywords=["running shoes", "trail"],
        exclude=["leather"],
        min_price=20,
        max_price=90.5,
        min_rating=4.5,
        brands=["Acme", "Kite"],
        sizes=["42"],
        category="Shoes",
        attributes=FULL.attributes,
        sort="price_asc",
        in_stock=True,
    )


@pytest.mark.parametrize("amount", ["", "abc", "-3", "nan", "inf", "1e999"])
def test_what_is_no_price_is_no_condition(amount: str) -> None:
    changed = refine(FULL, MultiDict([("edit", "1"), ("keywords", "mug"), ("max_price", amount), ("sort", "magic")]))
    assert (changed.max_price, changed.sort) == (None, "relevance")


def test_a_form_that_asks_for_nothing_known_changes_nothing() -> None:
    assert refine(FULL, MultiDict([("drop", ""), ("add", "a=1&b=2"), ("other", "x")])) == FULL
