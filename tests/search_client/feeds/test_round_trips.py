"""What is written in any style and read back is the same, or asked for: never another price."""

from __future__ import annotations

import csv
import io
import json
import tempfile
import unicodedata
from pathlib import Path

import hypothesis.strategies as st
from hypothesis import HealthCheck, Phase, given, settings

from search_client.codec import dump_products
from search_client.errors import FeedError
from search_client.models import Availability, Money, Product, Variant, currency_exponent
from tests.search_client.feeds.reading import Result, read

RELAXED = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],  # shrinking files takes minutes and says little
    suppress_health_check=[HealthCheck.too_slow],
)
WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N"), max_codepoint=0x2FFF), min_size=1, max_size=12).map(
    lambda text: unicodedata.normalize("NFC", text)
)
LINES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join).map(lambda text: f"x{text}")
CURRENCIES = st.sampled_from(["USD", "EUR", "JPY", "KWD", "CHF"])
STATES = st.sampled_from(list(Availability))


def money(currency: str) -> st.SearchStrategy[Money]:
    return st.integers(1, 10**9).map(lambda amount: Money(amount, currency))


@st.composite
def products(draw: st.DrawFn) -> list[Product]:
    currency = draw(CURRENCIES)
    count = draw(st.integers(1, 6))
    return [draw(_product(f"P{number}", currency)) for number in range(count)]


def _product(product_id: str, currency: str) -> st.SearchStrategy[Product]:
    variants = st.lists(
        st.builds(
            Variant,
            id=WORDS,
            options=LINES.map(lambda value: (("Size", value),)),
            price=st.none() | money(currency),
            availability=STATES,
            quantity=st.none() | st.integers(0, 99),
        ),
        max_size=3,
    )
    return st.builds(
        Product,
        id=st.just(product_id),
        title=LINES,
        description=LINES,
        brand=st.none() | LINES,
        category=st.lists(LINES, max_size=3).map(tuple),
        price=st.none() | money(currency),
        availability=STATES,
        quantity=st.none() | st.integers(0, 999),
        attributes=st.lists(st.tuples(LINES, LINES), max_size=3).map(tuple),
        variants=variants.map(tuple),
        tags=st.lists(LINES, max_size=3).map(tuple),
        gtin=st.none() | st.from_regex(r"[0-9]{8,14}", fullmatch=True),
    )


def _read(content: str, *, saved_as: str = "utf-8", **options: object) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "feed"
        path.write_bytes(content.encode(saved_as))
        return read(path, **options)


@RELAXED
@given(products())
def test_our_own_format_gives_back_what_was_written(catalog: list[Product]) -> None:
    found = _read("".join(dump_products(catalog)), format="native")
    assert list(found.products) == catalog


def styled(amount: Money, *, decimal: str, group: str, symbol: str) -> str:
    """An amount as a merchant of some country writes it."""
    whole, _, cents = amount.decimal.partition(".")
    parts = [whole[max(0, end - 3) : end] for end in range(len(whole), 0, -3)][::-1]
    number = group.join(parts) + (decimal + cents if cents else "")
    return symbol.replace("#", number)


@RELAXED
@given(
    st.lists(st.integers(1, 10**8), min_size=1, max_size=12),
    st.sampled_from(
        [(".", ","), (".", ""), (".", " "), (".", "'"), (",", "."), (",", ""), (",", " "), (",", "\u202f")]
    ),
    st.sampled_from(["#", "# EUR", "EUR #", "€ #", "#€", "# €"]),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
)
def test_a_price_in_any_style_is_read_as_it_was_meant_or_asked_for(
    amounts: list[int], signs: tuple[str, str], symbol: str, delimiter: str, encoding: str
) -> None:
    group = " " if encoding == "cp1252" and signs[1] == "\u202f" else signs[1]
    meant = [Money(amount, "EUR") for amount in amounts]
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter)
    writer.writerow(["id", "title", "price"])
    for number, amount in enumerate(meant):
        writer.writerow([f"P{number}", "Thing", styled(amount, decimal=signs[0], group=group, symbol=symbol)])
    try:
        found = _read(file.getvalue(), saved_as=encoding, currency="EUR")
    except FeedError as error:
        assert "--decimal" in str(error)
        return
    by_id = {f"P{number}": amount for number, amount in enumerate(meant)}
    assert all(product.price == by_id[product.id] for product in found.products)
    assert len(found.products) == len(meant)


@RELAXED
@given(products())
def test_a_google_table_gives_back_names_prices_and_stock(catalog: list[Product]) -> None:
    file = io.StringIO()
    writer = csv.writer(file, delimiter="\t")
    writer.writerow(
        ["id", "title", "description", "image_link", "price", "availability", "brand", "gtin", "product_type"]
    )
    for item in catalog:
        price = f"{item.price.decimal} {item.price.currency}" if item.price else ""
        state = "" if item.availability is Availability.UNKNOWN else item.availability.value
        writer.writerow(
            [item.id, item.title, item.description, "", price, state, item.brand, item.gtin, " > ".join(item.category)]
        )
    found = _read(file.getvalue())
    for item, back in zip(catalog, found.products, strict=True):
        assert (back.id, back.title, back.price, back.availability) == (
            item.id,
            item.title,
            item.price,
            item.availability,
        )
        assert (back.brand, back.gtin, back.category) == (item.brand, item.gtin, item.category)


@RELAXED
@given(products(), st.booleans(), st.booleans())
def test_plain_json_gives_back_variants_and_prices(catalog: list[Product], lines: bool, indented: bool) -> None:
    records = []
    for item in catalog:
        places = currency_exponent(item.price.currency) if item.price else 2
        amount = round(item.price.amount_minor / 10**places, places) if item.price else None
        variants = [
            {"id": each.id, "size": dict(each.options)["Size"], "stock": each.quantity} for each in item.variants
        ]
        currency = item.price.currency if item.price else None
        records.append(
            {
                "id": item.id,
                "name": item.title,
                "price": amount,
                "currency": currency,
                "variants": variants,
                "tags": item.tags,
            }
        )
    indent = 2 if indented else None
    text = (
        "\n".join(json.dumps(each, indent=indent) for each in records) if lines else json.dumps(records, indent=indent)
    )
    found = _read(text)
    for item, back in zip(catalog, found.products, strict=True):
        assert (back.id, back.title, back.price, back.tags) == (
            item.id,
            item.title,
            item.price,
            tuple(dict.fromkeys(item.tags)),
        )
        assert [v.quantity for v in back.variants] == [v.quantity for v in item.variants]
