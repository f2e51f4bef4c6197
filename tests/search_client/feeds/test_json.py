"""JSON of any shape, and our own format."""

from __future__ import annotations

import json

import pytest

from search_client.codec import dump_product
from search_client.errors import FeedError
from search_client.feeds import FeedLimits
from search_client.models import Availability, Money, Product, Variant
from tests.search_client.feeds.reading import Desk

CUP = {"id": "A1", "title": "Cup", "price": 4.5}
PAN = {"id": "A2", "title": "Pan", "price": "9.00"}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([CUP, PAN]),
        json.dumps({"products": [CUP, PAN], "total": 2}),
        json.dumps({"meta": {"page": 1}, "data": {"items": [CUP, PAN]}}),
        json.dumps({"data": {"products": {"edges": [{"node": CUP}, {"node": PAN}]}}}),
        json.dumps({"hits": {"total": 2, "hits": [{"_id": "1", "_source": CUP}, {"_id": "2", "_source": PAN}]}}),
        json.dumps({"A1": {"title": "Cup", "price": 4.5}, "A2": {"title": "Pan", "price": "9.00"}}),
        json.dumps(CUP) + "\n" + json.dumps(PAN),
        json.dumps(CUP, indent=2) + "\n" + json.dumps(PAN, indent=2),
        "\ufeff" + json.dumps([CUP, PAN]),
        json.dumps({"title": "My shop", "link": "https://s.example", "products": [CUP, PAN]}),
    ],
)
def test_products_are_found_in_every_shape(desk: Desk, text: str) -> None:
    found = desk.read(text, "feed.json")
    assert found.prices == {"A1": "4.50 USD", "A2": "9.00 USD"}


def test_one_product_alone_is_a_feed(desk: Desk) -> None:
    assert desk.read(json.dumps(CUP)).ids == ["A1"]


@pytest.mark.parametrize("text", ['{"a": 1}', "[1, 2]", '{"users": [{"email": "x"}]}', "[]", '"text"'])
def test_json_without_products_is_refused_with_the_shapes_that_work(desk: Desk, text: str) -> None:
    with pytest.raises(FeedError, match=r"No products found|holds no products|reads as one column|None of"):
        desk.read(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [('[{"id": 1, "title": "A"},\n {"id": 2, "title": }]', 2), ('[{"id": 1, "title": "A"},\n {"id": 2, "tit', 2)],
)
def test_broken_json_is_refused_with_its_line(desk: Desk, text: str, line: int) -> None:
    with pytest.raises(FeedError, match=f"line {line}"):
        desk.read(text)


def test_a_broken_line_of_json_lines_costs_itself_only(desk: Desk) -> None:
    found = desk.read(f'{json.dumps(CUP)}\n{{"id": "X", "title": broken}}\n[1]\n{json.dumps(PAN)}\n')
    assert found.ids == ["A1", "A2"]
    assert [line for line, _ in found.reasons("skipped")] == [2, 3]


def test_nesting_and_length_of_a_record_are_bounded(desk: Desk) -> None:
    with pytest.raises(FeedError, match="nested deeper"):
        desk.read('[{"id": "A", "title": "T", "x": ' + "[" * 100_000 + "]" * 100_000 + "}]")
    with pytest.raises(FeedError, match="nested deeper"):
        desk.read('[{"id": "A", "title": "T", "x": ' + "[" * 60 + "]" * 60 + "}]")
    with pytest.raises(FeedError, match="longer than 1,000"):
        desk.read(f'[{{"id": "A", "title": "{"x" * 600_000}"}}]', limits=FeedLimits(max_record_chars=1000))


def test_a_list_longer_than_a_chunk_is_streamed_whole(desk: Desk) -> None:
    rows = [{"id": f"P{n}", "title": f"Thing {n}", "price": n + 0.25, "text": "x" * 300} for n in range(3_000)]
    found = desk.read(json.dumps({"total": 3000, "products": rows}))
    assert found.report.imported == 3_000
    assert found.prices["P2999"] == "2999.25 USD"


