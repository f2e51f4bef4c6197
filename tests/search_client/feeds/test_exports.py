"""A catalog written as each platform exports it comes back the same, as far as the format can carry it."""

from __future__ import annotations

import tempfile
import unicodedata
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from search_client.codec import dump_products
from search_client.feeds.shaping import summed_up
from search_client.models import Availability, Money, Product, Variant
from tests.search_client.feeds import writers
from tests.search_client.feeds.reading import Result, read
from tests.search_client.feeds.writers import Sheet, Writer

RELAXED = settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],  # shrinking files takes minutes and says little
    suppress_health_check=[HealthCheck.too_slow],
)
PIECES = [
    "Cup", 'Pan 24"', "Salt & Pepper", "5 < 6 mm", "a, b", "x; y", "it's", "Größe", "Чашка", "陶瓷杯", "'quoted'",
    "100%", "=SUM(A1)", "+4", "@home", "tab\there", "R&D", "&copy", "back\\slash", "№ 5", "--", "{curly}", "#1",
    "e\u0301clair",
]  # fmt: skip
LEVELS = ["Home", "Kitchen & Dining", "Cups, Mugs", "Große Töpfe", "Чашки"]
TITLES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=3).map(lambda parts: "Thing " + " ".join(parts))
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("\n".join)
CURRENCIES = st.sampled_from(["USD", "EUR", "JPY", "KWD", "CHF", "CZK"])
SHEETS = st.builds(
    Sheet,
    delimiter=st.sampled_from([",", ";", "\t"]),
    line_end=st.sampled_from(["\n", "\r\n"]),
    quoted=st.booleans(),
)
STOCK = st.sampled_from(
    [
        (Availability.IN_STOCK, None),
        (Availability.IN_STOCK, 7),
        (Availability.OUT_OF_STOCK, 0),
        (Availability.BACKORDER, 0),
    ]
)
PRICES = st.none() | st.tuples(st.integers(1, 10**7), st.none() | st.integers(1, 10**6))


@st.composite
def catalogs(draw: st.DrawFn) -> list[Product]:
    """Up to four products of one currency, with and without variants."""
    currency = draw(CURRENCIES)
    return [_product(draw, number, currency) for number in range(1, draw(st.integers(1, 4)) + 1)]


def _product(draw: st.DrawFn, number: int, currency: str) -> Product:
    price, list_price = _offer(draw, currency)
    state, pieces = draw(STOCK)
    code = f"{number:03}"
    product = Product(
        id=code,
        title=" ".join(draw(TITLES).split()),
        description=draw(TEXTS),
        brand=draw(st.none() | st.sampled_from(["Alp", "Smith & Sons", "Ö-Werk"])),
        category=tuple(draw(st.lists(st.sampled_from(LEVELS), max_size=3, unique=True))),
        price=price,
        list_price=list_price,
        availability=state,
        quantity=pieces,
        images=tuple(f"https://i.example/{code}-{n}.jpg" for n in range(draw(st.integers(0, 3)))),
        tags=tuple(draw(st.lists(st.sampled_from(["new", "gift idea", "für Sie"]), max_size=3, unique=True))),
        gtin=draw(st.none() | st.just("0006381333931")),
        sku=code,
    )
    count = draw(st.sampled_from([0, 0, 2, 3]))
    variants = tuple(islice(_variants(draw, code, currency), count))
    if not variants:
        return product
    bare = {"price": None, "list_price": None, "quantity": None, "gtin": None, "sku": None}
    return summed_up(_changed(product, variants=variants, **bare))


def _variants(draw: st.DrawFn, code: str, currency: str) -> list[Variant]:
    found = []
    for number, (size, color) in enumerate([("S", "Red"), ('M 24"', "Blue & White"), ("L", "Grün")], 1):
        price, list_price = _offer(draw, currency)
        state, pieces = draw(STOCK)
        options = (("Size", size), ("Color", color))
        own = f"{code}-{number}"
        found.append(
            Variant(own, options, sku=own, price=price, list_price=list_price, availability=state, quantity=pieces)
        )
    return found


def _offer(draw: st.DrawFn, currency: str) -> tuple[Money | None, Money | None]:
    drawn = draw(PRICES)
    if drawn is None:
        return None, None
    amount, more = drawn
    return Money(amount, currency), Money(amount + more, currency) if more else None


def _changed(product: Product, **changes: object) -> Product:
    return replace(product, **changes)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Platform:
    """A format, and what it cannot carry."""

    writer: Writer
    lost: frozenset[str] = frozenset()
    names_currency: bool = False


PLATFORMS = {
    "shopify": Platform(writers.shopify, frozenset(("category", "sku"))),
    "woocommerce": Platform(writers.woocommerce, frozenset(("sku", "parent quantity"))),
    "magento": Platform(writers.magento, frozenset(("images", "gtin", "tags", "sku"))),
    "google table": Platform(
        writers.google_table, frozenset(("quantity", "images", "tags", "sku")), names_currency=True
    ),
    "google xml": Platform(writers.google_xml, frozenset(("quantity", "images", "tags", "sku")), names_currency=True),
    "acp": Platform(writers.protocol_json, frozenset(("sku", "gtin")), names_currency=True),
    "acp table": Platform(writers.protocol_table, frozenset(("images", "tags", "sku")), names_currency=True),
}


def _read(content: str, **options: object) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "feed"
        path.write_text(content, encoding="utf-8", newline="")
        return read(path, **options)


def _view(product: Product, lost: frozenset[str]) -> dict[str, object]:
    """What is compared: text by its words, since markup knows no blanks; everything else as it is."""
    found: dict[str, object] = {
        "id": product.id,
        "title": _words(product.title),
        "description": _words(product.description),
        "brand": product.brand,
        "category": product.category,
        "price": product.price,
        "list_price": product.list_price,
        "availability": product.availability,
        "images": product.images,
        "tags": product.tags,
        "gtin": product.gtin,
        "variants": [
            (
                variant.id,
                dict(variant.options),
                variant.price,
                variant.list_price,
                variant.availability,
                None if "quantity" in lost else variant.quantity,
            )
            for variant in product.variants
            if variant.options  # goods without a choice may be written as their own only variant
        ],
    }
    if "quantity" not in lost:
        found["quantity"] = product.quantity
    return {name: value for name, value in found.items() if name not in lost}


def _words(text: str) -> list[str]:
    return unicodedata.normalize("NFC", text).replace("&copy", "©").split()


@pytest.mark.parametrize("name", PLATFORMS)
@RELAXED
@given(catalog=catalogs(), sheet=SHEETS)
def test_an_export_gives_back_what_was_sold(name: str, catalog: list[Product], sheet: Sheet) -> None:
    platform = PLATFORMS[name]
    offers: list[Product | Variant] = [*catalog, *(variant for product in catalog for variant in product.variants)]
    currency = next((offer.price.currency for offer in offers if offer.price), "USD")
    found = _read(platform.writer(catalog, sheet), **({} if platform.names_currency else {"currency": currency}))
    assert found.report.skipped == 0
    assert sorted(found.ids) == [product.id for product in catalog]
    views = [(_view(product, platform.lost), _view(found[product.id], platform.lost)) for product in catalog]
    assert [
        (field, was, now[field]) for before, now in views for field, was in before.items() if was != now[field]
    ] == []


@RELAXED
@given(catalogs())
def test_our_own_export_gives_back_every_field(catalog: list[Product]) -> None:
    assert list(_read("".join(dump_products(catalog)), format="native").products) == catalog
