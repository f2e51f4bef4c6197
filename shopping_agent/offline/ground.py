"""What this catalog knows, shaped for look-up by folded words: brands, colours, sizes, categories, terms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from search_client.analysis import TypoCorrector, fold, stem
from search_client.models import FacetValue, Vocabulary

MAX_BRAND_WORDS = 4
_PARTS = re.compile(r"&|,| and ")


@dataclass(frozen=True, slots=True)
class Ground:
    """Built once a catalog revision; every look-up is one dictionary access."""

    _brands: Mapping[str, str]
    _colors: Mapping[str, str]
    _sizes: Mapping[str, str]
    terms: frozenset[str]
    """Words of titles, categories and attribute values."""
    category_words: frozenset[str]
    values: frozenset[str]
    """Single words that are values of options or attributes: cotton, waterproof."""
    kinds: Mapping[str, str]
    """Stem of a kind of thing to the smallest category that is named so: phone to Phones."""
    longest_brand: int
    speller: TypoCorrector
    """Over product nouns, those of this catalog and the common ones."""

    def brand(self, folded: str, *, typed: str) -> str | None:
        """The brand in the catalog's spelling. A brand that is an everyday word counts only when capitalised."""
        found = self._brands.get(folded)
        if found and (folded in self.category_words or len(folded) < 3) and not typed[:1].isupper():
            return None
        return found

    def colors(self, typed: str, english: str) -> list[str]:
        """The catalog's value for a colour, beside the typed word where that differs; else the typed word."""
        exact = self._colors.get(fold(typed))
        if exact:
            return [exact]
        known = self._colors.get(english)
        plain = fold(typed) == english or fold(typed).split()[-1:] == [english]
        return [typed] if not known or " " in typed else ([known] if plain else [known, typed])

    def sizes(self, typed: str, letter: str) -> list[str]:
        """The catalog's value for a size, beside the typed one where that differs; else as typed."""
        exact = self._sizes.get(fold(typed))
        if exact:
            return [exact]
        known = self._sizes.get(letter) if letter else None
        return [known, typed] if known else [typed]


def _by_fold(values: Iterable[FacetValue]) -> dict[str, str]:
    table: dict[str, str] = {}
    for value in values:
        table.setdefault(fold(value.value), value.value)
    return table


def _single_words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(
        word for text in texts for word in fold(text).replace("&", " ").replace(",", " ").split() if len(word) > 2
    )


def _kinds(categories: Iterable[str]) -> dict[str, str]:
    """`Tablets & E-Readers` is where tablets are. Categories come the largest first, so the smallest one stays."""
    named = {}
    for category in categories:
        for part in _PARTS.split(fold(category)):
            named[stem(part.strip())] = category
    return named


def ground(vocabulary: Vocabulary, *, nouns: frozenset[str] = frozenset()) -> Ground:
    """The look-up tables of a vocabulary; `nouns` are those that any shop may sell."""
    brands = {
        name: value for name, value in _by_fold(vocabulary.brands).items() if len(name.split()) <= MAX_BRAND_WORDS
    }
    categories = _single_words(value.value for value in vocabulary.categories)
    return Ground(
        _brands=brands,
        _colors=_by_fold(vocabulary.colors),
        _sizes=_by_fold(vocabulary.sizes),
        terms=frozenset(fold(term.value) for term in vocabulary.terms) | categories,
        category_words=categories,
        values=_single_words(value.value for facet in vocabulary.attributes for value in facet.values),
        speller=TypoCorrector((word, 1) for word in sorted(categories | nouns)),
        kinds=_kinds(value.value for value in vocabulary.categories),
        longest_brand=max((len(name.split()) for name in brands), default=0),
    )
