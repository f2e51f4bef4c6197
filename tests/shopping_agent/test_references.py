"""What references point at."""

from __future__ import annotations

import pytest

from search_client.models import Product
from shopping_agent.actions import GetProductDetails
from shopping_agent.conversation import Conversation, parse_conversation
from shopping_agent.errors import ActionError
from shopping_agent.references import Ambiguous, Found, Missing, find, resolve, resolve_id
from tests.shopping_agent.offline.shop import LISTED


@pytest.fixture
def mugs() -> Conversation:
    return parse_conversation([{"role": "user", "content": "mugs"}, {"role": "assistant", "content": LISTED}])


@pytest.mark.parametrize(
    ("text", "product_id"),
    [
        ("m2", "m2"),
        ("<M2>", "m2"),
        ("`m2`", "m2"),
        ("2", "m2"),
        ("number 3", "m3"),
        ("第二个", "m2"),
        ("das letzte", "m3"),
        ("le deuxième", "m2"),
        ("the red one", "m2"),
        ("la roja", "m2"),
        ("vallley mug", "m2"),
        ("the cheapest", "m2"),
        ("the most expensive one", "m3"),
        ("the best rated", "m1"),
    ],
)
def test_a_reference_finds_one_product(mugs: Conversation, text: str, product_id: str) -> None:
    assert find(text, mugs) == Found((product_id,))


def test_the_first_two_are_two_products(mugs: Conversation) -> None:
    assert find("compare the first two", mugs) == Found(("m1", "m2"))


def test_what_fits_several_products_names_them(mugs: Conversation) -> None:
    found = find("the blue one", mugs)
    assert isinstance(found, Ambiguous)
    assert [product.id for product in found.candidates] == ["m1", "m3"]


def test_a_position_never_shown_says_what_was(mugs: Conversation) -> None:
    found = find("the fifth", mugs)
    assert isinstance(found, Missing)
    assert "m1" in found.reason


def test_nothing_shown_yet_is_said() -> None:
    assert isinstance(find("the second one", Conversation()), Missing)


def test_a_model_may_name_a_product_by_its_position(mugs: Conversation) -> None:
    action = resolve(GetProductDetails(product_id="2", compare_with=["m2", "the cheapest", "1"]), mugs)
    assert isinstance(action, GetProductDetails)
    assert (action.product_id, action.compare_with) == ("m2", ["m1"])


def test_an_unknown_id_is_left_to_the_catalog(mugs: Conversation) -> None:
    assert resolve_id("zzz-9", mugs) == "zzz-9"


def test_an_unclear_name_is_a_recoverable_error(mugs: Conversation) -> None:
    with pytest.raises(ActionError, match="m1"):
        resolve_id("blue", mugs)


def test_a_fact_no_title_tells_is_looked_up() -> None:
    listed = "1. Hill Mug (ID: m1) — 12.00 USD\n2. Valley Mug (ID: m2) — 9.50 USD"
    mugs = parse_conversation([{"role": "assistant", "content": listed}])
    records = {
        "m1": Product("m1", "Hill Mug", options=(("Color", ("Red", "Blue")),)),
        "m2": Product("m2", "Valley Mug", brand="Nordhaus", attributes=(("Material", "Oak"), ("Color", "Red"))),
    }
    assert find("the blue one", mugs, facts_of=records.get) == Found(("m1",))
    assert find("das blaue", mugs, facts_of=records.get) == Found(("m1",))
    assert find("the oak one", mugs, facts_of=records.get) == Found(("m2",))
    assert find("the one by nordhaus", mugs, facts_of=records.get) == Found(("m2",))
    assert isinstance(find("the red one", mugs, facts_of=records.get), Ambiguous)
    assert isinstance(find("the blue one", mugs, facts_of=lambda _id: None), Ambiguous)
