"""How a merchant's shop front looks and greets: by settings, checked before serving."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from web.errors import WebSettingsError
from web.strings import languages
from web.theme import DEFAULT_COLOR, parse_color

MAX_STARTERS = 6


@dataclass(frozen=True, slots=True)
class Look:
    """Settings of the shop front."""

    color: str = DEFAULT_COLOR
    """`SHOP_COLOR`: the shop's colour, `#rrggbb`; text on it is made readable."""
    logo_url: str = ""
    """`SHOP_LOGO_URL`: picture beside the name, https or a path of this site."""
    greeting: str = ""
    """`SHOP_GREETING`: the words above an empty chat; empty: ours, in the shopper's language."""
    starters: tuple[str, ...] = ()
    """`SHOP_STARTERS`: first questions to click, separated by `|`; empty: made from the catalog."""
    checkout_url: str = ""
    """`CHECKOUT_URL`: the shop's own checkout; `{items}` becomes `VARIANT:QUANTITY,…`."""
    language: str = ""
    """`SHOP_LANGUAGE`: for shoppers whose browser asks for none of ours; empty: English."""


DEFAULT_LOOK = Look()


def look_from_env(environ: Mapping[str, str]) -> Look:
    """Read and check. Raises `WebSettingsError` naming the variable and its value."""
    look = Look(
        color=environ.get("SHOP_COLOR") or DEFAULT_COLOR,
        logo_url=environ.get("SHOP_LOGO_URL", ""),
        greeting=environ.get("SHOP_GREETING", ""),
        starters=_starters(environ.get("SHOP_STARTERS", "")),
        checkout_url=environ.get("CHECKOUT_URL", ""),
        language=environ.get("SHOP_LANGUAGE", ""),
    )
    try:
        parse_color(look.color)
    except ValueError as error:
        raise WebSettingsError(f"SHOP_COLOR {look.color!r} is not a colour; write it like #1f6a58.") from error
    for name, url in (("SHOP_LOGO_URL", look.logo_url), ("CHECKOUT_URL", look.checkout_url)):
        if url and not url.startswith(("https://", "http://", "/")):
            raise WebSettingsError(f"{name} {url!r} is neither an http(s) address nor a path starting with '/'.")
    if look.language and look.language not in languages():
        raise WebSettingsError(f"SHOP_LANGUAGE {look.language!r} is not one of {', '.join(languages())}.")
    return look


def _starters(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|") if part.strip())[:MAX_STARTERS]
