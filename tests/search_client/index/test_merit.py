from __future__ import annotations

import pytest

from search_client.index.merit import MENTIONED, merit_tokens, worth_of

LONG = [f"w{number}" for number in range(200)]


def worth(term: str, *, title: str = "", brand: str = "", stated: str = "", prose: list[str] | None = None) -> float:
    said = title.split() + (prose or [])
    tokens = set(merit_tokens(title=title.split(), brand=brand, stated=stated.split(), prose=said))
    return MENTIONED + sum(value for token, value in worth_of(term) if token in tokens)


def test_a_word_of_the_title_says_more_than_one_of_a_long_description() -> None:
    assert worth("lamp", title="brass lamp", prose=LONG) > worth("lamp", title="brass", prose=[*LONG, "lamp"])


def test_a_word_that_is_stated_says_less_the_more_is_stated() -> None:
    few, many = (
        worth("wool", stated="wool red", prose=LONG),
        worth("wool", stated=f"wool {' '.join(LONG[:60])}", prose=LONG),
    )

    assert few > many > MENTIONED


def test_saying_it_over_and_over_adds_less_each_time() -> None:
    once, twice, thrice = (worth("lamp", title=" ".join(["lamp"] * count), prose=LONG) for count in (1, 2, 3))

    assert twice - once > thrice - twice > 0


def test_a_maker_counts_beside_what_is_said() -> None:
    assert worth("acme", title="acme lamp", brand="acme") > worth("acme", title="acme lamp")


@pytest.mark.parametrize("title", ["lamp", "lamp lamp lamp", "a lamp of oak"])
def test_the_coarse_worth_is_within_a_quarter_of_the_exact_one(title: str) -> None:
    tokens = set(merit_tokens(title=title.split(), brand="", stated=(), prose=title.split()))
    coarse = MENTIONED + sum(value for token, value in worth_of("lamp", exactly=False) if token in tokens)

    assert 0 <= worth("lamp", title=title) - coarse < 0.25
