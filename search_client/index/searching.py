"""Answers queries from one snapshot of the index."""

from __future__ import annotations

import functools
import itertools
import math
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

import tantivy
from rapidfuzz import fuzz, process

from search_client.analysis import ParsedQuery, Synonyms, fold, parse_query
from search_client.filtering import wanted_values, without_each
from search_client.index import schema as fields
from search_client.index.conditions import PRODUCT, ConditionQueries
from search_client.index.counting import count_of
from search_client.index.engine import Engine, damaged
from search_client.index.facets import facets
from search_client.index.glossary import Glossary, GlossaryKeeper
from search_client.index.lexicon import Lexicon
from search_client.index.matching import Matcher, Weights
from search_client.index.reasons import reason
from search_client.index.wording import Interpreter, Wording
from search_client.models import (
    ANYONE,
    Filters,
    Hit,
    Product,
    Relaxation,
    SearchQuery,
    SearchResults,
    Shopper,
    Sort,
    UnknownValue,
    Vocabulary,
)

_AHEAD = 64
"""Hits read beyond those wanted, among which the equals of the last one mostly end."""
_MOST_TIES = 10_000
"""Of more hits with one and the same score, an arbitrary part is put in order of id."""
_NEAREST = 3
_PLAIN_NUMBER = re.compile(r"\d{1,9}(?:[.,]\d{1,3})?", re.ASCII)
_SHORT = 3
"""Words up to which a model number among them is not given up."""
_ALTERNATIVES_READ = 60
_NEAR_ENOUGH = 60.0


_Ranked = list[tuple[float, tantivy.DocAddress]]


@dataclass(frozen=True, slots=True)
class _Found:
    matches: tantivy.Query
    total: int
    relaxed: bool = False
    """No product carries all the words, or none is what they name."""
    complete: tantivy.Query | None = None
    """Those that do, where `matches` holds others beside them."""


