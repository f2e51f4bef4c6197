"""Our own questions, and real values of the catalog to answer them with."""

from __future__ import annotations

import re

from search_client.models import Vocabulary
from shopping_agent.results import Choice

OWN_QUESTION = "What kind of product are you looking for?"
WHICH_QUESTION = "I couldn't find that one. Which of these do you mean?"
NOTHING_SHOWN_QUESTION = "I haven't shown you a product yet. What are you looking for?"
NOT_FOUND_QUESTION = "I couldn't find that product here. What are you looking for?"
REFUSED_QUESTION = "I can't help with that one, but I can look things up in this shop: what would you like to find?"
MAX_CHOICES = 6
FACETS = ("category", "brand", "color", "size", "price")

_FIRST_QUESTION = re.compile(r"^.*?[?？؟]", re.DOTALL)


def first_question(text: str) -> str:
    """Up to and with the first question mark: one question at a time can be answered. All of it if it has none."""
    match = _FIRST_QUESTION.search(text)
    return match[0] if match else text


def choices_about(about: str | None, vocabulary: Vocabulary) -> tuple[Choice, ...]:
    """Quick replies made of the catalog's most frequent values of a facet or attribute; none for an unknown one."""
    own = {
        "category": vocabulary.categories,
        "brand": vocabulary.brands,
        "color": vocabulary.colors,
        "size": vocabulary.sizes,
    }
    other = {facet.name.casefold(): facet.values for facet in vocabulary.attributes}
    values = own.get(about or "") or other.get((about or "").replace("_", " "), ())
    return tuple(Choice(label=value.value, message=value.value) for value in values[:MAX_CHOICES])
