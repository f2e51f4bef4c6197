"""What was understood, in words."""

from __future__ import annotations

from shopping_agent.actions import Search
from web.refining import Wish, without
from web.rendering.chips import chips, wish_label, wish_words
from web.strings import Strings

EN, DE = Strings("en"), Strings("de")
FULL = Search(
    keywords=["trail shoes"],
    min_price=20,
    max_price=99.5,
    brands=["Acme"],
    category="Shoes > Running",
    colors=["Red"],
    sizes=["42"],
    attributes={"Material": ["Mesh"]},
    min_rating=4,
    in_stock=True,
    on_sale=True,
    exclude=["leather"],
    sort="price_asc",
)


def test_every_condition_is_a_chip_that_can_be_taken_away() -> None:
    shown = chips(FULL, EN, currency="USD")
    assert [chip.label for chip in shown] == [
        "trail shoes",
        "Running",
        "$20 to $99.50",
        "Acme",
        "Red",
        "Size 42",
        "Material: Mesh",
        "Without leather",
        "4 stars and up",
        "In stock",
        "On sale",
        "Lowest price first",
    ]
    left = FULL
    for chip in shown:
        wish = Wish.parse(chip.token)
        assert wish is not None
        left = without(left, wish)
    assert left == Search(keywords=[])


def test_a_wish_is_one_phrase() -> None:
    assert wish_words(Search(keywords=["mug"], max_price=10), EN, currency="USD") == "mug · Up to $10"
    assert wish_words(Search(keywords=["mug"], min_price=10), DE, currency="EUR") == "mug · ab 10\xa0€"
    assert wish_words(Search(keywords=[]), EN, currency=None) == "everything"


def test_what_emptied_a_result_is_named_as_its_chip() -> None:
    named = [
        wish_label(Wish(field, value), EN, currency="USD")
        for field, value in (
            ("max_price", "50.0"),
            ("min_price", "50"),
            ("min_rating", "4.5"),
            ("in_stock", "True"),
            ("on_sale", "True"),
            ("exclude", "wool"),
            ("sizes", "M"),
            ("categories", "Home > Lighting"),
            ("keywords", "red"),
        )
    ]
    assert named == [
        "Up to $50",
        "From $50",
        "4.5 stars and up",
        "In stock",
        "On sale",
        "Without wool",
        "Size M",
        "Lighting",
        "red",
    ]
    assert wish_label(Wish("max_price", "odd"), EN, currency="USD") == ""