class IndexReader:
    """Answers from the documents one searcher sees; unaffected by later writes. Thread-safe."""

    def __init__(
        self,
        engine: Engine,
        *,
        revision: int,
        synonyms: Synonyms,
        weights: Weights | None = None,
        keeper: GlossaryKeeper | None = None,
    ) -> None:
        """`keeper` is shared by the readers of one catalog, so that what is slow to gather is gathered seldom."""
        self._engine = engine
        self._searcher = engine.index.searcher()
        self._lexicon = Lexicon(engine.schema, self._searcher, revision=revision)
        self._conditions = ConditionQueries(engine.schema)
        self._keeper = keeper or GlossaryKeeper()
        self._interpreter = Interpreter(self._lexicon, synonyms, glossary=self._glossary)
        self._matcher = Matcher(self._lexicon, weights)

    def search(self, query: SearchQuery, *, shopper: Shopper = ANYONE) -> SearchResults:
        """The answer to `query`, whose bounds are checked."""
        parsed = parse_query(query.keywords, exclude=query.exclude)
        if not parsed.words and query.text.strip():
            return SearchResults(query, unknown=self._unknown(query, shopper))
        wording = self._interpreter.read(parsed, shopper=shopper)
        found = self._find(query, parsed, wording, shopper)
        if found is None:
            return SearchResults(
                query,
                corrections=wording.corrections,
                unknown=self._unknown(query, shopper),
                relaxations=self._relaxations(query, shopper),
            )
        return SearchResults(
            query,
            hits=tuple(self._hits(query, found, wording)),
            total=found.total,
            facets=facets(self._searcher, found.matches),
            corrections=wording.corrections,
            unknown=self._unknown(query, shopper),
            relaxed=found.relaxed,
        )

    def product(self, product_id: str) -> Product | None:
        """The product as it was indexed."""
        query = tantivy.Query.term_query(self._engine.schema, fields.ID, product_id, "basic")
        hits = self._searcher.search(query, limit=1, count=False).hits
        return self._product(hits[0][1]) if hits else None

    def alternatives(self, product: Product, *, limit: int, shopper: Shopper = ANYONE) -> tuple[Hit, ...]:
        """Products of the same kind as `product`, in stock first, near in price; without the product itself."""
        kind = self._matcher.same_kind(product)
        if kind is None:
            return ()
        visible = self._lexicon.scope(shopper)
        if visible is not None:
            hidden = tantivy.Query.const_score_query(visible, 0.0)
            kind = tantivy.Query.boolean_query([(tantivy.Occur.Must, kind), (tantivy.Occur.Must, hidden)])
        hits = [Hit(self._product(address), float(score)) for score, address in self._best(kind, 0, _ALTERNATIVES_READ)]
        return tuple(sorted(hits, key=lambda hit: _remoteness(hit, product))[:limit])

    def vocabulary(self) -> Vocabulary:
        """What the part of the catalog open to everybody talks about."""
        return self._glossary().vocabulary

    def _glossary(self) -> Glossary:
        return self._keeper.of(self._lexicon)

    def _find(self, query: SearchQuery, parsed: ParsedQuery, wording: Wording, shopper: Shopper) -> _Found | None:
        """What is found with all words, else with most of them; None where nothing is."""
        matching = functools.partial(
            self._matcher.matches, conditions=self._scope(query, shopper), excluded=parsed.excluded
        )
        complete = matching(wording)
        total = count_of(self._searcher, complete)
        if total and not (query.fill and total < query.offset + query.limit):
            return self._of_kind(query, _Found(complete, total), wording)
        ways = list(_relaxed(wording))
        for looser, least in [(wording, 1)] if query.fill and wording.groups else ways:
            matches = matching(looser, least=least)
            found = count_of(self._searcher, matches)
            if found:
                nearest = _Found(matches, found, relaxed=not total, complete=complete if total else None)
                return self._of_kind(query, nearest, wording)
        return _Found(complete, total) if total else None

    def _of_kind(self, query: SearchQuery, found: _Found, wording: Wording) -> _Found:
        """`found`, told as relaxed where nothing in it is the thing that is named, but only goes with it.

        Sorted by anything but relevance it holds nothing else: the cheapest of all that mentions a TV is a cable.
        """
        being = self._matcher.being(wording)
        if being is None:
            return found
        both = tantivy.Query.boolean_query([(tantivy.Occur.Must, found.matches), (tantivy.Occur.Must, being)])
        total = count_of(self._searcher, both)
        if not total:
            return replace(found, relaxed=True)
        return found if query.sort is Sort.RELEVANCE else replace(found, matches=both, total=total)

    def _scope(self, query: SearchQuery, shopper: Shopper) -> list[tantivy.Query]:
        conditions = self._conditions.filters(query.filters, currency=shopper.currency or self._lexicon.currency)
        visible = self._lexicon.scope(shopper)
        if visible is not None:
            conditions.append(visible)
        if not query.text.strip() and visible is None:
            conditions.append(self._conditions.term(PRODUCT))
        return conditions

    def _hits(self, query: SearchQuery, found: _Found, wording: Wording) -> Iterator[Hit]:
        for score, address in self._page(query, found, wording):
            product = self._product(address)
            yield Hit(product, score, reason(product, wording, query.filters))

    def _page(self, query: SearchQuery, found: _Found, wording: Wording) -> list[tuple[float, tantivy.DocAddress]]:
        """The page's hits in order."""
        start, end = query.offset, query.offset + query.limit
        if wording.groups and query.sort is Sort.RELEVANCE and found.total > 1:
            ranked = self._matcher.ranked(found.matches, wording, relaxed=found.relaxed, complete=found.complete)
            return [(float(score), address) for score, address in self._best(ranked, start, end, by=fields.PRIOR)]
        return [(0.0, address) for address in self._sorted(found.matches, fields.ORDERS[query.sort], start, end)]

    def _best(self, query: tantivy.Query, start: int, end: int, *, by: str | None = None) -> _Ranked:
        """Documents `start` to `end` by score (times the field `by`), equals by id."""
        limit = end + _AHEAD
        while True:
            hits = self._searcher.search(query, limit=limit, count=False, weight_by_field=by).hits
            if len(hits) < limit or hits[-1][0] != hits[end - 1][0] or limit > _MOST_TIES:
                return self._settled(hits, start, end)
            limit *= 4

    def _sorted(self, query: tantivy.Query, field: str, start: int, end: int) -> list[tantivy.DocAddress]:
        """Documents `start` to `end` in ascending order of `field`, equals by id."""
        ascending = functools.partial(self._searcher.search, count=False, order=tantivy.Order.Asc)
        limit = end + _AHEAD
        hits = ascending(query, limit=limit, order_by_field=field).hits
        if len(hits) == limit and hits[-1][0] == (last := hits[end - 1][0]):
            hits = [hit for hit in hits if hit[0] != last]
            same = tantivy.Query.range_query(self._engine.schema, field, tantivy.FieldType.Integer, last, last)
            both = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, same)])
            same_by_id = ascending(both, limit=end - len(hits), order_by_field=fields.ID).hits
            return [address for _, address in self._settled(hits, start, len(hits)) + same_by_id][-(end - start) :]
        return [address for _, address in self._settled(hits, start, end)]

    def _settled(self, hits: _Ranked, start: int, end: int) -> _Ranked:
        """Hits `start` to `end`, those of equal rank by id."""
        ordered: _Ranked = []
        for _, ties in itertools.groupby(hits, key=lambda hit: hit[0]):
            group = list(ties)
            if len(group) > 1 and len(ordered) + len(group) > start:
                group.sort(key=lambda hit: str(self._searcher.doc(hit[1]).get_first(fields.ID)))
            ordered += group
            if len(ordered) >= end:
                break
        return ordered[start:end]

    def _product(self, address: tantivy.DocAddress) -> Product:
        record = self._searcher.doc(address).get_first(fields.RECORD) or b""
        try:
            return self._engine.packer.unpack(bytes(record))
        except (ValueError, zlib.error) as error:
            raise damaged(self._engine.path.parent) from error

    def _unknown(self, query: SearchQuery, shopper: Shopper) -> tuple[UnknownValue, ...]:
        unknown = []
        visible = self._lexicon.scope(shopper)
        for field, values in wanted_values(query.filters).items():
            for value in values:
                parts = [(tantivy.Occur.Must, self._conditions.value(field, value))]
                if visible is not None:
                    parts.append((tantivy.Occur.Must, visible))
                if not count_of(self._searcher, tantivy.Query.boolean_query(parts)):
                    unknown.append(UnknownValue(field, value, self._nearest(query, field, value, shopper)))
        return tuple(unknown)

    def _nearest(self, query: SearchQuery, field: str, value: str, shopper: Shopper) -> tuple[str, ...]:
        """Known values like `value`; for a number those nearest to it among what the words of the query find."""
        number = _number(value)
        if number is not None and query.text.strip():
            stated = self._stated(replace(query, filters=Filters(), offset=0), field, shopper)
            numbers = sorted((abs(each - number), text) for text in stated if (each := _number(text)) is not None)
            if numbers:
                return tuple(text for _, text in numbers[:_NEAREST])
        if field in fields.FACETS:
            known = [each.value for each in self._lexicon.values(field, limit=20_000)]
        else:
            name = field.removeprefix("attributes:").casefold()
            known = [
                each.value
                for facet in self._glossary().vocabulary.attributes
                if facet.name.casefold() == name
                for each in facet.values
            ]
        near = process.extract(
            value, known, scorer=fuzz.WRatio, processor=fold, limit=_NEAREST, score_cutoff=_NEAR_ENOUGH
        )
        return tuple(text for text, _, _ in near)

    def _stated(self, query: SearchQuery, field: str, shopper: Shopper) -> list[str]:
        """The values that most of what `query` finds state under `field`."""
        parsed = parse_query(query.keywords, exclude=query.exclude)
        found = self._find(query, parsed, self._interpreter.read(parsed, shopper=shopper), shopper)
        name = field.removeprefix("attributes:").casefold()
        every = facets(self._searcher, found.matches) if found else ()
        return [each.value for facet in every if facet.name.casefold() == name for each in facet.values]

    def _relaxations(self, query: SearchQuery, shopper: Shopper) -> tuple[Relaxation, ...]:
        found = []
        for field, value, looser in _looser(query):
            if not (looser.keywords or looser.filters):
                continue  # nothing is left of the wish: every product would be "found"
            parsed = parse_query(looser.keywords, exclude=looser.exclude)
            if looser.text.strip() and not parsed.words:
                continue
            wording = self._interpreter.read(parsed, shopper=shopper)
            answer = self._find(looser, parsed, wording, shopper)
            if answer is not None:
                found.append(Relaxation(field, value, looser, answer.total))
        return tuple(sorted(found, key=lambda relaxation: -relaxation.total))


