"""What every real file at hand must give: counts and values checked by hand against the files."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import pytest

from search_client.errors import FeedError
from search_client.feeds import open_feed
from tests.search_client.feeds.reading import OPTIONS, read
from tests.shared_data import shared_data


@dataclass(frozen=True, slots=True)
class Expected:
    file: str
    read: int
    products: int
    variants: int = 0
    skipped: int = 0
    repaired: int = 0
    total_minor: int | None = None
    """All prices together, added up from the raw file by other means; None: not added up."""
    rated: int | None = None
    prices: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    """Price and list price by product id."""
    stock: dict[str, str] = field(default_factory=dict)
    options: dict[str, object] = field(default_factory=dict)


TABLE = [
    Expected(
        "shopify_partners_apparel.csv",
        22,
        20,
        total_minor=117500,
        variants=3,
        prices={"ocean-blue-shirt": ("50.00", None), "classic-varsity-top": ("60.00", None)},
        stock={"ocean-blue-shirt": "in_stock", "led-high-tops": "in_stock"},
    ),
    Expected(
        "shopify_partners_home-and-garden.csv",
        21,
        20,
        total_minor=232985,
        variants=2,
        prices={
            "clay-plant-pot": ("9.99", None),
            "cream-sofa": ("500.00", "750.00"),
            "copper-light": ("59.99", "75.00"),
        },
        stock={"biodegradable-cardboard-pots": "in_stock", "pink-armchair": "in_stock"},
    ),
    Expected(
        "shopify_packt_product-data.csv",
        21,
        20,
        total_minor=232985,
        variants=2,
        prices={"floor-lamp": ("69.99", "85.00"), "wicker-bowl": ("750.00", None), "gardening-gloves": ("9.99", None)},
        stock={"watering-can": "in_stock", "grey-wheelbarrow": "in_stock"},
    ),
    Expected(
        "dummyjson_products.json",
        194,
        194,
        total_minor=30459996,
        prices={"1": ("9.99", None), "194": ("129.99", None)},
        stock={"1": "in_stock"},
    ),
    Expected(
        "tau_bench_retail_products.json",
        50,
        50,
        total_minor=2382445,
        variants=591,
        prices={"9523456873": ("46.66", None)},
        stock={"9523456873": "in_stock"},
    ),
    Expected(
        "products_ar_m5zoon.json",
        263,
        263,
        total_minor=9075600,
        prices={"perfume_1": ("252.00", "352.00")},
        stock={"perfume_1": "unknown"},
    ),
    Expected("algolia_small_variants_colors.json", 15, 15, stock={"tshirt-A-teal": "unknown"}),
    Expected("mgshopdial_Books_items.json", 14, 14, total_minor=28424, rated=13),
    Expected("mgshopdial_Cellphones-Accessories_items.json", 10, 10, total_minor=266189, rated=9),
    Expected("mgshopdial_Officeproducts_items.json", 17, 17, total_minor=34703, rated=16),
    Expected("mgshopdial_SportsandOutdoors_items.json", 16, 16, total_minor=90755, rated=16),
    Expected(
        "icecat_chorus_1.json.zip",
        5000,
        5000,
        total_minor=111276753,
        prices={"3920564": ("49.95", None), "2101957": ("109.95", None)},
    ),
    Expected("icecat_chorus_2.json.zip", 5000, 5000, total_minor=116870706),
    Expected("icecat_chorus_3.json.zip", 5000, 5000, total_minor=113260873),
    Expected("icecat_chorus_4.json.zip", 4406, 4406, total_minor=105769728),
    Expected(
        "woocommerce_sample_products.csv",
        25,
        17,
        variants=7,
        skipped=1,
        prices={
            "44": ("15.00", None),
            "45": ("42.00", "45.00"),
            "48": ("18.00", "20.00"),
            "75": ("2.00", "3.00"),
            "89": ("11.05", None),
        },
        stock={"44": "in_stock", "60": "in_stock"},
    ),
    Expected("woocommerce_one-row_bom.csv", 1, 1, stock={"44": "in_stock"}),
    Expected(
        "vendure_create_products.csv",
        88,
        54,
        total_minor=1792345,
        variants=47,
        prices={"laptop": ("1299.00", None), "gaming-pc": ("931.20", None), "bonsai-tree": ("19.99", None)},
        stock={"laptop": "in_stock", "tent": "in_stock"},
    ),
    Expected(
        "magento2_simple_gear_bags.csv",
        14,
        14,
        total_minor=57400,
        prices={"24-MB01": ("34.00", None), "24-MB04": ("32.00", None)},
        stock={"24-MB01": "in_stock"},
    ),
    Expected(
        "magento2_simple_gear_watches.csv",
        9,
        9,
        total_minor=53300,
        prices={"24-MG04": ("45.00", None), "24-MG02": ("92.00", None)},
        stock={"24-MG02": "in_stock"},
    ),
    Expected(
        "google_feed_ar_m5zoon.xml",
        263,
        263,
        total_minor=9075600,
        repaired=24,
        prices={"perfume_1": ("252.00", "352.00"), "watch_197": ("355.00", "405.00")},
        stock={"perfume_1": "in_stock"},
    ),
    Expected(
        "google_feed_en_m5zoon.tsv",
        30,
        30,
        total_minor=704500,
        prices={"perfume_001": ("212.50", "250.00"), "watch_010": ("254.40", "318.00")},
        stock={"watch_010": "in_stock"},
    ),
    Expected(
        "acp_examples.feed.json",
        1,
        1,
        variants=1,
        prices={"prod_classic_tee": ("19.99", None)},
        stock={"prod_classic_tee": "out_of_stock"},
    ),
]


@pytest.mark.parametrize("expected", TABLE, ids=lambda expected: expected.file)
def test_a_real_file_gives_its_products_prices_and_stock(expected: Expected) -> None:
    found = read(shared_data(f"catalogs/{expected.file}"), **expected.options)
    report = found.report
    assert (report.read, report.imported, report.variants) == (expected.read, expected.products, expected.variants)
    assert (report.skipped, report.repaired) == (expected.skipped, expected.repaired)
    for product_id, (price, list_price) in expected.prices.items():
        product = found[product_id]
        assert product.price is not None and product.price.decimal == price
        assert (product.list_price.decimal if product.list_price else None) == list_price
    assert {product_id: found[product_id].availability.value for product_id in expected.stock} == expected.stock
    assert all(product.title and product.id for product in found.products)
    total = sum(product.price.amount_minor for product in found.products if product.price)
    assert expected.total_minor in (None, total)
    assert expected.rated in (None, sum(product.rating is not None for product in found.products))


def test_amounts_beside_the_price_tell_the_currency_where_no_price_does() -> None:
    found = read(shared_data("catalogs/google_feed_en_m5zoon.tsv"))
    assert {product.price.currency for product in found.products if product.price} == {"AED"}


def test_reviews_beside_the_products_give_their_ratings() -> None:
    bags, watches = (shared_data(f"catalogs/magento2_simple_gear_{name}.csv") for name in ("bags", "watches"))
    with open_feed([bags, watches, shared_data("catalogs/magento2_products_reviews.csv")], OPTIONS) as feed:
        products = {product.id: product for product in feed}
    assert len(products) == 23
    assert (products["24-MB01"].rating, products["24-MB01"].rating_count) == (2.5, 2)
    with pytest.raises(FeedError, match="reviews"):
        open_feed(shared_data("catalogs/magento2_products_reviews.csv"), OPTIONS)


def test_a_supplier_that_begins_the_titles_is_the_brand() -> None:
    found = read(shared_data("catalogs/icecat_chorus_1.json.zip"))
    assert found["3920564"].brand == "Xerox"
    assert ("Printing colours", "Black") in found["3920564"].attributes


def test_stock_of_every_product_and_variant_is_as_the_files_say() -> None:
    dummy = read(shared_data("catalogs/dummyjson_products.json"))
    assert Counter(product.availability.value for product in dummy.products) == {"in_stock": 190, "out_of_stock": 4}
    retail = read(shared_data("catalogs/tau_bench_retail_products.json"))
    states = Counter(variant.availability.value for product in retail.products for variant in product.variants)
    assert states == {"in_stock": 379, "out_of_stock": 212}


def test_reductions_are_as_the_files_say() -> None:
    feed = read(shared_data("catalogs/google_feed_ar_m5zoon.xml"))
    assert sum(product.list_price.amount_minor for product in feed.products if product.list_price) == 10_720_600
    bags = read(shared_data("catalogs/magento2_simple_gear_bags.csv"))
    assert [product.id for product in bags.products if product.on_sale] == ["24-WB05"]