def test_variants_prices_ratings_and_images_are_read_from_nested_objects(desk: Desk) -> None:
    record = {
        "id": "T1",
        "name": "Tee",
        "brand": {"name": "Alp"},
        "price": {"amount": "25.00", "currency": "EUR", "original": "30.00"},
        "rating": {"rate": 4.5, "count": 12},
        "images": [{"src": "https://i.example/1.jpg"}],
        "categories": [{"name": "Clothing"}],
        "attributes": [{"name": "Fabric", "options": ["Cotton", "Linen"]}, {"name": "Supplier", "value": "X"}],
        "dimensions": {"width": 2.50},
        "meta": {"barcode": "4006381333931"},
        "reviews": [{"reviewerEmail": "a@b.example", "comment": "nice"}],
        "variants": [
            {"sku": "T-S", "options": {"size": "S"}, "price": 25, "stock": 2},
            {"sku": "T-M", "options": {"size": "M"}, "price": 27, "stock": 0},
        ],
    }
    product = desk.read(json.dumps([record]))["T1"]
    assert (product.brand, str(product.price), product.rating, product.rating_count) == ("Alp", "25.00 EUR", 4.5, 12)
    assert (product.category, product.gtin, product.images) == (
        ("Clothing",),
        "4006381333931",
        ("https://i.example/1.jpg",),
    )
    assert product.attributes == (("Fabric", "Cotton"), ("Fabric", "Linen"), ("Dimensions width", "2.5"))
    assert [(v.sku, str(v.price), v.availability) for v in product.variants] == [
        ("T-S", "25.00 EUR", Availability.IN_STOCK),
        ("T-M", "27.00 EUR", Availability.OUT_OF_STOCK),
    ]
    assert product.options == (("Size", ("S", "M")),)


def test_a_shops_own_product_json_gives_options_by_name(desk: Desk) -> None:
    record = {
        "id": 77,
        "title": "Boot",
        "body_html": "<p>Dry</p>",
        "vendor": "Alp",
        "product_type": "Shoes",
        "options": [{"name": "Size", "values": ["41", "42"]}, {"name": "Colour", "values": ["Red"]}],
        "variants": [
            {"id": 1, "sku": "B41", "price": "90.00", "compare_at_price": "99.00", "option1": "41", "option2": "Red"},
            {"id": 2, "sku": "B42", "price": "95.00", "compare_at_price": None, "option1": "42", "option2": "Red"},
        ],
    }
    product = desk.read(json.dumps({"products": [record]}))["77"]
    assert (product.brand, product.category, str(product.list_price)) == ("Alp", ("Shoes",), "99.00 USD")
    assert product.variants[1].options == (("Size", "42"), ("Colour", "Red"))


MEDUSA = {
    "id": "prod_1",
    "title": "Tee",
    "handle": "tee",
    "status": "published",
    "options": [
        {"id": "o1", "title": "Size", "values": [{"value": "S"}, {"value": "M"}]},
        {"id": "o2", "title": "Color", "values": [{"value": "Black"}]},
    ],
    "variants": [
        {
            "id": "v1",
            "sku": "T-S",
            "inventory_quantity": 9,
            "prices": [{"currency_code": "eur", "amount": 1950}, {"currency_code": "usd", "amount": 2200}],
            "options": [{"option_id": "o2", "value": "Black"}, {"option_id": "o1", "value": "S"}],
        },
        {
            "id": "v2",
            "sku": "T-M",
            "inventory_quantity": 0,
            "allow_backorder": True,
            "prices": [{"currency_code": "eur", "amount": 2050}, {"currency_code": "usd", "amount": 2300}],
            "options": [{"value": "M"}, {"value": "Black"}],
        },
    ],
}