def _relaxed(wording: Wording) -> Iterator[tuple[Wording, int]]:
    """Ever looser demands: without what the catalog never heard of, then fewer and fewer of the rest, at least half."""
    unknown = [group for group in wording.groups if not group.known]
    known = wording.without(unknown)
    count = len(known.groups)
    if not count or (count == 1 and len(wording.groups) > 3):
        return
    if len(wording.groups) <= _SHORT and any(group.is_model for group in wording.groups):
        return  # `nova 15` where there is only a `nova 12`
    if unknown:
        yield known, count
    for least in range(count - 1, max(0, math.ceil(count / 2) - 1), -1):
        yield known, least


def _looser(query: SearchQuery) -> Iterator[tuple[str, str, SearchQuery]]:
    """The query without each single wish, as (field, value, query)."""
    for field, value, filters in without_each(query.filters):
        yield field, value, replace(query, filters=filters, offset=0)
    words = query.keywords if len(query.keywords) > 1 or '"' in query.text else tuple(query.text.split())
    for word in dict.fromkeys(words):
        rest = tuple(other for other in words if other != word)
        yield "keywords", word, replace(query, keywords=rest, offset=0)
    for word in dict.fromkeys(query.exclude):
        rest = tuple(other for other in query.exclude if other != word)
        yield "exclude", word, replace(query, exclude=rest, offset=0)


def _number(text: str) -> float | None:
    return float(text.replace(",", ".")) if _PLAIN_NUMBER.fullmatch(text) else None


def _remoteness(hit: Hit, wanted: Product) -> tuple[bool, float, float, str]:
    """Orders alternatives: what can be bought, then price within a quarter, a half, …, then likeness, then id."""
    distance = math.inf
    price, reference = hit.product.price, wanted.price
    if price and reference and price.currency == reference.currency and min(price.amount, reference.amount) > 0:
        distance = float(int(abs(math.log(price.amount / reference.amount)) / math.log(1.25)))
    return not hit.product.availability.buyable, distance, -hit.score, hit.product.id
