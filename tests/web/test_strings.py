"""Words, numbers and prices in the shopper's language."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from search_client.models import Money
from shopping_agent import questions
from web.strings import DEFAULT_LANGUAGE, Strings, catalogue, choose_language, languages

WEB = Path(__file__).parents[2] / "web"


def fields(text: str | dict[str, str]) -> set[str]:
    """Names of the values that a text takes."""
    texts = [text] if isinstance(text, str) else list(text.values())
    return {name for each in texts for _, name, _, _ in string.Formatter().parse(each) if name}


@pytest.mark.parametrize("language", languages())
def test_every_language_says_everything_with_the_same_values(language: str) -> None:
    own, english = catalogue(language), catalogue(DEFAULT_LANGUAGE)
    assert set(own) == set(english)
    assert {key: fields(own[key]) for key in own} == {key: fields(english[key]) for key in own}


def test_templates_and_code_ask_only_for_texts_that_exist() -> None:
    asked = {
        key
        for path in [*WEB.rglob("*.html"), *WEB.rglob("*.py")]
        for key in re.findall(r"""\bt\(\s*['"]([a-z_]+\.[a-zA-Z_.]+)['"]""", path.read_text(encoding="utf-8"))
        if not key.endswith(".")
    }
    assert asked <= set(catalogue(DEFAULT_LANGUAGE))
    assert len(asked) > 100


@pytest.mark.parametrize(
    "template",
    [path for path in sorted((WEB / "templates").rglob("*.html")) if "operator" not in path.parts],
    ids=lambda path: str(path.name),
)
def test_a_shoppers_templates_hold_no_words_of_their_own(template: Path) -> None:
    text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", "", template.read_text(encoding="utf-8"), flags=re.DOTALL)
    told = re.findall(r'(?:aria-label|title|alt|placeholder)="([^"]*)"', text)
    assert re.findall(r"[^\W\d_]{2,}", " ".join([re.sub(r"<[^>]*>", " ", text), *told])) == []


def test_every_question_of_our_own_is_asked_in_every_language() -> None:
    own = {text for name, text in vars(questions).items() if name.endswith("_QUESTION") and isinstance(text, str)}
    assert len(own) == 5
    assert {f"question.{text}" for text in own} <= set(catalogue(DEFAULT_LANGUAGE))


@pytest.mark.parametrize(
    ("language", "money", "text"),
    [
        ("en", Money(123456, "USD"), "$1,234.56"),
        ("en", Money(1200, "JPY"), "¥1,200"),
        ("en", Money(1234, "KWD"), "KWD 1.234"),
        ("de", Money(123456, "EUR"), "1.234,56 €"),
        ("de", Money(1200, "JPY"), "1.200 ¥"),
        ("ar", Money(8995, "USD"), "\u200f89.95 US$\u200e"),
    ],
)
def test_the_currency_decides_the_decimals_and_the_language_the_signs(language: str, money: Money, text: str) -> None:
    assert Strings(language).money(money).replace("\xa0", " ") == text


def test_an_unheard_of_currency_is_written_plainly() -> None:
    assert "12.50" in Strings("en").money(Money(1250, "XQX"))


def test_a_round_amount_has_no_decimals() -> None:
    assert [Strings("en").amount(amount, "USD") for amount in (100, 99.5)] == ["$100", "$99.50"]
    assert Strings("de").amount(100, "EUR").replace("\xa0", " ") == "100 €"
    assert Strings("en").amount(1500, None) == "1,500"


def test_counts_choose_the_plural() -> None:
    assert [Strings("en")("results.count", count=count) for count in (1, 1234)] == ["1 product", "1,234 products"]
    assert Strings("de")("results.count", count=1) == "1 Produkt"


@pytest.mark.parametrize(
    ("wanted", "language"),
    [(["de-AT", "en"], "de"), (["fr", "de"], "de"), (["DE"], "de"), (["zz"], "en"), ([], "en"), (["", "de_CH"], "de")],
)
def test_the_first_language_we_speak_is_spoken(wanted: list[str], language: str) -> None:
    assert choose_language(wanted) == language


def test_a_moment_is_told_in_the_language() -> None:
    assert Strings("de").time(1_780_000_000) == "28.05.26, 20:26 UTC"
    assert Strings.moment(1_780_000_000) == "2026-05-28T20:26:40+00:00"


def test_text_runs_as_its_language_does() -> None:
    assert [Strings(language).direction for language in ("en", "ar", "he")] == ["ltr", "rtl", "rtl"]