def test_lists_of_whole_amounts_by_currency_are_cents_where_none_is_small(desk: Desk) -> None:
    tee = desk.read(json.dumps({"products": [MEDUSA]}))["prod_1"]
    assert [(v.sku, str(v.price), dict(v.options), v.availability.value) for v in tee.variants] == [
        ("T-S", "19.50 EUR", {"Color": "Black", "Size": "S"}, "in_stock"),
        ("T-M", "20.50 EUR", {"Size": "M", "Color": "Black"}, "backorder"),
    ]
    dollars = desk.read(json.dumps({"products": [MEDUSA]}), currency="USD")
    assert dollars.prices["prod_1"] == "22.00 USD"
    assert "cents" in dict(dollars.detected.evidence)["price_unit"]


def listed_prices(*amounts: float) -> str:
    return json.dumps(
        [
            {"id": f"P{n}", "title": f"T{n}", "prices": [{"amount": amount, "currency_code": "eur"}]}
            for n, amount in enumerate(amounts, 1)
        ]
    )


def test_lists_of_amounts_are_no_cents_where_some_have_decimals_or_most_are_small(desk: Desk) -> None:
    assert desk.read(listed_prices(10, 1200, 10.5)).prices["P2"] == "1200.00 EUR"
    assert desk.read(listed_prices(10, 15, 1200)).prices["P2"] == "15.00 EUR"
    with pytest.raises(FeedError, match="--price-unit"):
        desk.read(listed_prices(10, 1500, 1200))
    assert desk.read(listed_prices(10, 1500, 1200), price_unit="minor").prices["P2"] == "15.00 EUR"


@pytest.mark.parametrize(
    "offer",
    [
        {"prices": {"price": "1105", "regular_price": "1500", "currency_code": "EUR", "currency_minor_unit": 2}},
        {"calculated_price": {"calculated_amount": 11.05, "original_amount": 15, "currency_code": "eur"}},
        {"price": {"amount": 11.05, "currency": "EUR", "original_amount": 15.00}},
        {"price": "11.05", "regular_price": "15.00", "sale_price": "11.05", "currency": "EUR"},
        {"price": 11.05, "oldprice": 15, "currency": "EUR"},
        {
            "pricing": {
                "price": {"gross": {"amount": 11.05, "currency": "EUR"}},
                "priceUndiscounted": {"gross": {"amount": 15, "currency": "EUR"}},
                "discount": {"gross": {"amount": 3.95, "currency": "EUR"}},
            }
        },
        {
            "priceRange": {
                "minVariantPrice": {"amount": "11.05", "currencyCode": "EUR"},
                "maxVariantPrice": {"amount": "99.00", "currencyCode": "EUR"},
            },
            "compareAtPriceRange": {"minVariantPrice": {"amount": "15.00", "currencyCode": "EUR"}},
        },
    ],
)
def test_prices_are_found_in_every_object_that_shops_keep_them_in(desk: Desk, offer: dict[str, object]) -> None:
    product = desk.read(json.dumps([{"id": "A", "title": "Cup", **offer}]))["A"]
    assert (str(product.price), str(product.list_price)) == ("11.05 EUR", "15.00 EUR")


def test_a_master_variant_and_names_by_language_are_read(desk: Desk) -> None:
    def variant(number: int, cents: int, color: str) -> dict[str, object]:
        money = {"type": "centPrecision", "currencyCode": "EUR", "centAmount": cents, "fractionDigits": 2}
        return {
            "id": number,
            "sku": f"T{number}",
            "prices": [{"value": money}],
            "attributes": [{"name": "color", "value": color}],
        }

    record = {"id": "x", "name": {"en-US": "Tee", "de-DE": "T-Shirt"}, "masterVariant": variant(1, 1950, "Red"),
              "variants": [variant(2, 2150, "Blue")]}  # fmt: skip
    tee = desk.read(json.dumps({"results": [record]}))["x"]
    assert (tee.title, tee.options) == ("Tee", (("Color", ("Red", "Blue")),))
    assert [str(v.price) for v in tee.variants] == ["19.50 EUR", "21.50 EUR"]


