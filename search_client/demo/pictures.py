"""The pictures of the fake catalog: drawn by us, by shape and colour, as small standalone SVG.

A picture's path says all that is needed to draw it: `/pictures/p1001-sneaker-navy-front.svg`. No file is kept.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Template

from search_client.demo.chance import number
from search_client.demo.tables import table

PREFIX = "/pictures/"
VIEWS = ("front", "room", "detail")
_PATH = re.compile(r"(?:/pictures/)?(p[0-9]{4,5})-([a-z]+(?:_[a-z]+)*)-([a-z]+(?:_[a-z]+)*)-(front|room|detail)\.svg")
_BACKGROUNDS = ("#f6efe6", "#e9f1f4", "#f4ecf1", "#edf3e8", "#f7f0da", "#ecebf5", "#f8e9e2", "#e6f2ee")
_ACCENTS = ("#e8a33d", "#d9614c", "#3f8f8a", "#5a7fc0", "#c9678f", "#7a9a4a")
_FIXED = {
    "w": "#fdfcf9", "g": "#9aa4ae", "G": "#6b7580", "s": "#d5dbe0", "n": "#2c3038", "t": "#cf9f6b", "T": "#a9764a",
    "v": "#76b072", "V": "#45805a", "y": "#f3c64f", "r": "#d9614c", "p": "#f4c2b4", "b": "#6f9fd0",
}  # fmt: skip


class UnknownPictureError(LookupError):
    """No picture under this path: not one of the demo catalog's."""


def front(drawing: str, color: str, *, product_id: str) -> str:
    """The site path of the front view in one colour."""
    return _path(drawing, color, product_id=product_id, view="front")


def gallery(drawing: str, colors: tuple[str, ...], *, product_id: str) -> tuple[str, ...]:
    """Site paths: every view in the main colour."""
    return tuple(_path(drawing, colors[0], product_id=product_id, view=view) for view in VIEWS)


def picture(product_id_or_path: str) -> str:
    """The SVG text of a picture path, or of a demo product's main picture.

    Raises:
        UnknownPictureError: neither a demo product's id nor a path this catalog uses.
    """
    match = _PATH.fullmatch(product_id_or_path) or _PATH.fullmatch(_main_pictures().get(product_id_or_path, ""))
    if match is None or match[2] not in drawings() or match[3] not in _palette():
        raise UnknownPictureError(
            f"no picture {product_id_or_path!r}; use a product id such as 'p1000' or its image path"
        )
    product_id, drawing, color, view = match.groups()
    return _frame(drawings()[drawing], _palette()[color], seed=product_id, view=view)


@cache
def drawings() -> Mapping[str, str]:
    """Shapes by name: SVG fragments in a field of 200 by 200 whose paints are `$` letters."""
    folder = files(__package__).joinpath("drawings")
    found: dict[str, str] = {}
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name.endswith(".toml"):
            found |= tomllib.loads(path.read_text(encoding="utf-8"))
    return found


@cache
def _palette() -> Mapping[str, str]:
    return {_slug(name): paint for name, paint in table("colors")["colors"].items()}


@cache
def _main_pictures() -> Mapping[str, str]:
    from search_client.demo.catalog import products  # the catalog names its pictures, so it is imported late

    return {product.id: product.images[0] for product in products()}


def _slug(name: str) -> str:
    return name.lower().replace(" ", "_")


def _path(drawing: str, color: str, *, product_id: str, view: str) -> str:
    return f"{PREFIX}{product_id}-{drawing}-{_slug(color)}-{view}.svg"


def _mix(paint: str, other: str, share: int) -> str:
    """`paint` with `share` percent of `other` in it."""
    pairs = zip(bytes.fromhex(paint[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + bytes((a * (100 - share) + b * share) // 100 for a, b in pairs).hex()


def _frame(shape: str, paint: str, *, seed: str, view: str) -> str:
    """The shape in its colour on a soft ground."""
    ground = _BACKGROUNDS[(number(f"{seed}/ground", len(_BACKGROUNDS)) + VIEWS.index(view)) % len(_BACKGROUNDS)]
    paints = {
        **_FIXED,
        "m": "url(#m)",
        "c": paint,
        "d": _mix(paint, "#1d2030", 22),
        "k": _mix(paint, "#1d2030", 45),
        "l": _mix(paint, "#ffffff", 38),
        "h": _mix(paint, "#ffffff", 70),
        "a": _ACCENTS[number(f"{seed}/accent", len(_ACCENTS))],
    }
    place = {"front": "translate(0 0)", "room": "matrix(.78 0 0 .78 22 36)", "detail": "matrix(1.7 0 0 1.7 -70 -64)"}[
        view
    ]
    room = (
        f'<circle cx="154" cy="46" r="26" fill="{paints["a"]}" opacity=".22"/>'
        f'<path d="M0 142h200v58H0z" fill="{_mix(ground, "#8a6a4a", 22)}"/>'
        if view == "room"
        else ""
    )
    body = Template(" ".join(shape.split())).substitute(paints)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" width="480" height="480"><defs>'
        f'<linearGradient id="m" x1="0" y1="0" x2=".6" y2="1"><stop stop-color="{_mix(paint, "#ffffff", 22)}"/>'
        f'<stop offset="1" stop-color="{_mix(paint, "#1d2030", 8)}"/></linearGradient>'
        f'<radialGradient id="o" cy=".4"><stop stop-color="{_mix(ground, "#ffffff", 75)}"/>'
        f'<stop offset="1" stop-color="{ground}"/></radialGradient></defs>'
        f'<rect width="200" height="200" fill="url(#o)"/>{room}'
        f'<g transform="{place}">'
        f'<ellipse cx="100" cy="174" rx="66" ry="8" fill="#1d2030" opacity=".1"/>{body}</g></svg>'
    )
