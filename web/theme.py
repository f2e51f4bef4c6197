"""The merchant's colour as a stylesheet whose text is readable (WCAG AA) whatever colour it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

AA_TEXT = 4.5
AA_GRAPHIC = 3.0
DEFAULT_COLOR = "#1f6a58"

_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)

Rgb = tuple[float, float, float]

# Neutrals are warm and a little off the extremes: calm to read, and still beyond AA (checked by a test).
LIGHT = {
    "bg": "#faf8f5",
    "surface": "#ffffff",
    "sunken": "#f1eee8",
    "ink": "#1d1b18",
    "muted": "#635d55",
    "line": "#e3ded5",
    "edge": "#8a8378",
    "good": "#1c6b3c",
    "bad": "#b3261e",
    "warn": "#855300",
    "warn-bg": "#fff4dc",
    "bad-bg": "#fdeceb",
    "picture": "#f4f1ec",
}
DARK = {
    "bg": "#151412",
    "surface": "#1f1d1a",
    "sunken": "#292622",
    "ink": "#f2efe9",
    "muted": "#b1aa9f",
    "line": "#3a3631",
    "edge": "#8b8479",
    "good": "#79d29b",
    "bad": "#ffa79f",
    "warn": "#f1c36b",
    "warn-bg": "#33290f",
    "bad-bg": "#3a1a17",
    "picture": "#f4f1ec",
}


def parse_color(text: str) -> Rgb:
    """Red, green and blue in 0..1 of `#rgb` or `#rrggbb`. Raises `ValueError`."""
    if not _HEX.fullmatch(text):
        raise ValueError(f"{text!r} is not a colour like #1f6a58.")
    digits = text[1:] if len(text) == 7 else "".join(digit * 2 for digit in text[1:])
    return (int(digits[:2], 16) / 255, int(digits[2:4], 16) / 255, int(digits[4:], 16) / 255)


def _hex(color: Rgb) -> str:
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in color)


def luminance(color: Rgb) -> float:
    """Relative luminance, WCAG 2.2."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21, WCAG 2.2."""
    light, dark = sorted((luminance(parse_color(one)), luminance(parse_color(other))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def mixed(color: str, other: str, share: float) -> str:
    """`color` with `share` (0..1) of `other` mixed in."""
    one, two = parse_color(color), parse_color(other)
    return _hex(
        (
            one[0] * (1 - share) + two[0] * share,
            one[1] * (1 - share) + two[1] * share,
            one[2] * (1 - share) + two[2] * share,
        )
    )


def readable(color: str, backgrounds: tuple[str, ...], *, ratio: float) -> str:
    """The colour nearest to `color`, towards black or white, that has `ratio` against every background."""
    towards = "#000000" if luminance(parse_color(backgrounds[0])) > 0.4 else "#ffffff"
    steps = (mixed(color, towards, step / 50) for step in range(51))
    return next(c for c in steps if all(contrast(c, background) >= ratio for background in backgrounds))


def text_on(color: str) -> str:
    """Black or white, whichever reads better on `color` (one of them always has 4.5)."""
    return max("#ffffff", "#000000", key=lambda ink: contrast(ink, color))


def tokens(color: str, *, dark: bool) -> dict[str, str]:
    """All colours of the page by name, for the light or the dark theme."""
    base = DARK if dark else LIGHT
    fill = readable(color, (base["bg"], base["surface"]), ratio=AA_GRAPHIC)
    soft = mixed(base["surface"], fill, 0.14 if dark else 0.09)
    return base | {
        "fill": fill,
        "on-fill": text_on(fill),
        "soft": soft,
        "accent": readable(color, (base["bg"], base["surface"], base["sunken"], soft), ratio=AA_TEXT),
    }


def _rule(selector: str, color: str, *, dark: bool) -> str:
    scheme = "dark" if dark else "light"
    body = "".join(f"--{name}:{value};" for name, value in tokens(color, dark=dark).items())
    return f"{selector}{{color-scheme:{scheme};{body}}}"


def _rules(color: str) -> Iterator[str]:
    yield _rule(":root", color, dark=False)
    yield f"@media (prefers-color-scheme:dark){{{_rule(':root', color, dark=True)}}}"
    yield _rule(":root[data-theme=light]", color, dark=False)
    yield _rule(":root[data-theme=dark]", color, dark=True)


def stylesheet(color: str) -> str:
    """The merchant's theme as CSS custom properties: by the system's preference, or as the shopper chose."""
    return "\n".join(_rules(color)) + "\n"
