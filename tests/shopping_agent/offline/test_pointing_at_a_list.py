"""What shoppers say while a list stands on the page: pointing at it, narrowing it, leaving it."""

from __future__ import annotations

from typing import Any

import pytest

from search_client.models import FacetValue, Vocabulary
from shopping_agent.actions import Action, Clarify, GetProductDetails, Search
from shopping_agent.conversation import parse_conversation
from shopping_agent.model import DecisionRequest
from shopping_agent.offline.model import OfflineActionModel

MODEL = OfflineActionModel()
LIST = [
    {"role": "user", "content": "running shoes"},
    {
        "role": "assistant",
        "content": "Found 3 for “running shoes”:\n1. Kestrel Road Shoes (ID: a) — 84.95 USD, rated 4.6 of 5\n"
        "2. Cinder Trail Shoes (ID: b) — 74.95 USD, rated 4.8 of 5\n3. Bolt Track Shoes (ID: c) — 59.95 USD",
    },
]


def decide(message: str, history: list[dict[str, Any]] | None = None) -> Action:
    conversation = parse_conversation(LIST if history is None else history)
    return MODEL.decide(DecisionRequest(message, conversation=conversation, vocabulary=Vocabulary())).action


@pytest.mark.parametrize(
    ("message", "product_id"),
    [
        ("show me the second one", "b"),
        ("show me the third one please", "c"),
        ("let me see the first", "a"),
        ("number two", "b"),
        ("number 3", "c"),
        ("more like the first one", "a"),
        ("zeig mir das zweite", "b"),
    ],
)
def test_a_position_opens_that_product(message: str, product_id: str) -> None:
    action = decide(message)
    assert isinstance(action, GetProductDetails)
    assert (action.product_id, action.compare_with) == (product_id, [])


@pytest.mark.parametrize("message", ["which one is better, 1 or 2?", "compare 1 and 2"])
def test_two_bare_numbers_are_two_positions(message: str) -> None:
    action = decide(message)
    assert isinstance(action, GetProductDetails)
    assert [action.product_id, *action.compare_with] == ["a", "b"]


@pytest.mark.parametrize("message", ["number four", "the seventh one"])
def test_a_position_that_is_not_there_is_asked_back(message: str) -> None:
    assert isinstance(decide(message), Clarify)


def test_a_colour_asked_of_a_whole_list_narrows_it() -> None:
    action = decide("and in blue?")
    assert isinstance(action, Search)
    assert (action.keywords, action.colors) == (["running", "shoes"], ["blue"])


def test_a_correction_replaces_the_thing() -> None:
    action = decide("no, I meant dress shoes")
    assert isinstance(action, Search)
    assert action.keywords == ["dress", "shoes"]


@pytest.mark.parametrize(("message", "sizes"), [("what about in size 42?", ["42"]), ("do you have size 42?", ["42"])])
def test_a_size_asked_of_a_whole_list_narrows_it(message: str, sizes: list[str]) -> None:
    action = decide(message)
    assert isinstance(action, Search)
    assert (action.keywords, action.sizes) == (["running", "shoes"], sizes)


@pytest.mark.parametrize(
    ("message", "low", "high"),
    [
        ("nothing over 80 please", None, 80),
        ("nothing above 80", None, 80),
        ("don't want to go over 80", None, 80),
        ("nothing under 40", 40, None),
    ],
)
def test_a_limit_said_by_what_is_not_wanted_is_that_limit(message: str, low: float | None, high: float | None) -> None:
    action = decide(message)
    assert isinstance(action, Search)
    assert (action.keywords, action.min_price, action.max_price) == (["running", "shoes"], low, high)


def test_the_best_of_a_list_is_the_one_rated_best() -> None:
    action = decide("which one is the best?")
    assert isinstance(action, GetProductDetails)
    assert action.product_id == "b"


def test_a_position_stays_one_where_the_catalog_sells_something_of_that_name() -> None:
    vocabulary = Vocabulary(terms=(FacetValue("second", 1), FacetValue("first", 3)))
    request = DecisionRequest("show me the second one", conversation=parse_conversation(LIST), vocabulary=vocabulary)
    action = MODEL.decide(request).action
    assert isinstance(action, GetProductDetails)
    assert action.product_id == "b"


OPENED = [
    *LIST,
    {"role": "user", "content": "the second one"},
    {"role": "assistant", "content": "Cinder Trail Shoes (ID: b) — 74.95 USD, rated 4.8 of 5"},
]


