"""The turn in plain words: facts of records, in the house's own sentences."""

from __future__ import annotations

from string import Formatter

import pytest

from search_client.models import (
    Availability,
    Correction,
    Hit,
    Money,
    Product,
    Relaxation,
    SearchQuery,
    SearchResults,
)
from shopping_agent.actions import Clarify, Search
from shopping_agent.offline.lexicon import LANGUAGES, load_lexicon
from shopping_agent.render import MAX_WISH_CHARS, render
from shopping_agent.results import (
    Choice,
    ComparisonRow,
    ProductsCompared,
    ProductsFound,
    ProductShown,
    QuestionAsked,
    Quote,
)
from tests.shopping_agent.offline.shop import decide

LAMP = Product("K3", "Lumo Desk Lamp", "A lamp.", price=Money(3990, "USD"), rating=4.5, attributes=(("Power", "5 W"),))
GONE = Product("K4", "Lumo Floor Lamp", availability=Availability.OUT_OF_STOCK)


def found(*hits: Product, **more: object) -> SearchResults:
    query = SearchQuery(keywords=("desk", "lamp"))
    return SearchResults(query, tuple(map(Hit, hits)), total=len(hits), **more)  # type: ignore[arg-type]


def test_hits_are_numbered_with_their_facts() -> None:
    assert render(ProductsFound(found(LAMP, GONE))).splitlines() == [
        "Found 2 for “desk lamp”:",
        "1. Lumo Desk Lamp (ID: K3) — 39.90 USD, rated 4.5 of 5",
        "2. Lumo Floor Lamp (ID: K4) — price not stated, out of stock",
    ]


def test_a_correction_and_a_relaxed_match_are_told() -> None:
    told = render(ProductsFound(found(LAMP, corrections=(Correction("lanp", "lamp"),), relaxed=True)))
    assert told.startswith("Read “lanp” as “lamp”. Nothing has all of it; the closest of 1 for")


def test_nothing_found_says_what_emptied_it() -> None:
    query = SearchQuery()
    relaxations = (Relaxation("brands", "Nike", query, 4), Relaxation("colors", "Red", query, 0))
    told = render(ProductsFound(found(relaxations=relaxations), (Choice("Shoes", "Shoes"),)))
    assert told == "Nothing for “desk lamp” fits every wish. There are 4 without 'Nike'."


def test_where_no_wish_can_be_dropped_the_shop_says_what_it_has() -> None:
    told = render(ProductsFound(found(), (Choice("Shoes", "Shoes"),)))
    assert told == "This shop has nothing for “desk lamp”. It does have: Shoes."


def test_a_long_wish_is_cut_at_a_word() -> None:
    results = SearchResults(SearchQuery(keywords=("word",) * 60), (Hit(LAMP),), 1)
    first = render(ProductsFound(results)).splitlines()[0]
    assert len(first) <= MAX_WISH_CHARS + len("Found 1 for “ …”:")
    assert "word …”" in first


def test_a_product_is_shown_whole_or_by_what_was_asked() -> None:
    assert render(ProductShown(LAMP)).splitlines()[1:] == ["A lamp.", "Power: 5 W"]
    quoted = ProductShown(LAMP, "power", (Quote("power", "Power", "5 W"),))
    assert render(quoted).splitlines()[1:] == ["Power: 5 W"]
    assert render(ProductShown(LAMP, "battery")).splitlines()[1:] == ["The listing does not tell: battery."]


def test_a_comparison_says_what_is_not_stated() -> None:
    rows = (ComparisonRow("Power", ("5 W", None)),)
    assert render(ProductsCompared((LAMP, GONE), rows)).splitlines()[-1] == "Power: 5 W | not stated"
    assert rows[0].differs


def test_a_question_lists_what_it_is_about() -> None:
    assert render(QuestionAsked("Which one?", candidates=(LAMP,))).splitlines()[1].startswith("1. Lumo Desk Lamp")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("de", "Dazu sagt die Beschreibung nichts: battery."),
        ("fr", "La fiche n'en dit rien : battery."),
        ("es", "La ficha no lo indica: battery."),
        ("zh", "商品页没有写明：battery。"),
    ],
)
def test_what_stands_around_the_record_is_said_in_the_shoppers_language(language: str, told: str) -> None:
    assert render(ProductShown(LAMP, "battery"), language=language).splitlines()[1:] == [told]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("said", ["found", "closest"])
def test_the_count_is_read_again_from_what_was_said_in_any_language(language: str, said: str) -> None:
    text = load_lexicon().languages[language].says[said].format(total="{}", wish="mug")
    listed = "\n1. Hill Mug (ID: m1) — 12.00 USD"
    more = decide("show me more", "mug", text.format(12) + listed)
    assert isinstance(more, Search)
    assert more.offset == 1
    assert isinstance(decide("show me more", "mug", text.format(1) + listed), Clarify)


def test_every_language_says_the_same_with_the_same_values() -> None:
    languages = load_lexicon().languages
    fields = {
        code: {key: {name for _, name, _, _ in Formatter().parse(text) if name} for key, text in own.says.items()}
        for code, own in languages.items()
    }
    assert all(own == fields["en"] for own in fields.values())
