"""Settings of the shop front are checked before anything is served."""

from __future__ import annotations

import pytest

from web.errors import WebSettingsError
from web.look import DEFAULT_LOOK, Look, look_from_env


def test_without_settings_it_is_ours() -> None:
    assert look_from_env({}) == DEFAULT_LOOK


def test_settings_are_read() -> None:
    environ = {
        "SHOP_COLOR": "#a03",
        "SHOP_LOGO_URL": "/logo.svg",
        "SHOP_GREETING": "Hi there",
        "SHOP_STARTERS": "Boots | Tents under 200 ||",
        "CHECKOUT_URL": "https://shop.example/cart/{items}",
        "SHOP_LANGUAGE": "de",
    }
    assert look_from_env(environ) == Look(
        color="#a03",
        logo_url="/logo.svg",
        greeting="Hi there",
        starters=("Boots", "Tents under 200"),
        checkout_url="https://shop.example/cart/{items}",
        language="de",
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SHOP_COLOR", "green"),
        ("SHOP_LOGO_URL", "javascript:alert(1)"),
        ("CHECKOUT_URL", "shop.example"),
        ("SHOP_LANGUAGE", "xx"),
    ],
)
def test_a_wrong_setting_is_refused_by_name_and_value(name: str, value: str) -> None:
    with pytest.raises(WebSettingsError) as caught:
        look_from_env({name: value})
    assert name in str(caught.value)
    assert repr(value) in str(caught.value)
