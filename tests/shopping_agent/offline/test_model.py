"""What the offline model chooses, from single messages to what the conversation is about."""

from __future__ import annotations

import pytest

from shopping_agent.actions import Clarify, GetProductDetails, Search
from shopping_agent.guard import check_question
from shopping_agent.model import DecisionRequest
from shopping_agent.offline.lexicon import load_lexicon
from tests.shopping_agent.offline.shop import LISTED, VOCABULARY, decide, model


def test_a_wish_is_a_search_for_its_content_words() -> None:
    action = decide("I'm looking for a laptop.")
    assert isinstance(action, Search)
    assert action.keywords == ["laptop"]


def test_a_question_about_the_only_product_shown_gets_its_details() -> None:
    action = decide("Can you tell me more about the shirt?", "Found: Nike dry fit T Shirt (ID: p1)")
    assert isinstance(action, GetProductDetails)
    assert action.product_id == "p1"


def test_a_message_without_content_is_asked_back() -> None:
    assert isinstance(decide("Something something"), Clarify)


@pytest.mark.parametrize(
    ("message", "product_id", "aspect"),
    [
        ("the second one please", "m2", None),
        ("how much is the red one?", "m2", "price"),
        ("tell me more about m3", "m3", None),
        ("is the travel cup waterproof?", "m3", "waterproof"),
        ("what is the cheapest of these made of?", "m2", "material"),
        ("what about the last one?", "m3", None),
    ],
)
def test_a_reference_finds_its_product(message: str, product_id: str, aspect: str | None) -> None:
    action = decide(message, "mugs", LISTED)
    assert isinstance(action, GetProductDetails)
    assert action.product_id == product_id
    if aspect:
        assert action.aspect == aspect


def test_a_pronoun_for_one_of_several_products_is_asked_back_with_the_candidates() -> None:
    action = decide("is it dishwasher safe?", "mugs", LISTED)
    assert isinstance(action, Clarify)
    assert action.candidates == ["m1", "m2", "m3"]


@pytest.mark.parametrize("message", ["is it very loud?", "how do I attach this?", "¿Hay stock?"])
def test_a_question_about_nothing_shown_is_asked_back(message: str) -> None:
    assert isinstance(decide(message), Clarify)


@pytest.mark.parametrize(
    ("message", "maximum"),
    [("mugs under $50", 50), ("mug up to 1,000 dollars", 1000), ("Tasse bis 20 Euro", 20), ("杯子不超过100元", 100)],
)
def test_a_price_limit_is_a_bound_and_no_keyword(message: str, maximum: float) -> None:
    action = decide(message)
    assert isinstance(action, Search)
    assert action.max_price == maximum
    assert len(action.keywords) == 1


def test_a_refinement_keeps_the_wish() -> None:
    action = decide("in blue please", "I need a laptop under 900 dollars", "Which colour do you like?")
    assert isinstance(action, Search)
    assert (action.keywords, action.colors, action.max_price) == (["laptop"], ["Blue"], 900)


def test_a_new_thing_ends_the_old_wish() -> None:
    action = decide("show me shoes", "a laptop under 900 dollars", LISTED)
    assert isinstance(action, Search)
    assert (action.keywords, action.max_price) == (["shoes"], None)


def test_more_goes_on_behind_what_was_shown() -> None:
    action = decide("show me more", "mugs", LISTED)
    assert isinstance(action, Search)
    assert (action.keywords, action.offset) == (["mugs"], 3)


def test_more_of_what_is_all_shown_is_said_to_be_all() -> None:
    action = decide("anything else?", "mugs", LISTED.replace("12", "3"))
    assert isinstance(action, Clarify)
    assert action.about == "category"


def test_a_question_on_a_product_page_is_about_that_product() -> None:
    action = decide("is it waterproof?", viewing="p7")
    assert isinstance(action, GetProductDetails)
    assert action.product_id == "p7"


def test_every_reply_passes_the_output_rule() -> None:
    for code, language in load_lexicon().languages.items():
        assert set(language.replies) == set(load_lexicon().languages["en"].replies), code
        assert [text for text in language.replies.values() if check_question(text) != text] == []


@pytest.mark.parametrize(
    ("message", "first", "second"),
    [
        ("a lamp under 50 and a monitor under 300", (["lamp"], 50), (["monitor"], 300)),
        ("shoes and a bag", (["shoes"], None), (["bag"], None)),
        ("ich suche einen Tisch und einen Stuhl bis 100 Euro", (["Tisch"], None), (["Stuhl"], 100)),
    ],
)
def test_a_second_wish_is_kept_for_later(
    message: str, first: tuple[list[str], float | None], second: tuple[list[str], float | None]
) -> None:
    decision = model().decide(DecisionRequest(message, vocabulary=VOCABULARY))
    wishes = [
        (wish.keywords, wish.max_price) for wish in (decision.action, *decision.later) if isinstance(wish, Search)
    ]
    assert wishes == [first, second]


def test_parts_of_one_thing_are_one_wish() -> None:
    decision = model().decide(DecisionRequest("a bag with a strap and a lock", vocabulary=VOCABULARY))
    assert decision.later == ()


@pytest.mark.parametrize(
    ("message", "product_id"),
    [("number 2", "m2"), ("2", "m2"), ("valley", "m2"), ("hill mug please", "m1"), ("hmm, the frist one", "m1")],
)
def test_a_name_or_a_number_alone_points_at_what_was_listed(message: str, product_id: str) -> None:
    action = decide(message, "mugs", LISTED)
    assert isinstance(action, GetProductDetails)
    assert action.product_id == product_id


@pytest.mark.parametrize(
    "message",
    [
        "do you have any that are cheaper?",
        "one that is bigger",
        "do you have them in leather?",
        "only red ones",
        "sort by price",
    ],
)
def test_a_kind_of_thing_is_a_wish_and_no_reference(message: str) -> None:
    assert isinstance(decide(message, "mugs", LISTED), Search)


def test_two_products_are_compared_by_their_number() -> None:
    action = decide("what's the difference between the two?", "mugs", "1. Hill Mug (ID: m1)\n2. Valley Mug (ID: m2)")
    assert isinstance(action, GetProductDetails)
    assert (action.product_id, action.compare_with) == ("m1", ["m2"])


def test_a_description_given_when_asked_which_one_is_looked_up() -> None:
    action = decide("the red one on the rack", "How much is that jacket?", "Which jacket do you mean?")
    assert isinstance(action, GetProductDetails)


def test_a_wish_about_the_product_in_view_takes_its_kind() -> None:
    action = decide("something similar but cheaper", "tell me about it", "Hill Mug (ID: m1) — 12.00 USD")
    assert isinstance(action, Search)
    assert (action.sort, [word.lower() for word in action.keywords]) == ("price_asc", ["mug"])
