"""What an index knows: which words occur, how often, what they are near to, and the catalog's vocabulary."""

from __future__ import annotations

import functools
import threading

import tantivy

from search_client.analysis import TypoCorrector, fold
from search_client.index import schema as fields
from search_client.index.conditions import CURRENCY, EVERYBODY, VISIBLE, ConditionQueries
from search_client.index.counting import count_of
from search_client.index.facets import facts
from search_client.models import ANYONE, FacetValue, Shopper, Vocabulary

MAX_WORDS = 60_000
"""Words the corrector knows: 0.4 s and 15 MB to build; rarer words of bigger catalogs are found, but not guessed."""
_FACET_VALUES = 1_000
_OTHER_FACETS = 40
_OTHER_VALUES = 50
_TERMS = 3_000


class Lexicon:
    """Knowledge about one searcher's documents; each part is gathered when first asked for. Thread-safe."""

    def __init__(self, schema: tantivy.Schema, searcher: tantivy.Searcher, *, revision: int) -> None:
        self._schema, self._searcher, self._revision = schema, searcher, revision
        self._conditions = ConditionQueries(schema)
        self._gathering = threading.Lock()
        groups = searcher.terms_with_prefix(fields.CONDITION, VISIBLE, limit=2)
        self.restricted = any(term != EVERYBODY for term, _ in groups)
        """Whether some product is not for everybody."""

    def scope(self, shopper: Shopper) -> tantivy.Query | None:
        """The condition that hides what `shopper` may not see; None where everything is for everybody."""
        return self._conditions.visible(shopper) if self.restricted else None

    def knows(self, field: str, term: str, *, shopper: Shopper = ANYONE) -> bool:
        """Whether some product this shopper may see carries `term`."""
        if not self._searcher.doc_freq(field, term):
            return False
        scope = self.scope(shopper)
        if scope is None:
            return True
        query = tantivy.Query.term_query(self._schema, field, term, "basic")
        both = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, scope)])
        return bool(self._searcher.search(both, limit=1, count=False).hits)

    def beginning_with(self, prefix: str, *, limit: int) -> list[str]:
        """The most frequent title terms, open to everybody, that begin with `prefix` and go on."""
        found = self._searcher.terms_with_prefix(fields.TITLE, prefix, self._open(), limit + 1)
        return [term for term, count in found if count and term != prefix][:limit]

    @property
    def corrector(self) -> TypoCorrector:
        """Over the words of what is open to everybody."""
        with self._gathering:
            return self._corrector

    @property
    def written(self) -> dict[str, str]:
        """The most frequent way to write each folded word the corrector knows."""
        with self._gathering:
            return self._written

    @property
    def vocabulary(self) -> Vocabulary:
        """What the part of the catalog open to everybody talks about."""
        with self._gathering:
            return self._vocabulary

    @functools.cached_property
    def currency(self) -> str | None:
        """The currency of most products open to everybody."""
        found = self._searcher.terms_with_prefix(fields.CONDITION, CURRENCY, self._open(), 1)
        return found[0][0].removeprefix(CURRENCY) if found and found[0][1] else None

    def values(self, facet: str, *, limit: int = _FACET_VALUES) -> list[FacetValue]:
        """Values of a facet of every catalog (`brands`, …) that are open to everybody, most frequent first."""
        found = self._searcher.terms_with_prefix(fields.FACETS[facet], "", self._open(), limit)
        return [FacetValue(value, count) for value, count in found if count]

    def _open(self) -> tantivy.Query | None:
        return self.scope(ANYONE)

    @functools.cached_property
    def _words(self) -> list[tuple[str, int]]:
        found = self._searcher.terms_with_prefix(fields.WORDS, "", self._open(), MAX_WORDS)
        return [(word, count) for word, count in found if count]

    @functools.cached_property
    def _written(self) -> dict[str, str]:
        written: dict[str, str] = {}
        for word, _ in self._words:
            written.setdefault(fold(word), word)
        return written

    @functools.cached_property
    def _corrector(self) -> TypoCorrector:
        counts: dict[str, int] = {}
        for word, count in self._words:
            counts[fold(word)] = counts.get(fold(word), 0) + count
        for facet in fields.FACETS:
            for value in self.values(facet):
                for word in fold(value.value).split():
                    counts.setdefault(word, value.count)
        return TypoCorrector(counts.items())

    @functools.cached_property
    def _vocabulary(self) -> Vocabulary:
        open_products = self._conditions.term(EVERYBODY)
        return Vocabulary(
            revision=self._revision,
            product_count=count_of(self._searcher, open_products),
            currency=self.currency,
            brands=tuple(self.values("brands")),
            categories=tuple(self.values("categories")),
            colors=tuple(self.values("colors")),
            sizes=tuple(self.values("sizes")),
            attributes=facts(self._searcher, open_products, names=_OTHER_FACETS, values=_OTHER_VALUES),
            terms=tuple(FacetValue(word, count) for word, count in self._words[:_TERMS]),
        )
