from __future__ import annotations

import pytest

from search_client.analysis import stem


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("lamps", "lamp"),
        ("boxes", "box"),
        ("batteries", "battery"),
        ("knives", "knife"),
        ("watches", "watch"),
        ("brushes", "brush"),
        ("dresses", "dress"),
        ("houses", "house"),
        ("cases", "case"),
        ("sizes", "size"),
        ("women", "woman"),
        ("shoes", "shoe"),
        ("tomatoes", "tomato"),
        ("lenses", "lens"),
        ("canvases", "canvas"),
        ("ties", "tie"),
    ],
)
def test_plural_and_singular_are_one_term(plural: str, singular: str) -> None:
    assert stem(plural) == singular
    assert stem(singular) == singular


@pytest.mark.parametrize("word", ["glasses", "wireless", "canvas", "windows", "bus", "a52s", "ps5s", "usb", "tennis"])
def test_a_word_that_only_looks_plural_stays(word: str) -> None:
    assert stem(word) == word


def test_only_number_is_cut_never_a_trade_of_its_own() -> None:
    assert len({stem("printer"), stem("printing"), stem("print")}) == 3
