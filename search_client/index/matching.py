"""A wording as an engine query: what must match, and what lifts one match above another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import tantivy

from search_client.analysis import Chunk, chief, kind_terms, names_goods, terms_of
from search_client.index import schema as fields
from search_client.index.conditions import term_of
from search_client.index.lexicon import Lexicon
from search_client.index.merit import MENTIONED, worth_of
from search_client.index.wording import STANDING, Group, Option, Wording
from search_client.models import Product

_GRAIN = 4096
"""Scores are multiples of 1 / 4096: sums of them are exact below 4096, so the order of adding them cannot show."""
MUST, SHOULD, NOT = tantivy.Occur.Must, tantivy.Occur.Should, tantivy.Occur.MustNot


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts beside the merit of a word; chosen on judged queries, in fifths, by `tests/evals/relevance.py`."""

    kind: float = 0.25
    """A word that says what the product is."""
    chief: float = 1.0
    """The same, and before anything else."""
    thing: float = 3.0
    """What the product is before anything else is the last name of goods that was said, or a synonym of it."""
    last: float = 1.25
    """Times `kind` for the last word, which in English says what is wanted: a coffee mug is a mug."""
    shelf: float = 0.4
    """A word that names its category."""
    synonym_kind: float = 2.0
    """Times the weight of the synonym: what a synonym that says what the product is counts of `kind`."""
    complete: float = 1.0
    """For each word, where all are there: lifts complete matches above those that fill a page."""
    together: float = 0.25
    """All words side by side, in order, in title or description."""
    code: float = 50.0
    """The whole query is a number the product goes by."""
    optional: float = 0.1


class Matcher:
    """Builds queries for one lexicon. What they score depends on the catalog alone, not on how its index grew."""

    def __init__(self, lexicon: Lexicon, weights: Weights | None = None) -> None:
        self._schema, self._rarity = lexicon.schema, lexicon.rarity
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
        parts = [(MUST, _worth(condition, 0.0)) for condition in conditions]
        parts += [(NOT, self._carries(phrase)) for phrase in excluded]
        if least is None:
            parts += [(MUST, group) for group in groups]
        elif groups:
            any_of = [(SHOULD, group) for group in groups]
            parts.append((MUST, tantivy.Query.boolean_query(any_of, minimum_number_should_match=least)))
        return tantivy.Query.boolean_query(parts)

    def ranked(
        self,
        matches: tantivy.Query,
        wording: Wording,
        *,
        relaxed: bool = False,
        complete: tantivy.Query | None = None,
    ) -> tantivy.Query:
        """`matches` with all that lifts a better match; those among `complete` are lifted most."""
        weights = self._weights
        last = len(wording.groups) - 1
        lifts = [
            lift
            for at, group in enumerate(wording.groups)
            for lift in self._lifts(group, last=0 < at == last, surely=complete is None and not relaxed)
        ]
        things = [self._term(fields.KIND, chief(name)) for name in _goods_named(wording)]
        if things:
            lifts.append(_worth(_any(things), weights.thing))
        if complete is not None:
            lifts.append(_worth(complete, weights.complete * len(wording.groups)))
        for word in wording.optional:
            lifts += [
                _worth(self._term(fields.TEXT, term), weights.optional * self._rarity(term))
                for term in word.chunk.terms
            ]
        terms = [term for group in wording.groups for term in group.options[0].terms]
        if len(terms) > 1:
            phrase = tantivy.Query.phrase_query(self._schema, fields.TEXT, list(terms))
            lifts.append(_worth(phrase, weights.together * sum(map(self._rarity, terms))))
        whole = "".join(char for group in wording.groups for char in group.typed if char.isalnum())
        if whole:
            lifts.append(_worth(self._term(fields.CODE, whole), weights.code))
        return tantivy.Query.boolean_query([(MUST, _worth(matches, 0.0)), *((SHOULD, lift) for lift in lifts)])

    def being(self, wording: Wording) -> tantivy.Query | None:
        """Products that are what the last name of goods in `wording` says; None where it holds no such name."""
        names = _goods_named(wording)
        return _any([self._term(fields.KIND, name) for name in names]) if names else None

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
            kind = _any([self._term(fields.KIND, term) for term in terms])
        itself = self._term(fields.ID, product.id)
        titled = dict.fromkeys(terms_of(product.title).split())
        like = [(SHOULD, _worth(self._term(fields.TITLE, term), self._rarity(term))) for term in titled]
        return tantivy.Query.boolean_query([(MUST, _worth(kind, 0.0)), (NOT, itself), *like])

    def _lifts(self, group: Group, *, last: bool, surely: bool) -> list[tantivy.Query]:
        """What adds up to the score of a product for one group: that of its best option.

        `surely`: every product meets the group, so that what all of them get for it can be left out.
        """
        if len(group.options) == 1:  # flat: every level of a query costs each matching product some 30 ns
            return self._parts(group.options[0], last=last, surely=surely)
        parts = [self._parts(option, last=last, surely=False) for option in group.options]
        return [tantivy.Query.disjunction_max_query([_any(each) for each in parts])]

    def _parts(self, option: Option, *, last: bool, surely: bool) -> list[tantivy.Query]:
        weights = self._weights
        share = option.weight / len(option.terms)
        rarity = [self._rarity(term) for term in option.terms]
        parts = [] if surely else [_worth(self._option(option), MENTIONED * share * sum(rarity))]
        for term, rare in zip(option.terms, rarity, strict=True):
            for token, worth in worth_of(term, exactly=option.weight == 1.0):
                parts.append(_worth(self._term(fields.MERIT, token), worth * share * rare))
        # A synonym is told by what the product is more than by its words: those of a rarer word would weigh more.
        told = min(1.0, weights.synonym_kind * option.weight) * (weights.last if last else 1.0)
        name = option.terms[-1]
        for field, term, weight in (
            (fields.KIND, name, weights.kind),
            (fields.KIND, chief(name), weights.chief),
            (fields.SHELF, name, weights.shelf),
        ):
            parts.append(_worth(self._term(field, term), weight * told))
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
        return tantivy.Query.term_query(self._schema, field, term, "basic")


def _goods_named(wording: Wording) -> list[str]:
    """The last name of goods, with its synonyms."""
    for group in reversed(wording.groups):
        if any(names_goods(option.terms[-1]) for option in group.options):
            return list(dict.fromkeys(option.terms[-1] for option in group.options))
    return []


def _worth(query: tantivy.Query, score: float) -> tantivy.Query:
    """`query` with one score for all it finds."""
    return tantivy.Query.const_score_query(query, round(score * _GRAIN) / _GRAIN)


def _any(queries: list[tantivy.Query]) -> tantivy.Query:
    return queries[0] if len(queries) == 1 else tantivy.Query.boolean_query([(SHOULD, query) for query in queries])
