"""An answer is the record's own line, or that the listing does not tell."""

from __future__ import annotations

import pytest

from search_client.models import Availability, Money, Product, Variant
from shopping_agent.answers import MAX_QUOTES, compare, quotes_about

JACKET = Product(
    "j1",
    "Rain Jacket",
    description="Packs into its own pocket. Fully waterproof up to 10.5 m! Material: nylon. Good for long hikes.",
    brand="Maren",
    price=Money(8995, "USD"),
    list_price=Money(9995, "USD"),
    availability=Availability.IN_STOCK,
    quantity=4,
    rating=3.7,
    rating_count=12,
    attributes=(("Waterproof", "Yes"), ("Material", "Nylon"), ("Weight", "11 oz"), ("Care", "Machine wash cold")),
    options=(("Color", ("Black", "Navy")), ("Size", ("M", "XL"))),
    variants=(
        Variant("a", (("Color", "Black"), ("Size", "M")), availability=Availability.IN_STOCK, quantity=3),
        Variant("b", (("Color", "Black"), ("Size", "XL")), availability=Availability.OUT_OF_STOCK, quantity=0),
        Variant("c", (("Color", "Navy"), ("Size", "XL")), price=Money(9995, "USD")),
    ),
)
COAT = Product("c1", "Coat", attributes=(("material", "Wool"), ("Hood", "Yes")), price=Money(1200, "JPY"))


@pytest.mark.parametrize(
    ("aspect", "said"),
    [
        ("waterproof", [("Waterproof", "Yes"), ("description", "Fully waterproof up to 10.5 m!")]),
        ("impermeable", [("Waterproof", "Yes")]),
        ("price", [("price", "89.95 USD, before 99.95 USD")]),
        ("how much is it", [("price", "89.95 USD, before 99.95 USD")]),
        ("stock", [("availability", "in stock, 4 left")]),
        ("rating", [("rating", "3.7 of 5 from 12 ratings")]),
        ("brand", [("brand", "Maren")]),
        ("size", [("Size", "M, XL")]),
        ("Farbe", [("Color", "Black, Navy")]),
        ("material", [("Material", "Nylon")]),
        ("how heavy", [("Weight", "11 oz")]),
        ("machine washable", [("Care", "Machine wash cold")]),
        ("hikes", [("description", "Good for long hikes.")]),
        ("black XL", [("Black, XL", "out of stock")]),
        ("navy XL", [("Navy, XL", "99.95 USD")]),
        ("M", [("Black, M", "in stock, 3 left")]),
        ("red", [("Color", "Black, Navy")]),
        ("rot", [("Color", "Black, Navy")]),
        ("XXL", [("Size", "M, XL")]),
        ("44", [("Size", "M, XL")]),
    ],
)
def test_the_line_that_says_so_is_quoted(aspect: str, said: list[tuple[str, str]]) -> None:
    assert [(quote.field, quote.text) for quote in quotes_about(JACKET, aspect)] == said


@pytest.mark.parametrize("aspect", ["hood", "warranty", "battery", "is it the", "???", "", "防水吗"])
def test_what_the_listing_does_not_tell_is_not_told(aspect: str) -> None:
    told = quotes_about(COAT if aspect == "防水吗" else JACKET, aspect)
    assert told == ()


def test_a_record_without_a_fact_does_not_state_it() -> None:
    assert quotes_about(COAT, "stock") == quotes_about(COAT, "rating") == quotes_about(COAT, "brand") == ()


def test_quotes_are_few() -> None:
    many = Product("m", "Many", attributes=tuple((f"Weight {n}", "1 kg") for n in range(30)))
    assert len(quotes_about(many, "weight")) == MAX_QUOTES


def test_a_comparison_has_a_row_for_every_fact_that_any_product_states() -> None:
    rows = {row.name: row.values for row in compare((JACKET, COAT))}
    assert rows["Price"] == ("89.95 USD", "1200 JPY")
    assert rows["Availability"] == ("in stock", None)
    assert rows["Material"] == ("Nylon", "Wool")
    assert rows["Hood"] == (None, "Yes")
    assert rows["Size"] == ("M, XL", None)
    assert "Sole" not in rows


def test_what_was_asked_about_stands_first() -> None:
    assert compare((JACKET, COAT), aspect="which is waterproof")[0].name == "Waterproof"
    assert compare((JACKET, COAT))[0].name == "Price"


def test_an_attribute_that_repeats_is_one_row_with_all_its_values() -> None:
    twice = Product("t", "T", attributes=(("Color", "Red"), ("color", "Blue"), ("Color", "Red")))
    assert [row.values for row in compare((twice, COAT)) if row.name.casefold() == "color"] == [("Red, Blue", None)]
