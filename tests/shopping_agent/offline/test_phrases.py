"""Patterns of phrases and how they are found."""

from __future__ import annotations

from shopping_agent.offline.phrases import PhraseBook, expansions


def found(book: PhraseBook, text: str) -> set[tuple[str, str]]:
    words = text.split()
    return {(match.act, " ".join(words[match.start : match.end])) for match in book.find(words)}


def test_a_pattern_stands_for_all_its_readings() -> None:
    assert set(expansions("where is my [last] (order|big package)")) == {
        ("where", "is", "my", "last", "order"),
        ("where", "is", "my", "last", "big", "package"),
        ("where", "is", "my", "order"),
        ("where", "is", "my", "big", "package"),
    }


def test_fillers_between_the_words_are_skipped() -> None:
    book = PhraseBook(["really", "just"])
    book.add("i need", act="wish", language="en")
    assert found(book, "i really just need a mug") == {("wish", "i really just need")}
    assert found(book, "i never need a mug") == set()


def test_a_star_stands_for_one_to_three_words() -> None:
    book = PhraseBook([])
    book.add("tell * that", act="errand", language="en")
    assert found(book, "tell my brother that i call") == {("errand", "tell my brother that")}
    assert found(book, "tell that") == set()
    assert found(book, "tell a b c d that") == set()


def test_a_caret_holds_a_phrase_to_the_start() -> None:
    book = PhraseBook(["please"])
    book.add("^ order", act="wish", language="en")
    assert found(book, "please order soap") == {("wish", "order")}
    assert found(book, "the order") == set()
    assert found(book, "") == set()
