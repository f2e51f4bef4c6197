"""What an index knows: which words and values occur, for whom, and how often."""

from __future__ import annotations

import functools
import math

import tantivy

from search_client.index import schema as fields
from search_client.index.conditions import CURRENCY, EVERYBODY, PRODUCT, VISIBLE, ConditionQueries
from search_client.index.counting import count_of
from search_client.models import ANYONE, FacetValue, Shopper

_FACET_VALUES = 1_000
_MILDNESS = 0.7
_USUAL = 7.0


class Lexicon:
    """Knowledge about one searcher's documents; cheap to make. Thread-safe.

    The engine's own frequencies count deleted documents until it merges them away; all figures here do not, so that
    they depend on the catalog alone.
    """

    def __init__(self, schema: tantivy.Schema, searcher: tantivy.Searcher, *, revision: int) -> None:
        self.schema, self.searcher, self.revision = schema, searcher, revision
        self._conditions = ConditionQueries(schema)
        groups = searcher.terms_with_prefix(fields.CONDITION, VISIBLE, limit=2)
        self.restricted = any(term != EVERYBODY for term, _ in groups)
        """Whether some product is not for everybody."""
        self._frequencies: dict[tuple[str, str], int] = {}

    def scope(self, shopper: Shopper) -> tantivy.Query | None:
        """The condition that hides what `shopper` may not see; None where everything is for everybody."""
        return self._conditions.visible(shopper) if self.restricted else None

    def knows(self, field: str, term: str, *, shopper: Shopper = ANYONE) -> bool:
        """Whether some product this shopper may see carries `term`."""
        if not self.frequency(field, term):
            return False
        scope = self.scope(shopper)
        if scope is None:
            return True
        query = tantivy.Query.term_query(self.schema, field, term, "basic")
        both = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, scope)])
        return bool(self.searcher.search(both, limit=1, count=False).hits)

    def frequency(self, field: str, term: str) -> int:
        """The number of products that carry `term`."""
        known = self._frequencies.get((field, term))
        if known is None:
            known = self.searcher.doc_freq(field, term)
            if known and self._holds_deleted:
                known = count_of(self.searcher, tantivy.Query.term_query(self.schema, field, term, "basic"))
            self._frequencies[field, term] = known
        return known

    def rarity(self, term: str) -> float:
        """How much `term` tells one product from another: BM25's inverse frequency, common words less apart."""
        carrying = self.frequency(fields.TEXT, term)
        idf = math.log(1 + (self._size - carrying + 0.5) / (carrying + 0.5))
        return float(idf**_MILDNESS * _USUAL ** (1 - _MILDNESS))

    @functools.cached_property
    def _size(self) -> int:
        return self.frequency(fields.CONDITION, PRODUCT)

    @functools.cached_property
    def _holds_deleted(self) -> bool:
        products = self._conditions.term(PRODUCT)
        return self.searcher.doc_freq(fields.CONDITION, PRODUCT) != count_of(self.searcher, products)

    def beginning_with(self, prefix: str, *, limit: int) -> list[str]:
        """The most frequent title terms, open to everybody, that begin with `prefix` and go on."""
        found = self.searcher.terms_with_prefix(fields.TITLE, prefix, self._open(), limit + 1)
        return [term for term, count in found if count and term != prefix][:limit]

    @functools.cached_property
    def currency(self) -> str | None:
        """The currency of most products open to everybody."""
        found = self.searcher.terms_with_prefix(fields.CONDITION, CURRENCY, self._open(), 1)
        return found[0][0].removeprefix(CURRENCY) if found and found[0][1] else None

    def values(self, facet: str, *, limit: int = _FACET_VALUES) -> list[FacetValue]:
        """Values of a facet of every catalog (`brands`, …) that are open to everybody, most frequent first."""
        found = self.searcher.terms_with_prefix(fields.FACETS[facet], "", self._open(), limit)
        return [FacetValue(value, count) for value, count in found if count]

    def words(self, *, limit: int) -> list[tuple[str, int]]:
        """The most frequent words of titles, brands and categories open to everybody, with the number of products."""
        found = self.searcher.terms_with_prefix(fields.WORDS, "", self._open(), limit)
        return [(word, count) for word, count in found if count]

    def _open(self) -> tantivy.Query | None:
        return self.scope(ANYONE) or (self._conditions.term(PRODUCT) if self._holds_deleted else None)
