"""A wording as an engine query: what must match, and what lifts one match above another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import tantivy

from search_client.analysis import Chunk, kind_terms, terms_of
from search_client.index import schema as fields
from search_client.index.conditions import term_of
from search_client.index.wording import STANDING, Group, Option, Wording
from search_client.models import Product

_BEST_OF = (fields.TITLE, fields.STATED, fields.PROSE)
_UNSCORED = frozenset({fields.KIND, fields.SHELF, fields.EXTRA, fields.CONDITION, fields.CODE, fields.ID})
MUST, SHOULD, NOT = tantivy.Occur.Must, tantivy.Occur.Should, tantivy.Occur.MustNot


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much; chosen on judged queries, in fifths, by `tests/evals/relevance.py`."""

    best_field: float = 1.0
    """BM25 of a word in the field where it stands out most: title, what is stated, or all the prose."""
    prose: float = 0.7
    """BM25 of a word in title and description as one text."""
    brand: float = 0.3
    kind: float = 3.0
    """A word that says what the product is."""
    last: float = 1.5
    """Times `kind` for the last word, which in English says what is wanted: a coffee mug is a mug."""
    shelf: float = 1.2
    """A word that names its category."""
    synonym_kind: float = 2.0
    """Times the weight of the synonym: what a synonym that says what the product is counts of `kind`."""
    complete: float = 2.0
    """For each word, where all are there: lifts complete matches above those that fill a page."""
    together: float = 0.5
    """All words side by side, in order, in title or description."""
    code: float = 50.0
    """The whole query is a number the product goes by."""
    optional: float = 0.1


class Matcher:
    """Builds queries for one schema."""

    def __init__(self, schema: tantivy.Schema, weights: Weights | None = None) -> None:
        self._schema = schema
        self._weights = weights or Weights()

    def matches(
        self,
        wording: Wording,
        *,
        conditions: Iterable[tantivy.Query],
        excluded: Iterable[tuple[Chunk, ...]],
        least: int | None = None,
    ) -> tantivy.Query:
        """Products that meet every group (`least` of them, where given) and every condition."""
        groups = [self._group(group) for group in wording.groups]
        parts = [(MUST, tantivy.Query.const_score_query(condition, 0.0)) for condition in conditions]
        parts += [(NOT, self._carries(phrase)) for phrase in excluded]
        if least is None:
            parts += [(MUST, group) for group in groups]
        elif groups:
            any_of = [(SHOULD, group) for group in groups]
            parts.append((MUST, tantivy.Query.boolean_query(any_of, minimum_number_should_match=least)))
        return tantivy.Query.boolean_query(parts)

    def ranked(
        self, matches: tantivy.Query, wording: Wording, *, complete: tantivy.Query | None = None
    ) -> tantivy.Query:
        """`matches` with all that lifts a better match; those among `complete` are lifted most."""
        weights = self._weights
        last = len(wording.groups) - 1
        lifts = [lift for at, group in enumerate(wording.groups) for lift in self._lifts(group, last=0 < at == last)]
        if complete is not None:
            lifts.append(tantivy.Query.const_score_query(complete, weights.complete * len(wording.groups)))
        for word in wording.optional:
            lifts += [
                tantivy.Query.boost_query(self._term(fields.PROSE, term), weights.optional) for term in word.chunk.terms
            ]
        terms = [term for group in wording.groups for term in group.options[0].terms]
        if len(terms) > 1:
            phrase = tantivy.Query.phrase_query(self._schema, fields.PROSE, list(terms))
            lifts.append(tantivy.Query.boost_query(phrase, weights.together))
        whole = "".join(char for group in wording.groups for char in group.typed if char.isalnum())
        if whole:
            code = tantivy.Query.term_query(self._schema, fields.CODE, whole, "basic")
            lifts.append(tantivy.Query.const_score_query(code, weights.code))
        return tantivy.Query.boolean_query(
            [(MUST, tantivy.Query.const_score_query(matches, 0.0)), *((SHOULD, lift) for lift in lifts)]
        )

    def same_kind(self, product: Product) -> tantivy.Query | None:
        """Other products of the kind of `product`, those most like it first; None where its record names no kind."""
        if product.category:
            kind = tantivy.Query.term_query(
                self._schema, fields.CONDITION, term_of("categories", product.category[-1]), "basic"
            )
        else:
            terms = kind_terms(product)
            if not terms:
                return None
            kind = tantivy.Query.boolean_query([(SHOULD, self._term(fields.KIND, term)) for term in terms])
        itself = tantivy.Query.term_query(self._schema, fields.ID, product.id, "basic")
        like = [(SHOULD, self._term(fields.TITLE, term)) for term in dict.fromkeys(terms_of(product.title).split())]
        return tantivy.Query.boolean_query([(MUST, kind), (NOT, itself), *like])

    def _lifts(self, group: Group, *, last: bool) -> list[tantivy.Query]:
        """What adds up to the score of a product for one group: that of its best option."""
        options = [self._parts(option, last=last) for option in group.options]
        if len(options) == 1:
            return options[0]  # flat: every level of a query costs each matching product some 30 ns
        return [tantivy.Query.disjunction_max_query([_any(parts) for parts in options])]

    def _parts(self, option: Option, *, last: bool) -> list[tantivy.Query]:
        weights = self._weights
        share = option.weight / len(option.terms)
        parts = []
        for term in option.terms:
            best = tantivy.Query.disjunction_max_query([self._term(field, term) for field in _BEST_OF])
            parts.append(tantivy.Query.boost_query(best, weights.best_field * share))
            for field, weight in ((fields.PROSE, weights.prose), (fields.MAKER, weights.brand)):
                parts.append(tantivy.Query.boost_query(self._term(field, term), weight * share))
        # A synonym is told by what the product is more than by its words: those of a rarer word would weigh more.
        told = min(1.0, weights.synonym_kind * option.weight) * (weights.last if last else 1.0)
        for field, weight in ((fields.KIND, weights.kind), (fields.SHELF, weights.shelf)):
            parts.append(tantivy.Query.const_score_query(self._term(field, option.terms[-1]), weight * told))
        return parts

    def _group(self, group: Group) -> tantivy.Query:
        return _any([self._option(option) for option in group.options])

    def _option(self, option: Option) -> tantivy.Query:
        if option.phrase and len(option.terms) > 1:
            return _any(
                [tantivy.Query.phrase_query(self._schema, field, list(option.terms)) for field in option.fields]
            )
        words = [_any([self._term(field, term) for field in option.fields]) for term in option.terms]
        return words[0] if len(words) == 1 else tantivy.Query.boolean_query([(MUST, word) for word in words])

    def _carries(self, phrase: tuple[Chunk, ...]) -> tantivy.Query:
        """Products whose title, brand, category or attributes carry all words of `phrase`."""
        parts = [(MUST, self._group(Group((), tuple(Option(r, STANDING) for r in chunk.readings)))) for chunk in phrase]
        return tantivy.Query.boolean_query(parts)

    def _term(self, field: str, term: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, field, term, "basic" if field in _UNSCORED else "freq")


def _any(queries: list[tantivy.Query]) -> tantivy.Query:
    return queries[0] if len(queries) == 1 else tantivy.Query.boolean_query([(SHOULD, query) for query in queries])
