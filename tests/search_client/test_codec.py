from __future__ import annotations

import json
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_client.bounds import MAX_TITLE_CHARS
from search_client.codec import (
    dump_product,
    dump_products,
    load_product,
    money_from_json,
    product_from_json,
    product_to_json,
)
from search_client.errors import InvalidRecordError
from search_client.models import Availability, Money, Product, Variant

_TEXT = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=40)
_NAME = _TEXT.filter(lambda text: bool(text.strip()))
_ID = _NAME.map(str.strip)
_MONEY = st.builds(Money, st.integers(0, 10**12), st.sampled_from(["USD", "EUR", "JPY", "KWD"]))
_PAIRS = st.lists(st.tuples(_NAME, _TEXT), max_size=4).map(tuple)
_VARIANTS = st.builds(
    Variant,
    id=_ID,
    options=_PAIRS,
    sku=st.none() | _NAME,
    gtin=st.none() | _NAME,
    price=st.none() | _MONEY,
    list_price=st.none() | _MONEY,
    availability=st.sampled_from(Availability),
    quantity=st.none() | st.integers(0, 10**6),
    image=st.none() | _NAME,
)
PRODUCTS = st.builds(
    Product,
    id=_ID,
    title=_NAME,
    description=_TEXT,
    brand=st.none() | _NAME,
    category=st.lists(_NAME, max_size=4).map(tuple),
    price=st.none() | _MONEY,
    list_price=st.none() | _MONEY,
    availability=st.sampled_from(Availability),
    quantity=st.none() | st.integers(0, 10**6),
    rating=st.none() | st.floats(0, 5),
    rating_count=st.none() | st.integers(0, 10**6),
    images=st.lists(_NAME, max_size=3).map(tuple),
    url=st.none() | _NAME,
    attributes=_PAIRS,
    options=st.lists(st.tuples(_NAME, st.lists(_TEXT, max_size=3).map(tuple)), max_size=3).map(tuple),
    variants=st.lists(_VARIANTS, max_size=3).map(tuple),
    tags=st.lists(_NAME, max_size=3).map(tuple),
    sku=st.none() | _NAME,
    gtin=st.none() | _NAME,
    mpn=st.none() | _NAME,
    added_at=st.none() | _NAME,
    visible_to=st.lists(_NAME, max_size=3).map(tuple),
)


@given(PRODUCTS)
def test_a_product_survives_the_way_through_its_line(product: Product) -> None:
    line = dump_product(product)
    assert load_product(line) == product
    assert "\n" not in line


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5), st.lists))
def test_a_value_of_any_shape_is_read_or_refused_in_our_own_words(value: object) -> None:
    for name in (field.name for field in fields(Product)):
        try:
            product_from_json({"id": "p1", "title": "Mug"} | {name: value})
        except InvalidRecordError as error:
            assert name in str(error)


def test_what_a_record_does_not_say_is_not_written() -> None:
    assert product_to_json(Product("p1", "Mug")) == {"id": "p1", "title": "Mug"}


def test_unknown_fields_are_ignored_and_null_is_absent() -> None:
    record = {"id": "p1", "title": "Mug", "brand": None, "margin": 3, "variants": None}
    assert product_from_json(record) == Product("p1", "Mug")


def test_a_price_may_be_written_as_a_person_writes_it() -> None:
    assert money_from_json("19.99 USD") == Money(1999, "USD")
    assert money_from_json("1200 JPY") == Money(1200, "JPY")
    assert money_from_json("1.5 KWD") == Money(1500, "KWD")


