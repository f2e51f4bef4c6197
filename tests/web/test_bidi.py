"""Text that would show itself, or what stands around it, in another order than it is written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shopping_agent.actions import Search
from tests.web.conftest import OpenShop
from tests.web.shop import LAMP
from web.bidi import plain, shown, upright
from web.strings import Strings

TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067"
HEBREW = "מנורה"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{TURNING}lamp{TURNING}", "lamp"),
        ("gpj.\u202exe", "gpj.xe"),
        ("\u2068lamp\u2069 and \u2068mug\u2069", "\u2068lamp\u2069 and \u2068mug\u2069"),
        ("\u2067lamp\u2069", "lamp"),
        ("\u2068lamp", "lamp"),
        ("lamp\u2069\u2068\u2068mug\u2069", "lamp\u2068mug\u2069"),
        ("a\u200eb\u200fc\u200dd", "a\u200eb\u200fc\u200dd"),
    ],
)
def test_what_turns_a_text_goes_and_whole_isolates_stay(text: str, left: str) -> None:
    assert upright(text) == shown(text) == left
    assert upright(left) == left


def test_what_is_sent_on_holds_none_of_it() -> None:
    assert plain(Strings("ar")("starter.show", category="Lamps")) == "أرني Lamps"


def test_what_is_no_text_is_shown_as_it_is() -> None:
    assert shown(5) == 5


def test_neither_shopper_nor_catalog_turns_the_page(shop_of: OpenShop) -> None:
    turned = "\u202e\u2067"
    lamp = replace(
        LAMP,
        title=f"Lamp {turned}99.1$",
        brand=f"B{turned}",
        description=f"D{turned} lamp",
        category=(f"Home{turned}",),
        attributes=((f"Name{turned}", f"Value{turned}"),),
    )
    shop = shop_of(Search(keywords=["lamp"]), products=[lamp])
    html = shop.say(f"lamp {turned}gnp.exe").text + shop.client.get("/product?id=lamp").text
    assert "Lamp 99.1$" in html and "lamp gnp.exe" in html
    assert not any(char in html for char in TURNING)


def test_a_name_of_the_other_direction_keeps_to_its_place_in_a_sentence() -> None:
    assert Strings("en")("cart.added", name=HEBREW) == f"Added to the cart: \u2068{HEBREW}\u2069."
    assert Strings("en")("cart.added", name="Lamp") == "Added to the cart: Lamp."
    assert Strings("ar")("lead.nothing", wish="lamp").endswith(": \u2068lamp\u2069")
    parts = "\u2068lamp\u2069 · \u2068M\u2069"
    assert Strings("ar")("lead.nothing", wish=parts).endswith(f": {parts}")
