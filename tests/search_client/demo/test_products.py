"""The fake catalog is broad, always the same, and never says what its records do not."""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys
from collections import Counter

import pytest

from search_client.demo import products
from search_client.models import Availability, Product, Variant

PRODUCTS = tuple(products())


def test_the_same_products_come_every_time() -> None:
    assert tuple(products()) == PRODUCTS


def test_there_are_many_products_over_many_categories() -> None:
    assert len(PRODUCTS) >= 800
    assert len({product.category for product in PRODUCTS}) >= 60


@pytest.mark.parametrize("of", ["id", "title", "sku"])
def test_no_two_products_share(of: str) -> None:
    counts = Counter(getattr(product, of) for product in PRODUCTS)
    assert [value for value, count in counts.items() if count > 1] == []


def test_every_category_has_at_least_five_products() -> None:
    counts = Counter(product.category for product in PRODUCTS)
    assert [category for category, count in counts.items() if count < 5] == []


def offers(product: Product) -> list[Product | Variant]:
    return [product, *product.variants]


def test_a_product_costs_what_its_cheapest_variant_does() -> None:
    cheapest = {p.id: min((v.price for v in p.variants if v.price), default=p.price) for p in PRODUCTS}
    assert [p.id for p in PRODUCTS if p.price is None or p.price != cheapest[p.id]] == []


def test_a_list_price_is_above_the_price() -> None:
    reduced = [offer for product in PRODUCTS for offer in offers(product)]
    assert [o.id for o in reduced if o.list_price and o.price and o.list_price <= o.price] == []


def test_stock_words_and_units_agree() -> None:
    stated = [offer for product in PRODUCTS for offer in offers(product)]
    assert [o.id for o in stated if (o.availability is Availability.IN_STOCK) != bool(o.quantity)] == []
    assert [p.id for p in PRODUCTS if p.variants and p.quantity != sum(v.quantity or 0 for v in p.variants)] == []


def test_every_combination_of_options_is_one_variant() -> None:
    for product in PRODUCTS:
        combinations = [tuple(zip((n for n, _ in product.options), row, strict=True)) for row in rows(product)]
        assert [variant.options for variant in product.variants] == combinations


def rows(product: Product) -> list[tuple[str, ...]]:
    return list(itertools.product(*(values for _, values in product.options))) if product.options else []


def test_variant_ids_and_skus_are_unique_over_the_catalog() -> None:
    variants = [variant for product in PRODUCTS for variant in product.variants]
    assert len({variant.id for variant in variants}) == len({variant.sku for variant in variants}) == len(variants)


def test_an_unrated_product_has_no_ratings_counted() -> None:
    assert [p.id for p in PRODUCTS if (p.rating is None) != (p.rating_count == 0)] == []
    assert all(0 <= p.rating <= 5 for p in PRODUCTS if p.rating is not None)


def test_the_order_of_hashes_changes_nothing() -> None:
    program = "import hashlib; from search_client.demo import products; "
    program += "print(hashlib.sha256(repr(list(products())).encode()).hexdigest())"
    runs = [
        subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True)
        for seed in ("1", "2")
    ]
    assert runs[0].returncode == 0
    assert runs[0].stdout == runs[1].stdout == fingerprint()


def fingerprint() -> bytes:
    return hashlib.sha256(repr(list(products())).encode()).hexdigest().encode() + b"\n"


def test_some_are_sold_out_some_on_sale_a_few_to_come() -> None:
    shares = {state: 100 * count / len(PRODUCTS) for state, count in Counter(p.availability for p in PRODUCTS).items()}
    on_sale = 100 * sum(product.on_sale for product in PRODUCTS) / len(PRODUCTS)
    assert 3 < shares[Availability.OUT_OF_STOCK] < 8
    assert 0 < shares[Availability.PREORDER] < 3
    assert 9 < on_sale < 15