@pytest.mark.parametrize(("message", "product_id"), [("and the first?", "a"), ("the last one", "c")])
def test_a_position_means_the_list_also_after_one_of_it_was_opened(message: str, product_id: str) -> None:
    action = decide(message, OPENED)
    assert isinstance(action, GetProductDetails)
    assert action.product_id == product_id


@pytest.mark.parametrize("message", ["does it come in red?", "gibt es das auch in rot?"])
def test_a_colour_asked_of_it_is_asked_of_what_is_in_view(message: str) -> None:
    listed = [LIST[0], {"role": "assistant", "content": LIST[1]["content"].replace("Bolt", "Red")}, *OPENED[2:]]
    action = decide(message, listed)
    assert isinstance(action, GetProductDetails)
    assert action.product_id == "b"


@pytest.mark.parametrize("message", ["any cheaper ones?", "anything cheaper?"])
def test_cheaper_ones_are_asked_of_the_shop_also_while_one_product_is_open(message: str) -> None:
    action = decide(message, OPENED)
    assert isinstance(action, Search)
    assert (action.keywords, action.sort) == (["running", "shoes"], "price_asc")


@pytest.mark.parametrize("message", ["does it have bluetooth", "is it bluetooth?"])
def test_what_is_asked_is_asked_also_where_the_text_in_view_speaks_of_it(message: str) -> None:
    told = "Bar (ID: s) — 119.95 USD, rated 4.9 of 5\nConnects by HDMI and Bluetooth. Power: 120 W."
    action = decide(message, [{"role": "user", "content": "the bar"}, {"role": "assistant", "content": told}])
    assert isinstance(action, GetProductDetails)
    assert (action.product_id, action.aspect) == ("s", "bluetooth")


def test_a_measure_leaves_no_word_of_its_limit_behind() -> None:
    action = decide("a laptop with at least 16gb ram", [])
    assert isinstance(action, Search)
    assert "least" not in action.keywords


def test_words_that_found_something_are_not_doubled_by_what_was_found() -> None:
    found = (
        "Read “shos” as “shoes”. Found 2 for “shos”:\n1. Road Shoes (ID: a) — 84.95 USD\n2. Mugs (ID: b) — 74.95 USD"
    )
    action = decide("in blue", [{"role": "user", "content": "zxshos"}, {"role": "assistant", "content": found}])
    assert isinstance(action, Search)
    assert (action.keywords, action.colors) == (["zxshos"], ["blue"])


@pytest.mark.parametrize(
    ("message", "keywords"),
    [
        ("a laptop for my daughter", ["laptop"]),
        ("eine Lampe für meine Mutter", ["Lampe"]),
        ("a friend necklace", ["friend", "necklace"]),
        ("running shoes for women", ["running", "shoes", "women"]),
    ],
)
def test_whom_a_thing_is_for_is_not_looked_for(message: str, keywords: list[str]) -> None:
    action = decide(message, [])
    assert isinstance(action, Search)
    assert action.keywords == keywords


@pytest.mark.parametrize(
    ("message", "product_id"),
    [
        ("b", "b"),
        ("open the 2nd", "b"),
        ("the one for 59.95", "c"),
        ("I want to see the $84.95 one", "a"),
        ("show me the Cinder", "b"),
        ("which is cheapest?", "c"),
    ],
)
def test_an_id_a_price_or_a_name_of_the_list_opens_that_product(message: str, product_id: str) -> None:
    action = decide(message)
    assert isinstance(action, GetProductDetails)
    assert (action.product_id, action.compare_with) == (product_id, [])


@pytest.mark.parametrize("message", ["which is lightest?", "the heaviest one", "welcher ist am leichtesten?"])
def test_a_measure_that_nobody_states_is_looked_at_side_by_side(message: str) -> None:
    action = decide(message)
    assert isinstance(action, GetProductDetails)
    assert ([action.product_id, *action.compare_with], action.aspect) == (["a", "b", "c"], "weight")


def test_the_cheapest_of_a_list_is_one_of_the_kind_that_was_wished() -> None:
    told = "Found 2 for “phone”:\n1. Alto Clear Phone Case (ID: k) — 9.00 USD\n2. Alto Senior Phone (ID: p) — 49.00 USD"
    action = decide("the cheapest one", [{"role": "user", "content": "phone"}, {"role": "assistant", "content": told}])
    assert isinstance(action, GetProductDetails)
    assert action.product_id == "p"