def test_names_and_values_may_be_written_as_an_object() -> None:
    record = {
        "id": "p1",
        "title": "Tee",
        "attributes": {"Material": "Cotton", "Color": ["Red", "Blue"]},
        "options": {"Size": ["S", "M"]},
    }
    product = product_from_json(record)
    assert product.attributes == (("Material", "Cotton"), ("Color", "Red"), ("Color", "Blue"))
    assert product.options == (("Size", ("S", "M")),)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"title": "Mug"}, "id is missing"),
        ({"id": "p1"}, "title is missing"),
        ({"id": 44.310, "title": "Mug"}, "id: 44.31 is not text"),
        ({"id": " p1", "title": "Mug"}, "id: ' p1' is empty or has blanks"),
        ({"id": "p\x00", "title": "Mug"}, "control character"),
        ({"id": "p" * 201, "title": "Mug"}, "id has 201 characters"),
        ({"id": "p1", "title": " "}, "title is empty"),
        ({"id": "p1", "title": "M" * (MAX_TITLE_CHARS + 1)}, "title has 1,001 characters"),
        ({"id": "p1", "title": "M\ud800"}, "unusable character"),
        ({"id": "p1", "title": "Mug", "price": 19.99}, "price: 19.99 is not a JSON object"),
        ({"id": "p1", "title": "Mug", "price": "19.999 USD"}, "price: '19.999 USD' is not an amount"),
        ({"id": "p1", "title": "Mug", "price": {"amount_minor": "1", "currency": "USD"}}, "price.amount_minor"),
        ({"id": "p1", "title": "Mug", "price": {"amount_minor": 1, "currency": None}}, "price.currency"),
        ({"id": "p1", "title": "Mug", "price": {"amount_minor": 1, "currency": "usd"}}, "ISO 4217"),
        ({"id": "p1", "title": "Mug", "price": {"amount_minor": -1, "currency": "USD"}}, "price: -1"),
        ({"id": "p1", "title": "Mug", "rating": 5.5}, "rating: 5.5 is not within 0 to 5"),
        ({"id": "p1", "title": "Mug", "rating": float("nan")}, "rating: nan"),
        ({"id": "p1", "title": "Mug", "quantity": -2}, "quantity: -2"),
        ({"id": "p1", "title": "Mug", "quantity": True}, "quantity: True is not a whole number"),
        ({"id": "p1", "title": "Mug", "availability": "sold"}, "availability: 'sold' is not one of in_stock"),
        ({"id": "p1", "title": "Mug", "images": "a.jpg"}, "images: 'a.jpg' is not a list"),
        ({"id": "p1", "title": "Mug", "images": [1]}, "images: 1 is not text"),
        ({"id": "p1", "title": "Mug", "tags": ["t"] * 1001}, "tags has 1,001 entries"),
        ({"id": "p1", "title": "Mug", "attributes": [["Size"]]}, "attributes: ['Size'] is not a pair"),
        ({"id": "p1", "title": "Mug", "options": [["Size", ["S"] * 1001]]}, "options has 1,001 entries"),
        ({"id": "p1", "title": "Mug", "variants": [{}]}, "variants[0]: id is missing"),
        ({"id": "p1", "title": "Mug", "variants": [{"id": "v", "quantity": -1}]}, "variants[0]: quantity"),
        ({"id": "p1", "title": "Mug", "variants": [{"id": "v", "options": [["a", "b"]] * 21}]}, "variants[0]: options"),
        ([], "product: [] is not a JSON object"),
    ],
)
def test_what_is_wrong_is_named_with_its_field_and_value(record: object, message: str) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        product_from_json(record)
    assert message in str(caught.value)


@pytest.mark.parametrize("line", ["", "{", "[" * 100_000, '{"id": NaN', "9" * 5000, "null"])
def test_a_line_that_is_no_object_is_refused_in_one_sentence(line: str) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        load_product(line)
    assert len(str(caught.value)) < 200


def test_a_file_has_one_object_a_line() -> None:
    lines = list(dump_products([Product("p1", "Mug"), Product("p2", "Cup", description="Line\nbreak")]))
    assert [json.loads(line)["id"] for line in lines] == ["p1", "p2"]
    assert all(line.count("\n") == 1 for line in lines)
