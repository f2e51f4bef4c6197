"""A card says what the record says, and what changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_client.models import Availability, MatchReason, Money
from tests.web.shop import LAMP
from web.rendering.cards import ShownCard, card, is_picture, price_of, stock_of
from web.strings import Strings

EN = Strings("en")


def test_a_card_carries_what_matched() -> None:
    why = MatchReason(words=("lamp",), missing=("red",), filters=("Brand: Lumo", "Price: 39.90 USD", "Rating: 4.5"))
    shown = card(LAMP, ShownCard.of(LAMP, why), position=2, t=EN)
    assert (shown.position, shown.facts, shown.why) == (2, ("Brand: Lumo",), "Matches lamp, but not red")
    assert shown.changes == ()


@pytest.mark.parametrize(
    ("today", "told"),
    [
        ({"price": Money(4990, "USD")}, "Price changed, was $39.90"),
        ({"price": Money(2990, "USD")}, "Price dropped, was $39.90"),
        ({"price": Money(2990, "EUR")}, "Price changed, was $39.90"),
        ({"availability": Availability.OUT_OF_STOCK}, "Sold out since it was shown"),
    ],
)
def test_a_card_shown_again_says_what_changed(today: dict[str, object], told: str) -> None:
    shown = ShownCard.of(LAMP)
    assert card(replace(LAMP, **today), shown, position=1, t=EN).changes == (told,)  # type: ignore[arg-type]


def test_what_is_back_and_what_is_gone_is_told() -> None:
    sold = ShownCard.of(replace(LAMP, availability=Availability.OUT_OF_STOCK))
    assert card(LAMP, sold, position=1, t=EN).changes == ("Back in stock",)
    gone = card(None, sold, position=1, t=EN)
    assert (gone.title, gone.changes) == ("Lumo Desk Lamp", ("No longer in the shop",))


def test_a_list_price_counts_only_above_the_price_in_the_same_currency() -> None:
    assert [getattr(price_of(LAMP, EN), name) for name in ("text", "before", "percent_off")] == ["$39.90", "$49.90", 20]
    for before in (None, Money(3990, "USD"), Money(0, "USD"), Money(9990, "EUR")):
        price = price_of(replace(LAMP, list_price=before), EN)
        assert price is not None
        assert price.before is None
    assert price_of(replace(LAMP, price=None), EN) is None


def test_stock_is_told_in_words() -> None:
    told = {each: stock_of(each, 40, EN) for each in Availability}
    assert told[Availability.IN_STOCK].text == "In stock"
    assert told[Availability.OUT_OF_STOCK].tone == "bad"
    assert told[Availability.UNKNOWN].text == ""
    assert stock_of(Availability.IN_STOCK, 1, EN).text == "Only 1 left"


@pytest.mark.parametrize(
    ("address", "loads"),
    [
        ("https://shop.example/a.jpg", True),
        ("http://shop.example/a.jpg", True),
        ("/pictures/a.svg", True),
        ("javascript:alert(1)", False),
        ("JaVaScript:alert(1)", False),
        ("data:image/svg+xml,<svg>", False),
        ("", False),
    ],
)
def test_only_web_addresses_are_pictures(address: str, loads: bool) -> None:
    assert is_picture(address) is loads
