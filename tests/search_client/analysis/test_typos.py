from __future__ import annotations

import pytest

from search_client.analysis import TypoCorrector

WORDS = {
    "headphones": 50,
    "monitor": 30,
    "keyboard": 20,
    "wireless": 9,
    "corsica": 2,
    "corsair": 40,
    "cup": 5,
    "caps": 3,
}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hedphones", "headphones"),
        ("headphoness", "headphones"),
        ("heaphdones", "headphones"),
        ("moniter", "monitor"),
        ("jonitor", "monitor"),
        ("keybaord", "keyboard"),
        ("wirless", "wireless"),
        ("hedphonse", "headphones"),
    ],
)
def test_a_mistyped_word_is_read_as_the_known_one(typed: str, meant: str) -> None:
    assert TypoCorrector(WORDS.items()).candidates(typed)[0].word == meant


@pytest.mark.parametrize("typed", ["cub", "a52", "40513", "mug", "zzzzzzzz", ""])
def test_short_words_numbers_and_codes_are_never_touched(typed: str) -> None:
    assert TypoCorrector(WORDS.items()).candidates(typed) == []


def test_a_known_word_is_its_own_best_reading_and_equals_are_ordered_by_frequency() -> None:
    assert TypoCorrector([("malta", 1), ("malts", 900)]).candidates("malta")[0].word == "malta"
    assert [near.word for near in TypoCorrector([("bread", 3), ("broad", 9)]).candidates("brxad")] == ["broad", "bread"]
    assert TypoCorrector([("light", 9), ("night", 90)]).candidates("lightt")[0].word == "light"