def test_stock_ratings_and_blocks_of_text_are_read_from_their_objects(desk: Desk) -> None:
    record = {
        "product_id": "A",
        "title": "Cup",
        "description": json.dumps({"blocks": [{"data": {"text": "Warm"}}]}),
        "price": 4,
        "availability": {"status": "in_stock", "quantity": 125},
        "ratings": {"average_rating": 4.5, "review_count": 12},
        "category": ["23", "Kitchen"],
        "parent_id": 0,
        "total_sales": 99,
    }
    cup = desk.read(json.dumps([record]))["A"]
    assert (cup.availability, cup.quantity, cup.rating, cup.rating_count) == (Availability.IN_STOCK, 125, 4.5, 12)
    assert (cup.description, cup.category, cup.attributes) == ("Warm", ("Kitchen",), ())


def test_goods_that_a_shop_never_published_are_left_out(desk: Desk) -> None:
    found = desk.read(json.dumps([{**CUP, "published_at": None}, {**PAN, "published_at": "2026-01-01T00:00:00Z"}]))
    assert (found.ids, found.report.hidden) == (["A2"], 1)


def test_a_rating_no_one_gave_is_none_and_other_scales_become_five_stars(desk: Desk) -> None:
    found = desk.read(
        "id,title,price,rating,reviews count\n"
        "A,Cup,1,4.5,0\nB,Pan,2,4.5,7\nC,Pot,3,4.6/5,\nD,Lid,4,90%,3\nE,Jug,5,0,2\n"
    )
    assert [product.rating for product in found.products] == [None, 4.5, 4.6, 4.5, None]
    tens = desk.read("id,title,price,rating\nA,Cup,1,8.4\nB,Pan,2,9\n")
    assert [product.rating for product in tens.products] == [4.2, 4.5]


@pytest.mark.parametrize("status", ["draft", "archived", "inactive", "private"])
def test_hidden_goods_are_left_out_of_plain_files_too(desk: Desk, status: str) -> None:
    found = desk.read(json.dumps([{**CUP, "status": status}, {**PAN, "status": "active", "published": True}]))
    assert (found.ids, found.report.hidden) == (["A2"], 1)


def test_titles_in_several_languages_give_one_title(desk: Desk) -> None:
    record = {"id": "A", "title_ar": "كوب", "title_en": "Cup", "price": 4}
    assert desk.read(json.dumps([record]))["A"].title == "كوب"


FULL = Product(
    id="N1",
    title="Boot & <b>Sock</b>",
    description="5 < 6",
    brand="Alp",
    category=("Shoes", "Boots"),
    price=Money(1999, "EUR"),
    list_price=Money(2499, "EUR"),
    availability=Availability.PREORDER,
    quantity=3,
    rating=4.25,
    rating_count=9,
    images=("https://i.example/1.jpg",),
    attributes=(("Material", "Leather"), ("Material", "Wool")),
    options=(("Size", ("41", "42")),),
    variants=(Variant("N1-41", (("Size", "41"),), price=Money(1999, "EUR")),),
    tags=("winter",),
    added_at="2026-01-02",
    visible_to=("staff",),
)


def test_our_own_format_comes_back_as_it_was(desk: Desk) -> None:
    found = desk.read(dump_product(FULL) + "\n" + dump_product(Product("N2", "Lid", price=Money(5, "JPY"))) + "\n")
    assert found.detected.format == "native"
    assert found.products[0] == FULL


def test_bad_lines_and_duplicates_of_our_own_format_are_reported(desk: Desk) -> None:
    lines = [dump_product(FULL), dump_product(FULL), '{"id": "N3", "title": 5}', "{broken"]
    found = desk.read("\n".join([*lines, dump_product(Product("N4", "Lid"))]), format="native")
    assert found.ids == ["N1", "N4"]
    assert [line for line, _ in found.reasons("skipped")] == [2, 3, 4]


def test_keys_that_are_never_the_same_do_not_fill_the_memory(desk: Desk) -> None:
    rows = [{"id": f"P{n}", "title": "T", **{f"key{n}-{k}": 1 for k in range(60)}, "x" * 900: "y"} for n in range(400)]
    found = desk.read(json.dumps(rows))
    assert found.report.imported == 400
    assert len(found.detected.unknown_columns) == 20_000
