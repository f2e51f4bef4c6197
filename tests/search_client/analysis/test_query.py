from __future__ import annotations

import pytest

from search_client.analysis import ParsedQuery, parse_query


def required(parsed: ParsedQuery) -> list[str]:
    return [word.chunk.text for word in parsed.required]


def excluded(parsed: ParsedQuery) -> list[str]:
    return [" ".join(chunk.text for chunk in part) for part in parsed.excluded]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I am looking for the green boots please", ["green", "boots"]),
        ("do you have a lamp for my desk", ["lamp", "desk"]),
        ("something to hold my monitor", ["monitor"]),
        ("the who", ["the", "who"]),
        ("it", ["it"]),
    ],
)
def test_filler_words_need_not_match_unless_they_are_all_there_is(text: str, words: list[str]) -> None:
    assert required(parse_query([text])) == words


@pytest.mark.parametrize(
    ("text", "words", "denied"),
    [
        ("a curtain without flowers", ["curtain"], ["flowers"]),
        ("boots, not leather", ["boots"], ["leather"]),
        ('27" screen without hdmi or vga', ["27in", "screen"], ["hdmi", "vga"]),
        ("sugar-free gum", ["sugar-free", "gum"], []),
        ("mug no. 5", ["mug", "no", "5"], []),
        ("no man's land game", ["no", "man", "land", "game"], []),
    ],
)
def test_what_is_denied_is_excluded(text: str, words: list[str], denied: list[str]) -> None:
    parsed = parse_query([text])

    assert required(parsed) == words
    assert excluded(parsed) == denied


def test_explicit_exclusions_are_kept_as_phrases() -> None:
    assert excluded(parse_query(["sofa"], exclude=["faux leather", ""])) == ["faux leather"]


def test_a_quoted_phrase_stays_together_and_an_inch_mark_quotes_nothing() -> None:
    parsed = parse_query(['"noise cancelling" headphones'])
    assert [(word.chunk.text, word.phrase > 0) for word in parsed.words] == [
        ("noise", True),
        ("cancelling", True),
        ("headphones", False),
    ]
    assert required(parse_query(['24" or 27" monitor'])) == ["24in", "27in", "monitor"]


def test_keywords_given_one_by_one_are_read_as_one_text() -> None:
    assert required(parse_query(["27", "inch", "monitor", "monitor"])) == ["27in", "monitor"]


@pytest.mark.parametrize("text", ["", "*", '"', "%", "[", "a\\\\", "'; --", "\x00", "AND", "(" * 10_000])
def test_no_text_is_an_error(text: str) -> None:
    parse_query([text], exclude=[text])
