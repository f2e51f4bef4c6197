"""Our own questions pass the rule that models' questions must pass."""

from __future__ import annotations

import pytest

from search_client.models import Facet, FacetValue, Vocabulary
from shopping_agent import questions
from shopping_agent.guard import check_question
from shopping_agent.questions import choices_about, first_question

OURS = [getattr(questions, name) for name in dir(questions) if name.endswith("_QUESTION") and name[0] != "_"]


@pytest.mark.parametrize("question", OURS)
def test_our_own_questions_may_be_asked(question: str) -> None:
    assert check_question(first_question(question)) == question


def test_quick_replies_are_real_values_of_the_catalog() -> None:
    shop = Vocabulary(
        colors=tuple(FacetValue(f"c{n}", 1) for n in range(20)),
        attributes=(Facet("Skin Type", (FacetValue("Dry", 3),)),),
    )
    assert [choice.label for choice in choices_about("color", shop)] == ["c0", "c1", "c2", "c3", "c4", "c5"]
    assert [choice.message for choice in choices_about("skin_type", shop)] == ["Dry"]
    assert choices_about("mood", shop) == choices_about(None, shop) == ()


@pytest.mark.parametrize(
    ("text", "first"), [("A? B?", "A?"), ("您要什么？还有？", "您要什么？"), ("no question", "no question")]
)
def test_the_first_of_several_questions_is_asked(text: str, first: str) -> None:
    assert first_question(text) == first
