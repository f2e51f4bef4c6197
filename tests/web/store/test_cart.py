"""What a cart promises, on every back-end."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Engine

from search_client.models import Money
from web.store.cart import MAX_LINES, MAX_QUANTITY, CartLine, CartStore, SavedProduct
from web.store.migrations import migrate

MUG = CartLine("mug", "", 1, "Mug", Money(900, "USD"))


@pytest.fixture
def carts(engine: Engine) -> CartStore:
    migrate(engine)
    return CartStore(engine)


def test_a_line_keeps_name_and_price_as_shown(carts: CartStore) -> None:
    assert carts.add("ann", MUG, key="k1")
    assert carts.lines("ann") == (MUG,)
    assert (carts.count("ann"), carts.count("bob")) == (1, 0)


def test_the_same_form_sent_twice_adds_once(carts: CartStore) -> None:
    assert carts.add("ann", MUG, key="k1")
    assert not carts.add("ann", MUG, key="k1")
    assert carts.add("bob", MUG, key="k1")
    assert (carts.count("ann"), carts.count("bob")) == (1, 1)


def test_another_variant_is_another_line(carts: CartStore) -> None:
    carts.add("ann", CartLine("tee", "s", 1, "Tee"), key="k1")
    carts.add("ann", CartLine("tee", "m", 2, "Tee"), key="k2")
    carts.add("ann", CartLine("tee", "s", 1, "Tee"), key="k3")
    assert [(line.variant_id, line.quantity) for line in carts.lines("ann")] == [("s", 2), ("m", 2)]


def test_quantities_and_lines_are_bounded(carts: CartStore) -> None:
    carts.add("ann", CartLine("mug", "", 5_000, "Mug"), key="k")
    assert carts.count("ann") == MAX_QUANTITY
    for number in range(1, MAX_LINES):
        assert carts.add("ann", CartLine(f"p{number}", "", 1, "P"), key=f"k{number}")
    assert not carts.add("ann", CartLine("one-more", "", 1, "P"), key="last")


def test_a_change_also_keeps_the_price_now_seen(carts: CartStore) -> None:
    carts.add("ann", MUG, key="k1")
    carts.change("ann", "mug", "", quantity=3, price=Money(800, "USD"))
    assert [(line.quantity, line.price) for line in carts.lines("ann")] == [(3, Money(800, "USD"))]
    carts.change("ann", "mug", "", quantity=0, price=None)
    assert carts.lines("ann") == ()


def test_a_product_is_saved_once_and_can_be_forgotten(carts: CartStore) -> None:
    carts.save("ann", SavedProduct("mug", "Mug", Money(900, "USD")))
    carts.save("ann", SavedProduct("mug", "Mug", Money(100, "USD")))
    assert carts.saved("ann") == {"mug": SavedProduct("mug", "Mug", Money(900, "USD"))}
    assert carts.saved("bob") == {}
    carts.unsave("ann", "mug")
    assert carts.saved("ann") == {}


def test_a_cart_changed_in_many_tabs_at_once_loses_and_doubles_nothing(carts: CartStore) -> None:
    def press(number: int) -> bool:
        return carts.add("ann", CartLine(f"p{number % 3}", "", 1, "P"), key=f"k{number}")

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(press, range(24)))
    assert {line.product_id: line.quantity for line in carts.lines("ann")} == {"p0": 8, "p1": 8, "p2": 8}


def test_one_form_sent_many_times_at_once_adds_once(carts: CartStore) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(lambda _: carts.add("ann", MUG, key="k1"), range(8))) == 1
    assert carts.count("ann") == 1


def test_a_product_saved_in_many_tabs_at_once_is_saved_once(carts: CartStore) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: carts.save("ann", SavedProduct("mug", "Mug")), range(8)))
    assert list(carts.saved("ann")) == ["mug"]
