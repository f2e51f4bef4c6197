"""Pictures are drawn for every product, small, self-contained and safe to serve."""

from __future__ import annotations

import re

import pytest
from defusedxml.ElementTree import fromstring

from search_client.demo import picture, products
from search_client.demo.pictures import PREFIX, UnknownPictureError, drawings

PRODUCTS = tuple(products())
ALLOWED = {
    *("svg", "defs", "linearGradient", "radialGradient", "stop", "rect", "g", "path", "circle", "ellipse"),
}


def one_of_each() -> dict[str, str]:
    """One product's main picture for every drawing."""
    return {product.images[0].split("-")[1]: product.images[0] for product in PRODUCTS}


@pytest.mark.parametrize("path", one_of_each().values(), ids=one_of_each().keys())
def test_a_picture_is_small_standalone_and_inert(path: str) -> None:
    text = picture(path)
    root = fromstring(text)
    assert len(text.encode()) <= 4096
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert {element.tag.partition("}")[2] for element in root.iter()} <= ALLOWED
    attributes = [(name, value) for element in root.iter() for name, value in element.attrib.items()]
    assert [name for name, _ in attributes if name.startswith("on") or "href" in name or name == "style"] == []
    assert {value for _, value in attributes if "url" in value} <= {"url(#m)", "url(#o)"}


def test_every_image_of_every_product_and_variant_can_be_drawn() -> None:
    paths = {path for product in PRODUCTS for path in product.images}
    paths |= {variant.image for product in PRODUCTS for variant in product.variants if variant.image}
    assert all(path.startswith(PREFIX) and picture(path).startswith("<svg ") for path in paths)
    assert max(len(picture(path).encode()) for path in paths) <= 4096


def test_each_product_has_several_views_and_no_two_are_alike() -> None:
    assert all(len({picture(path) for path in product.images}) >= 2 for product in PRODUCTS[::50])


def test_there_are_many_drawings_and_none_is_left_unused() -> None:
    used = {product.images[0].split("-")[1] for product in PRODUCTS}
    assert len(drawings()) >= 45
    assert set(drawings()) == used


def test_a_product_id_gives_its_main_picture() -> None:
    assert picture(PRODUCTS[0].id) == picture(PRODUCTS[0].images[0])


def test_a_path_works_with_and_without_its_folder() -> None:
    path = PRODUCTS[0].images[0]
    assert picture(path.removeprefix(PREFIX)) == picture(path)


def test_a_variant_is_drawn_in_its_own_color() -> None:
    product = next(product for product in PRODUCTS if len(product.option("Color")) > 1)
    shown = {dict(variant.options)["Color"]: picture(variant.image or "") for variant in product.variants}
    assert len(set(shown.values())) == len(product.option("Color"))


@pytest.mark.parametrize(
    "path",
    [
        *("", "p1", "p1000-sneaker", "/pictures/../colors.toml", "/pictures/p1000-<b>-red-front.svg"),
        *("/pictures/p1000-sneaker-octarine-front.svg", "/pictures/p1000-unicycle-red-front.svg", "x" * 10_000),
    ],
)
def test_a_foreign_path_is_refused_by_name(path: str) -> None:
    with pytest.raises(UnknownPictureError, match=re.escape(repr(path)[:40])):
        picture(path)
