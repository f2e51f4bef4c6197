"""Everything reading a message rests on: the languages, their spelling, the catalog's words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from search_client.analysis import TypoCorrector, stem
from shopping_agent.offline.ground import Ground
from shopping_agent.offline.lexicon import Lexicon

if TYPE_CHECKING:
    from shopping_agent.offline.clause import Reading
    from shopping_agent.offline.told import Told


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything reading rests on: languages, their spelling, the catalog."""

    lexicon: Lexicon
    spellers: Mapping[str, TypoCorrector]
    """By language, over the words its phrases are made of."""
    ground: Ground
    cues: frozenset[str]
    """Words of phrases and everyday words: never mended."""
    nouns: frozenset[str]
    """Product nouns of all languages."""
    readings: dict[tuple[str, str, str | None], Reading] = field(default_factory=dict)
    """Messages read before: a conversation is read again at every turn. Only saves time."""
    told: dict[str, Told] = field(default_factory=dict)
    """The same for the assistant's turns."""


def is_product_word(norm: str, known: Knowledge) -> bool:
    """Whether a word names a thing that shops sell, in any language or in this catalog."""
    return any(
        word in known.nouns or word in known.ground.category_words or word in known.ground.terms
        for word in {norm, stem(norm)}
    )


def is_thing(norm: str, known: Knowledge) -> bool:
    """Whether a word names a kind of product, and not just something about one."""
    return not is_modifier(norm, known) and any(
        word in known.nouns or word in known.ground.category_words for word in (norm, stem(norm))
    )


def is_modifier(norm: str, known: Knowledge) -> bool:
    """Whether a word only says something about a thing: waterproof, for women."""
    return any(norm in language.modifiers or norm in language.people for language in known.lexicon.languages.values())


_NOISE = re.compile(r"[^aeiouy\d\W]{6,}|^[^aeiouy\d\W]{4,}$|(?P<letter>\w)(?P=letter){2,}\w*")


def is_noise(norm: str, known: Knowledge) -> bool:
    """Whether a word is but keys hit in a row: six consonants together, or one letter over and over."""
    return norm.isascii() and norm.isalpha() and _NOISE.search(norm) is not None and not is_product_word(norm, known)
