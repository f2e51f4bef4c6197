"""Whatever colour a merchant chooses, text is readable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.theme import AA_GRAPHIC, AA_TEXT, contrast, parse_color, stylesheet, tokens

COLORS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")
TEXTS = {"ink", "muted", "accent", "good", "bad", "warn"}


@given(color=COLORS, dark=st.booleans())
def test_every_text_has_contrast_aa_on_every_background(color: str, dark: bool) -> None:
    theme = tokens(color, dark=dark)
    for text in ("ink", "muted", "accent"):
        for background in ("bg", "surface", "sunken", "soft"):
            assert contrast(theme[text], theme[background]) >= AA_TEXT, (text, background)
    assert contrast(theme["on-fill"], theme["fill"]) >= AA_TEXT
    for edge in ("fill", "edge"):
        for background in ("bg", "surface"):
            assert contrast(theme[edge], theme[background]) >= AA_GRAPHIC, (edge, background)
    for text, background in (("warn", "warn-bg"), ("ink", "bad-bg"), ("good", "surface"), ("bad", "surface")):
        assert contrast(theme[text], theme[background]) >= AA_TEXT, (text, background)


def test_short_and_long_colours_are_read() -> None:
    assert parse_color("#fff") == parse_color("#FFFFFF") == (1.0, 1.0, 1.0)
    assert contrast("#000", "#fff") == pytest.approx(21)


@pytest.mark.parametrize("text", ["", "red", "#12", "#12345", "#gggggg", "#fff;}body{x:y"])
def test_what_is_no_colour_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a colour"):
        parse_color(text)


def test_the_stylesheet_follows_the_system_or_the_shopper() -> None:
    css = stylesheet("#1f6a58")
    assert css.count("--fill:") == 4
    assert "@media (prefers-color-scheme:dark)" in css
    assert ":root[data-theme=light]" in css
