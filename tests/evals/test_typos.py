from __future__ import annotations

import random

from search_client.models import Product
from search_client.testing import FakeSearchClient
from tests.evals.typos import mistyped, share_found, slips

PRODUCTS = [
    Product(id=f"p{number}", title=f"Walnut garden bench {word}") for number, word in enumerate(["oslo", "lima"])
]


def test_a_slip_is_one_edit_and_equal_seeds_give_equal_slips() -> None:
    client = FakeSearchClient(PRODUCTS)

    made = list(slips(PRODUCTS, client, count=20, seed=7))

    assert made == list(slips(PRODUCTS, client, count=20, seed=7))
    assert all(slip.typed[0] != slip.meant[0] and slip.typed[1:] == slip.meant[1:] for slip in made)
    assert abs(len(mistyped("walnut", random.Random(1))) - len("walnut")) <= 1


def test_what_is_no_longer_found_is_counted_and_named() -> None:
    client = FakeSearchClient(PRODUCTS[:1])
    (slip,) = slips(PRODUCTS[:1], client, count=1, seed=3)
    still, gone = share_found(client, [slip]), share_found(FakeSearchClient(PRODUCTS[1:]), [slip])

    assert (still[1], gone) == ([], (0.0, [slip]))
