"""Words and values of a catalog gathered for corrections and for the vocabulary: slow to make, so made seldom."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from search_client.analysis import TypoCorrector, fold
from search_client.index import schema as fields
from search_client.index.conditions import EVERYBODY, ConditionQueries
from search_client.index.counting import count_of
from search_client.index.facets import facts
from search_client.index.lexicon import Lexicon
from search_client.models import FacetValue, Vocabulary

MAX_WORDS = 60_000
"""Words the corrector knows; rarer words of bigger catalogs are found, but not guessed."""
_OTHER_FACETS = 40
_OTHER_VALUES = 50
_TERMS = 3_000
_QUICK_S = 0.1
_REST = 20.0
"""A slow glossary is made anew after this many times the seconds it took: at most a twentieth of one core."""


@dataclass(frozen=True, slots=True)
class Glossary:
    """What is open to everybody, at one revision."""

    corrector: TypoCorrector
    written: dict[str, str]
    """The most frequent way to write each folded word the corrector knows."""
    vocabulary: Vocabulary


def gather(lexicon: Lexicon) -> Glossary:
    """Reads all words of the catalog: 50 ms at 30,000 products, 1 s at a million."""
    words = lexicon.words(limit=MAX_WORDS)
    written: dict[str, str] = {}
    counts: dict[str, int] = {}
    for word, count in words:
        folded = fold(word)
        written.setdefault(folded, word)
        counts[folded] = counts.get(folded, 0) + count
    for facet in fields.FACETS:
        for value in lexicon.values(facet):
            for word in fold(value.value).split():
                counts.setdefault(word, value.count)
    return Glossary(TypoCorrector(counts.items()), written, _vocabulary(lexicon, words))


def _vocabulary(lexicon: Lexicon, words: list[tuple[str, int]]) -> Vocabulary:
    products = ConditionQueries(lexicon.schema).term(EVERYBODY)
    return Vocabulary(
        revision=lexicon.revision,
        product_count=count_of(lexicon.searcher, products),
        currency=lexicon.currency,
        brands=tuple(lexicon.values("brands")),
        categories=tuple(lexicon.values("categories")),
        colors=tuple(lexicon.values("colors")),
        sizes=tuple(lexicon.values("sizes")),
        attributes=facts(lexicon.searcher, products, names=_OTHER_FACETS, values=_OTHER_VALUES),
        terms=tuple(FacetValue(word, count) for word, count in words[:_TERMS]),
    )


class GlossaryKeeper:
    """The glossary of the newest lexicon. Thread-safe.

    A quick one is made anew for every lexicon. One that takes longer is made in a thread, and the last one serves
    meanwhile: corrections and vocabulary of a big catalog lag some seconds behind its products.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._made: tuple[Lexicon, Glossary] | None = None
        self._made_at = self._cost_s = 0.0
        self._making: threading.Thread | None = None

    def of(self, lexicon: Lexicon) -> Glossary:
        """The glossary of `lexicon`, or the last one while that of a big catalog is made."""
        with self._lock:
            if self._made is None or (self._made[0] is not lexicon and self._cost_s <= _QUICK_S):
                return self._make(lexicon)
            if self._made[0] is not lexicon and self._rested():
                self._making = threading.Thread(target=self._make, args=(lexicon,), name="glossary", daemon=True)
                self._making.start()
            return self._made[1]

    def _rested(self) -> bool:
        busy = self._making is not None and self._making.is_alive()
        return not busy and self._clock() - self._made_at >= _REST * self._cost_s

    def _make(self, lexicon: Lexicon) -> Glossary:
        began = self._clock()
        glossary = gather(lexicon)
        self._made, self._made_at = (lexicon, glossary), self._clock()
        self._cost_s = self._made_at - began
        return glossary
