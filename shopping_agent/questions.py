"""Our own questions, and real values of the catalog to answer them with."""

from __future__ import annotations

from search_client.models import Vocabulary
from shopping_agent.results import Choice

OWN_QUESTION = "What kind of product are you looking for?"
MAX_CHOICES = 6


def choices_about(about: str | None, vocabulary: Vocabulary) -> tuple[Choice, ...]:
    """Quick replies made of the catalog's most frequent values of a facet; none for an unknown facet."""
    values = {
        "category": vocabulary.categories,
        "brand": vocabulary.brands,
        "color": vocabulary.colors,
        "size": vocabulary.sizes,
    }.get(about or "", ())
    return tuple(Choice(label=value.value, message=value.value) for value in values[:MAX_CHOICES])
