from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_client.analysis import fold, transcribed


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café", "CAFE"),
        ("cafe\u0301", "café"),
        ("STRASSE", "straße"),
        ("ﬁnish", "finish"),
        ("ＵＳＢ", "usb"),
        ("Işık", "IŞIK"),
        ("İstanbul", "istanbul"),
        ("Ångström", "angstrom"),
        ("smørrebrød", "SMORREBROD"),
        ("5″", '5"'),
        ("5’", "5'"),
        ("M8×20", "m8x20"),
        ("soft\u00adener", "softener"),
        ("Łódź", "lodz"),
    ],
)
def test_two_spellings_of_a_word_fold_to_one(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_marks_that_are_letters_of_their_script_stay() -> None:
    assert fold("が") != fold("か")
    assert fold("น้ำ") != fold("นา")


def test_umlauts_have_a_transcription_and_plain_words_have_none() -> None:
    assert transcribed("Müsli") == "muesli"
    assert transcribed("Mu\u0308sli") == "muesli"
    assert transcribed("brød") == "broed"
    assert transcribed("plain") is None


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)