def test_things_in_order_of_price_are_of_the_category_named_like_them() -> None:
    shelves = ("Phones & Tablets", "Chargers & Cases", "Phones")
    vocabulary = Vocabulary(categories=tuple(FacetValue(name, 9 - i) for i, name in enumerate(shelves)))
    found = [
        MODEL.decide(DecisionRequest(message, vocabulary=vocabulary)).action
        for message in ("cheapest phone", "the cheapest tablet", "a phone")
    ]
    assert [action.category for action in found if isinstance(action, Search)] == ["Phones", "Phones & Tablets", None]


@pytest.mark.parametrize(
    ("message", "keywords"),
    [
        ("do you have any from Nike instead?", ["running", "shoes", "Nike"]),
        ("what about a leather one?", ["running", "shoes", "leather"]),
        ("they should be vegan", ["running", "shoes", "vegan"]),
        ("sorry, for women", ["running", "shoes", "women"]),
    ],
)
def test_a_maker_or_a_quality_narrows_the_wish(message: str, keywords: list[str]) -> None:
    action = decide(message)
    assert isinstance(action, Search)
    assert action.keywords == keywords


@pytest.mark.parametrize("message", ["wow they look great", "please remove the shoes from my basket"])
def test_praise_and_the_basket_start_no_search(message: str) -> None:
    assert isinstance(decide(message), Clarify)


@pytest.mark.parametrize("message", ["anything lighter?", "do you have lighter ones?", "smaller", "kleinere bitte"])
def test_a_comparative_goes_on_with_the_wish_also_while_one_product_is_open(message: str) -> None:
    action = decide(message, OPENED)
    assert isinstance(action, Search)
    assert action.keywords[:2] == ["running", "shoes"]
    assert action.keywords[2:] in (["lightweight"], ["small"], ["klein"])


@pytest.mark.parametrize(
    ("message", "ids"),
    [("comparez les deux premières", ["a", "b"]), ("vergleiche die letzten beiden", ["b", "c"])],
)
def test_a_count_stands_on_either_side_of_the_position(message: str, ids: list[str]) -> None:
    action = decide(message)
    assert isinstance(action, GetProductDetails)
    assert [action.product_id, *action.compare_with] == ids


@pytest.mark.parametrize(
    "message",
    ["that's too expensive, what else?", "das ist mir zu teuer, was günstigeres?", "do you have other brands?"],
)
def test_a_complaint_about_what_is_in_view_looks_for_others(message: str) -> None:
    assert isinstance(decide(message, OPENED), Search)


def test_what_is_pointed_at_in_one_sentence_is_asked_about_in_the_next() -> None:
    action = decide("The first one looks good. Is it waterproof?")
    assert isinstance(action, GetProductDetails)
    assert (action.product_id, action.aspect) == ("a", "waterproof")


def test_a_warranty_asked_of_the_one_in_view_is_a_fact_of_it() -> None:
    action = decide("Hat die erste eine Garantie?")
    assert isinstance(action, GetProductDetails)
    assert (action.product_id, action.aspect) == ("a", "garantie")


def test_the_closest_of_what_was_wished_is_narrowed_on() -> None:
    told = LIST[1]["content"].replace("Found 3", "Nothing has all of it; the closest of 3")
    action = decide("easy to clean", [LIST[0], {"role": "assistant", "content": told}])
    assert isinstance(action, Search)
    assert action.keywords == ["running", "shoes", "easy", "clean"]


@pytest.mark.parametrize("message", ["let me ask my husband first", "buy number 2", "no, on second thought"])
def test_not_every_number_opens_a_product(message: str) -> None:
    assert not isinstance(decide(message), GetProductDetails)


def test_more_of_an_amended_wish_begins_anew() -> None:
    action = decide("any others, cheaper?")
    assert isinstance(action, Search)
    assert (action.sort, action.offset) == ("price_asc", 0)


@pytest.mark.parametrize("message", ["could it be bigger?", "it's for a 10 year old"])
def test_what_is_said_of_it_and_meant_of_others_goes_on_with_the_wish(message: str) -> None:
    assert isinstance(decide(message, OPENED), Search)


def test_a_colour_with_its_letters_shuffled_is_that_colour() -> None:
    action = decide("in bule please")
    assert isinstance(action, Search)
    assert (action.keywords, action.colors) == (["running", "shoes"], ["bule"])


@pytest.mark.parametrize("message", ["got to go, bye", "what a day", "the parcel never arrived", "say something funny"])
def test_what_asks_for_no_product_starts_no_search(message: str) -> None:
    assert isinstance(decide(message), Clarify)
