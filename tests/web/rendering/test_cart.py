"""The cart counts in minor units, with today's prices."""

from __future__ import annotations

from dataclasses import replace

from search_client.models import Availability, Money, Product
from tests.web.shop import LAMP, TEE
from web.rendering.cart import CartView, cart_view
from web.store.cart import CartLine
from web.strings import Strings

EN = Strings("en")


def view(*lines: CartLine, products: tuple[Product, ...] = (LAMP, TEE), checkout_url: str = "") -> CartView:
    """The cart with these lines in a shop with these products."""
    known = {product.id: product for product in products}
    return cart_view(lines, known.get, EN, checkout_url=checkout_url)


def test_totals_are_exact_and_one_a_currency() -> None:
    euros = replace(LAMP, id="eur", price=Money(1010, "EUR"))
    yen = replace(LAMP, id="yen", price=Money(1200, "JPY"))
    cart = view(
        CartLine("eur", "", 3, "E"),
        CartLine("yen", "", 2, "Y"),
        CartLine("lamp", "", 1, "L"),
        products=(euros, yen, LAMP),
    )
    assert cart.totals == ("€30.30", "¥2,400", "$39.90")


def test_a_changed_price_is_told_and_counts() -> None:
    cart = view(CartLine("lamp", "", 2, "Lamp", Money(3500, "USD")))
    assert cart.lines[0].changes == ("Price changed from $35.00 to $39.90.",)
    assert cart.totals == ("$79.80",)
    assert cart.lines[0].price_now == LAMP.price


def test_more_than_there_is_is_told() -> None:
    assert view(CartLine("lamp", "", 5, "Lamp")).lines[0].changes == ("Only 3 are left.",)


def test_what_cannot_be_bought_does_not_count() -> None:
    sold = replace(LAMP, availability=Availability.OUT_OF_STOCK)
    cart = view(
        CartLine("lamp", "", 1, "Lamp"),
        CartLine("gone", "", 1, "Gone lamp"),
        CartLine("tee", "tee-old", 1, "Tee"),
        products=(sold, TEE),
        checkout_url="https://shop.example/cart/{items}",
    )
    assert cart.totals == ()
    assert cart.checkout_url is None
    assert [line.stock.text for line in cart.lines] == [
        "Out of stock",
        "No longer in the shop",
        "No longer in the shop",
    ]
    assert cart.lines[1].price_now is None


def test_the_checkout_gets_variants_and_quantities() -> None:
    cart = view(
        CartLine("lamp", "", 2, "Lamp"),
        CartLine("tee", "tee-red-m", 1, "Tee"),
        checkout_url="https://shop.example/cart/{items}",
    )
    assert cart.checkout_url == "https://shop.example/cart/lamp:2,tee-red-m:1"
    odd = view(CartLine("a/b c", "", 1, "x"), products=(replace(LAMP, id="a/b c"),), checkout_url="/c?{items}")
    assert odd.checkout_url == "/c?a%2Fb%20c:1"
