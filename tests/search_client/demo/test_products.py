"""The fake catalog is broad, always the same, and never says what its records do not."""

from __future__ import annotations

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


@pytest.mark.parametrize("product", PRODUCTS[::7], ids=lambda product: product.id)
def test_a_price_is_the_lowest_of_its_variants_and_below_the_list_price(product: Product) -> None:
    assert product.price is not None
    variant_prices = [variant.price for variant in product.variants if variant.price is not None]
    assert product.price == min(variant_prices, default=product.price)
    offers: list[Product | Variant] = [product, *product.variants]
    for offer in offers:
        assert offer.price is not None
        assert offer.list_price is None or offer.list_price > offer.price


def test_some_are_sold_out_some_on_sale_a_few_to_come() -> None:
    shares = {state: 100 * count / len(PRODUCTS) for state, count in Counter(p.availability for p in PRODUCTS).items()}
    on_sale = 100 * sum(product.on_sale for product in PRODUCTS) / len(PRODUCTS)
    assert 3 < shares[Availability.OUT_OF_STOCK] < 8
    assert 0 < shares[Availability.PREORDER] < 3
    assert 9 < on_sale < 15
