"""Choosing a size and a colour."""

from __future__ import annotations

from dataclasses import replace

from search_client.models import Money, Variant
from tests.web.shop import LAMP, TEE
from web.rendering.variants import chosen_variant, option_choices, variant_name, with_variant


def test_nothing_is_chosen_for_the_shopper_unless_there_is_no_choice() -> None:
    assert chosen_variant(TEE, None) is None
    assert chosen_variant(TEE, "nonsense") is None
    assert chosen_variant(LAMP, None) is None
    single = replace(TEE, variants=TEE.variants[:1])
    assert chosen_variant(single, None) == TEE.variants[0]


def test_a_choice_changes_price_stock_and_picture() -> None:
    blue = replace(TEE.variants[3], image="/blue.svg", sku="B-M")
    product = replace(TEE, variants=(*TEE.variants[:3], blue), images=("/red.svg", "/blue.svg"))
    shown = with_variant(product, chosen_variant(product, blue.id))
    assert shown.price == Money(1700, "USD")
    assert not shown.availability.buyable
    assert shown.images == ("/blue.svg", "/red.svg")
    assert shown.sku == "B-M"
    assert with_variant(product, None) == product


def test_each_value_leads_to_the_variant_nearest_to_what_is_chosen() -> None:
    red_m = chosen_variant(TEE, "tee-red-m")
    color, size = option_choices(TEE, red_m)
    assert [(v.value, v.variant_id, v.chosen, v.buyable) for v in color.values] == [
        ("Red", "tee-red-m", True, True),
        ("Blue", "tee-blue-m", False, False),
    ]
    assert [(v.value, v.variant_id, v.chosen) for v in size.values] == [
        ("S", "tee-red-s", False),
        ("M", "tee-red-m", True),
    ]
    assert variant_name(red_m) == "Red, M"
    assert variant_name(None) == ""


def test_a_value_without_a_variant_is_not_offered() -> None:
    product = replace(TEE, options=(("Color", ("Red", "Green")),), variants=(Variant("v", (("Color", "Red"),)),))
    assert [value.value for choice in option_choices(product, None) for value in choice.values] == ["Red"]
