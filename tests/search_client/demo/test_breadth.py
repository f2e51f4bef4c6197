"""Whatever an ordinary shopper types in a demo finds something sensible."""

from __future__ import annotations

import re
from functools import cache

import pytest

from search_client.demo import products
from search_client.models import Product

QUERIES = """
t-shirt, red dress, summer dress, jeans, hoodie, winter coat, rain jacket, leather jacket, men's shirt,
silk blouse, wool sweater, leggings, sports bra, socks, pajamas, swimsuit, bathrobe, skirt, shorts,
running shoes, trail running shoes, waterproof hiking boots, sneakers, kids sneakers, sandals, slippers,
high heels, rain boots, dress shoes, backpack, laptop backpack, handbag, suitcase, wallet, belt, watch,
necklace, earrings, sunglasses, umbrella, scarf, gloves, beanie, laptop, gaming laptop, monitor, keyboard,
wireless mouse, usb cable, phone, smartphone, phone case, tablet, e-reader, headphones,
noise cancelling headphones, earbuds, bluetooth speaker, tv, projector, camera, drone, smartwatch,
game controller, power bank, charger, router, printer, frying pan, cast iron skillet, chef's knife,
cutting board, coffee maker, espresso machine, kettle, teapot, blender, toaster, air fryer, coffee mug,
wine glasses, plates, water bottle, lunch box, bed sheets, pillow, weighted blanket, towels, table lamp,
desk lamp, rug, curtains, candle, vase, picture frame, clock, mirror, laundry basket, iron, vacuum cleaner,
robot vacuum, fan, air purifier, laundry detergent, toilet paper, sofa, armchair, office chair, dining table,
coffee table, standing desk, bed frame, mattress, bookshelf, houseplant, tomato seeds, watering can,
garden hose, lawn mower, flower pot, grill, hammock, bird feeder, bike, electric bike, bike helmet, yoga mat,
dumbbell, tent, sleeping bag, soccer ball, basketball, tennis racket, skateboard, ski goggles, fishing rod,
wooden blocks, building bricks, teddy bear, doll, board game, puzzle, toy car, train set, kite, science kit,
stroller, baby bottle, diapers, baby monitor, crib, pacifier, mystery novel, science fiction book, cookbook,
children's book, thriller, romance, biography, face cream, sunscreen, lipstick, mascara, shampoo, hair dryer,
soap, perfume, electric toothbrush, razor, vitamins, first aid kit, coffee beans, green tea, dark chocolate,
pasta, olive oil, honey, granola, gluten free snack, dog food, dog leash, dog bed, cat food, cat tree,
fish tank, bird cage, notebook, pens, colored pencils, watercolor, stapler, printer paper, calculator,
cordless drill, hammer, screwdriver set, tool box, tape measure, flashlight, batteries, light bulb, wall paint,
phone holder car, dash cam, acoustic guitar, electric guitar, ukulele, keyboard piano, drum, microphone,
vinyl record, turntable, gift for her, gift for him, gift for dad, birthday gift, gift card, balloons,
wrapping paper, birthday card, christmas tree, halloween, wedding gift, mother's day
"""


def words(text: str) -> set[str]:
    """Plain words without plural endings: a rough reading, so that this test stands apart from the real search."""
    plain = re.findall(r"[a-z0-9]+", re.sub(r"['’]s\b", "", text.lower()) + " " + text.lower().replace("-", ""))
    return {word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in plain}


def text_of(product: Product) -> str:
    attributes = [f"{name} {value}" for name, value in product.attributes]
    options = [value for _, values in product.options for value in values]
    return " ".join([product.title, *product.category, product.description, *attributes, *options, *product.tags])


@cache
def shelf() -> tuple[set[str], ...]:
    return tuple(words(text_of(product)) for product in products())


@pytest.mark.parametrize("query", [query.strip() for query in QUERIES.replace("\n", ",").split(",") if query.strip()])
def test_a_plain_wish_finds_at_least_three_products(query: str) -> None:
    wanted = words(query.replace("-", " "))
    assert sum(wanted <= known for known in shelf()) >= 3
