"""What single messages say: prices, ratings, colours, sizes, exclusions, order, small talk, in five languages."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from shopping_agent.actions import Clarify, GetProductDetails, Search
from shopping_agent.conversation import parse_conversation
from shopping_agent.message import clean_message
from shopping_agent.model import DecisionRequest
from shopping_agent.offline.lexicon import load_lexicon
from tests.shopping_agent.offline.shop import LISTED, VOCABULARY, decide, model


def search(message: str, *turns: str) -> Search:
    action = decide(message, *turns)
    assert isinstance(action, Search), f"{message!r}: {action!r}"
    return action


def question(message: str, *turns: str) -> str:
    action = decide(message, *turns)
    assert isinstance(action, Clarify), f"{message!r}: {action!r}"
    return action.question


@pytest.mark.parametrize(
    ("message", "bounds"),
    [
        ("mug under 50", (None, 50)),
        ("mug for less than $1,299.99", (None, 1299.99)),
        ("mug, 20 bucks", (None, 20)),
        ("a mug around $12", (None, 12)),
        ("mug $1k max", (None, 1000)),
        ("mug no more than 50€", (None, 50)),
        ("mug not over 30 dollars", (None, 30)),
        ("mug between 15 and 30 dollars", (15, 30)),
        ("mug ($15-25)", (15, 25)),
        ("mug from 20 to 79 pesos", (20, 79)),
        ("mug at least 40 dollars", (40, None)),
        ("mug over $100", (100, None)),
        ("mug 1.299,00 € max", (None, 1299)),
        ("Tasse zwischen 10 und 20 Euro", (10, 20)),
        ("Tasse nicht mehr als 15 Euro", (None, 15)),
        ("une tasse à moins de 30 euros", (None, 30)),
        ("una taza de menos de 25 euros", (None, 25)),
        ("500左右的杯子", (None, 500)),
        ("mug under three hundred dollars", (None, 300)),
        ("mug for forty five dollars", (None, 45)),
        ("mug between one hundred and two hundred fifty dollars", (100, 250)),
        ("Tasse bis zwei hundert Euro", (None, 200)),
        ("mug undr 50", (None, 50)),
        ("500到800之间的杯子", (500, 800)),
        ("mug 16 oz", (None, None)),
        ("mug 24 inches", (None, None)),
        ("iphone 14 case", (None, None)),
        ("mug with over 2000 reviews", (None, None)),
    ],
)
def test_a_price_is_a_bound(message: str, bounds: tuple[float | None, float | None]) -> None:
    wish = search(message)
    assert (wish.min_price, wish.max_price) == bounds


@pytest.mark.parametrize(
    ("message", "least"),
    [
        ("mugs with at least 4.4 star ratings", 4.4),
        ("mugs with 4+ stars", 4),
        ("mugs rated above 3.7 stars", 3.7),
        ("mugs (4 stars or higher)", 4),
        ("mugs with ratings above 4.6 and at least 2,000 reviews", 4.6),
        ("Tassen mit mindestens 4 Sternen", 4),
        ("mugs for 4 people", None),
    ],
)
def test_stars_are_the_least_rating(message: str, least: float | None) -> None:
    assert search(message).min_rating == least


@pytest.mark.parametrize(
    ("message", "excluded"),
    [
        ("boots without laces", ["laces"]),
        ("boots with no laces or buckles", ["laces", "buckles"]),
        ("boots that are not leather", ["leather"]),
        ("boots, anything but suede", ["suede"]),
        ("boots but I don't like suede", ["suede"]),
        ("Stiefel ohne Absatz", ["absatz"]),
        ("des bottes sans talon", ["talon"]),
        ("botas sin tacón", ["tacón"]),
        ("靴子不要高跟", ["高跟"]),
        ("boots, no problem with suede", []),
        ("sugar-free cookies", []),
        ("not sure, maybe boots", []),
    ],
)
def test_what_is_unwanted_is_excluded_and_no_keyword(message: str, excluded: list[str]) -> None:
    wish = search(message)
    assert wish.exclude == excluded
    assert not {word.lower() for word in wish.keywords} & set(excluded)


@pytest.mark.parametrize(
    ("message", "order"),
    [
        ("cheap mugs", "price_asc"),
        ("mugs, not too expensive", "price_asc"),
        ("the most expensive mugs", "price_desc"),
        ("best rated mugs", "rating"),
        ("the newest mugs", "newest"),
        ("günstige Tassen", "price_asc"),
        ("des tasses pas chères", "price_asc"),
        ("tazas baratas", "price_asc"),
        ("便宜的杯子", "price_asc"),
        ("mugs", "relevance"),
    ],
)
def test_an_order_is_read(message: str, order: str) -> None:
    assert search(message).sort == order


@pytest.mark.parametrize(
    ("message", "colors", "sizes"),
    [
        ("a blue shirt in size M", ["Blue"], ["M"]),
        ("a light grey shirt, extra large", ["Light Grey"], ["extra large"]),
        ("gray shirt in xl", ["gray"], ["XL"]),
        ("shoes size 9.5 wide", [], ["9.5 wide"]),
        ("shoes in size eight", [], ["8"]),
        ("shoes, EU 42", [], []),
        ("schwarze Schuhe Größe 42", ["Black", "schwarze"], ["42"]),
        ("chaussures noires en 42, taille 42", ["Black", "noires"], ["42"]),
        ("king size bed", [], ["king size"]),
        ("a book by Stephen King", [], []),
    ],
)
def test_colours_and_sizes_are_the_catalogs_own(message: str, colors: list[str], sizes: list[str]) -> None:
    wish = search(message)
    assert (wish.colors, wish.sizes) == (colors, sizes)


def test_a_brand_is_written_as_the_catalog_writes_it() -> None:
    assert search("save the duck shoes").brands == ["Save the Duck"]
    assert search("anything from nordhaus?", "mugs", LISTED).brands == ["Nordhaus"]


def test_several_short_messages_are_one_wish() -> None:
    wish = search("a laptop\n16gb please\nunder 900\nblack")
    assert (wish.keywords, wish.max_price, wish.colors) == (["laptop", "16gb"], 900, ["Black"])


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("hello", "greeting"),
        ("Hi, how are you?", "greeting"),
        ("thanks a lot!", "thanks"),
        ("bye bye", "goodbye"),
        ("are you a robot?", "about_you"),
        ("what can you do?", "capabilities"),
        ("where is my order", "order"),
        ("I want to return the shoes I bought", "order"),
        ("do you ship to Norway?", "shipping"),
        ("any discount codes?", "discount"),
        ("can I pay by card", "payment"),
        ("I want to talk to a human", "contact"),
        ("what's the weather like", "offtopic"),
        ("tell me a joke", "offtopic"),
        ("set an alarm for six", "offtopic"),
        ("how do I clean a stove", "advice"),
        ("what size am I", "advice"),
        ("something nice", "vague"),
        ("a gift", "gift"),
        ("for my wife", "person"),
        ("sdfghjkl", "gibberish"),
        ("…", "gibberish"),
        ("that's not right", "feedback"),
        ("say that again", "repeat"),
        ("start over", "cancel"),
        ("ok", "ack"),
        ("no", "no"),
    ],
)
def test_small_talk_and_errands_get_their_own_sentence(message: str, reply: str) -> None:
    english = load_lexicon().languages["en"].replies
    assert question(message) == english[reply]


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("servus", "de"),
        ("Wo ist meine Bestellung?", "de"),
        ("bonjour", "fr"),
        ("où est ma commande ?", "fr"),
        ("holaa", "es"),
        ("¿dónde está mi pedido?", "es"),
        ("你好", "zh"),
        ("我的快递到哪了", "zh"),
    ],
)
def test_a_shopper_is_answered_in_their_language(message: str, language: str) -> None:
    assert question(message) in load_lexicon().languages[language].replies.values()


@pytest.mark.parametrize(
    "message",
    ["hello kitty backpack", "thank you cards", "alarm clock", "weather station", "play mat", "shipping labels",
     "return address stamp",
     "first aid kit", "second hand shoes", "no show socks", "the great gatsby", "solid oak desk",
     "black friday mug", "gift card holder", "baby monitor", "credit card wallet"],
)  # fmt: skip
def test_goods_named_like_small_talk_are_searched_for(message: str) -> None:
    assert search(message).keywords


def test_a_story_around_a_wish_is_not_looked_for() -> None:
    wish = search("my son starts school soon. he is so excited. i need a backpack for him, not too heavy")
    assert "backpack" in wish.keywords
    assert "excited" not in wish.keywords


@pytest.mark.parametrize("message", ["does it fit an 11 year old?", "is there a weight limit?", "how long is the strap",
                                     "what are the other colors?", "can I see a picture?", "in black?"])  # fmt: skip
def test_a_question_with_one_product_in_view_is_about_it(message: str) -> None:
    action = decide(message, "mugs", "Hill Mug (ID: m1) — 12.00 USD")
    assert isinstance(action, GetProductDetails)
    assert action.product_id == "m1"


@pytest.mark.parametrize("message", ["do you have anything cheaper?", "show me something else", "do you sell teapots?",
                                     "any other mugs under 10 dollars?", "I'm looking for a laptop"])  # fmt: skip
def test_a_wish_is_a_search_whatever_is_in_view(message: str) -> None:
    assert isinstance(decide(message, "mugs", "Hill Mug (ID: m1) — 12.00 USD"), Search)


@pytest.mark.parametrize(
    ("told", "message", "kind"),
    [
        ("How about a brown one on the rack and a grey one on the wall?", "how much is it?", Clarify),
        ("How about a brown one on the rack and a grey one on the wall?", "the grey one", GetProductDetails),
        ("I would recommend the Hillside Kettle, it is very popular.", "how much is it?", GetProductDetails),
        ("I can recommend the Hillside Kettle or the Valley Kettle.", "is it made of steel?", Clarify),
        ("I can recommend the Hillside Kettle or the Valley Kettle.", "how much is the Valley one?", GetProductDetails),
        ("Sorry, we don't have any.", "how much is it?", Clarify),
    ],
)
def test_products_told_in_prose_count_too(told: str, message: str, kind: type) -> None:
    assert isinstance(decide(message, "I need a kettle", told), kind)


def test_a_product_named_in_prose_without_an_id_is_looked_for_by_its_name() -> None:
    told = [{"role": "assistant", "content": "I would recommend the Hillside Kettle."}]
    request = DecisionRequest("how much is it?", conversation=parse_conversation(told), vocabulary=VOCABULARY)
    first = model().decide(request).action
    assert isinstance(first, GetProductDetails)
    second = model().decide(replace(request, feedback="There is no such product.")).action
    assert isinstance(second, Search)
    assert second.keywords == ["Hillside", "Kettle"]


def test_any_text_is_answered() -> None:
    chance = random.Random(3)
    scripts = ((0x20, 0x7F), (0xA0, 0x24F), (0x400, 0x4FF), (0x4E00, 0x9FFF), (0x1F300, 0x1F6FF), (0x20, 0x10FFF))
    for _ in range(150):
        low, high = chance.choice(scripts)
        text = "".join(chr(chance.randrange(low, high)) for _ in range(chance.randrange(1500)))
        assert decide(text).kind in ("search", "details", "clarify")
        assert decide(clean_message(text), "mugs", LISTED).kind in ("search", "details", "clarify")


@pytest.mark.parametrize(
    ("message", "keywords"),
    [
        ("my husband likes cooking", ["cooking"]),
        ("my kid starts school next week and needs a backpack", ["school", "backpack"]),
        ("ma fille adore le dessin", ["dessin"]),
        ("quiero café molido", ["café", "molido"]),
        ("I need a new mug", ["mug"]),
        ("a gift for my dad who likes coffee", ["coffee"]),
        ("a gift card", ["gift", "card"]),
        ("which coffee mug would you recommend for a small kitchen?", ["coffee", "mug", "small", "kitchen"]),
        ("je voudrais du lait", ["lait"]),
        ("i need a wireles mose", ["wireles", "mose"]),
    ],
)
def test_what_is_told_around_a_thing_is_not_looked_for(message: str, keywords: list[str]) -> None:
    assert search(message).keywords == keywords


@pytest.mark.parametrize("message", ["My daughter starts college in the fall", "Mein Sohn wird 8"])
def test_a_story_about_somebody_is_asked_what_it_should_be_and_then_forgotten(message: str) -> None:
    asked = question(message)
    assert asked
    assert search("a mug", message, asked).keywords == ["mug"]


def test_what_it_must_not_be_made_of_is_left_out() -> None:
    wish = search("a cup, but nothing made of glass")
    assert (wish.keywords, wish.exclude) == (["cup"], ["glass"])


@pytest.mark.parametrize(
    "message",
    [
        "how many ounces in a pound",
        "unsubscribe me from the newsletter",
        "how do I get wine stains out of a shirt",
        "hjkl",
    ],
)
def test_errands_of_another_kind_are_no_wish(message: str) -> None:
    assert question(message)


def test_a_gift_for_somebody_else_is_another_wish() -> None:
    told = "Found 2 for “gardening”:\n1. Gloves (ID: g1) — 9.00 USD\n2. Shears (ID: g2) — 19.00 USD"
    assert search("a gift for my dad, he likes coffee", "gardening", told).keywords == ["coffee"]
