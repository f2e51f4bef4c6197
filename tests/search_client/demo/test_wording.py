"""What is said of a product is what its record states."""

from __future__ import annotations

import itertools
import re

import pytest

from search_client.demo import products

PRODUCTS = tuple(products())
CLAIMS = {
    "cordless": "Cordless",
    "dishwasher safe": "Dishwasher Safe",
    "gluten free": "Gluten Free",
    "noise cancelling": "Noise Cancelling",
    "organic": "Organic",
    "polarized": "Polarized",
    "rechargeable": "Rechargeable",
    "vegan": "Vegan",
    "waterproof": "Waterproof",
    "weatherproof": "Weatherproof",
}
MATERIALS = {
    *("aluminum", "cashmere", "cork", "cotton", "canvas", "denim", "flannel", "glass", "leather", "linen", "merino"),
    *("pearl", "rubber", "shearling", "silicone", "silk", "straw", "terracotta", "wool"),
}
DENIAL = re.compile(r"\b(not|no active)\s+$", re.IGNORECASE)


@pytest.mark.parametrize(("claim", "attribute"), CLAIMS.items())
def test_a_claim_in_the_text_stands_in_the_record(claim: str, attribute: str) -> None:
    wrong = []
    for product in PRODUCTS:
        text = f"{product.title}. {product.description}"
        for found in re.finditer(rf"\b{claim}\b", text, re.IGNORECASE):
            denied = bool(DENIAL.search(text[: found.start()]))
            stated = product.attribute(attribute)
            material_says_so = claim == "organic" and "organic" in (product.attribute("Material") or "").lower()
            if stated != ("No" if denied else "Yes") and not material_says_so:
                wrong.append((product.id, text))
    assert wrong == []


def test_a_material_in_the_title_stands_in_the_record() -> None:
    wrong = [
        (product.id, product.title, material)
        for product in PRODUCTS
        for word in product.title.lower().partition(",")[0].split()
        if (material := product.attribute("Material")) is not None
        and word in MATERIALS
        and word not in material.lower()
    ]
    assert wrong == []


def test_every_description_has_two_to_four_sentences() -> None:
    counts = {product.id: len(re.findall(r"[.!?](?= |$)", product.description)) for product in PRODUCTS}
    assert {id_: count for id_, count in counts.items() if not 2 <= count <= 4} == {}


def test_no_mark_of_the_tables_is_left_in_a_text() -> None:
    texts = [(p.id, text) for p in PRODUCTS for text in (p.title, p.description, *(v for _, v in p.attributes))]
    assert [entry for entry in texts if re.search(r"[~|{}=]| / ", entry[1])] == []


def test_near_twins_differ_in_one_attribute_and_their_titles_tell() -> None:
    twins = [
        (left, right)
        for left, right in itertools.pairwise(PRODUCTS)
        if (left.category, left.brand, left.images[0][-12:]) == (right.category, right.brand, right.images[0][-12:])
        and len(set(left.attributes) - set(right.attributes)) == 1
        and left.description.partition(". ")[0] == right.description.partition(". ")[0]
    ]
    assert len(twins) >= 100
    assert all(left.title != right.title for left, right in twins)
