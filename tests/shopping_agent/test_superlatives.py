"""The most and the least of a list by what records state."""

from __future__ import annotations

import pytest

from search_client.models import Product
from shopping_agent.conversation import Conversation, parse_conversation
from shopping_agent.offline.lexicon import load_lexicon
from shopping_agent.references import Ambiguous, Found, Missing, find
from shopping_agent.superlatives import of_kind
from tests.shopping_agent.offline.shop import LISTED

RECORDS = {
    "m1": Product("m1", "Hill Mug", attributes=(("Weight", "12 oz"), ("Capacity", "0.3 l"), ("Height", "4 in"))),
    "m2": Product("m2", "Valley Mug", attributes=(("Weight", "0.5 lb"), ("Height", "9 cm"))),
    "m3": Product("m3", "Travel Cup", attributes=(("Weight", "heavy"), ("Battery Life", "6 hours"))),
}


@pytest.fixture
def mugs() -> Conversation:
    return parse_conversation([{"role": "user", "content": "mugs"}, {"role": "assistant", "content": LISTED}])


@pytest.mark.parametrize(
    ("text", "product_id"),
    [("the lightest", "m2"), ("la plus lourde", "m1"), ("the smallest one", "m2"), ("das größte", "m1")],
)
def test_measures_are_compared_across_units(mugs: Conversation, text: str, product_id: str) -> None:
    assert find(text, mugs, facts_of=RECORDS.get) == Found((product_id,))


def test_what_just_one_record_states_is_the_most_of_nothing(mugs: Conversation) -> None:
    assert isinstance(find("the best battery", mugs, facts_of=RECORDS.get), Missing)
    assert isinstance(find("the lightest", mugs), Missing)


def test_equal_measures_leave_a_choice(mugs: Conversation) -> None:
    found = find("the lightest", mugs, facts_of=lambda _id: RECORDS["m1"])
    assert isinstance(found, Ambiguous)
    assert [product.id for product in found.candidates] == ["m1", "m2", "m3"]


def test_a_title_that_ends_in_another_thing_is_not_of_the_kind(mugs: Conversation) -> None:
    kept = of_kind(mugs.shown, frozenset(("mugs",)), load_lexicon())
    assert [product.id for product in kept] == ["m1", "m2"]
    assert of_kind(mugs.shown, frozenset(("lamp",)), load_lexicon()) == mugs.shown
