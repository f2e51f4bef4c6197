"""Doubles for tests: a catalog in memory that follows the `SearchClient` contract with plain word matching."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from difflib import get_close_matches

from search_client.errors import CatalogError, InvalidQueryError, ProductNotFoundError, SearchClientError
from search_client.filtering import known_values, meets, says, sort_key, wanted_values, without_each, words_of
from search_client.models import (
    ANYONE,
    Facet,
    FacetValue,
    Hit,
    MatchReason,
    Product,
    Relaxation,
    SearchQuery,
    SearchResults,
    Shopper,
    Sort,
    UnknownValue,
    Vocabulary,
)

MAX_LIMIT = 100
MAX_OFFSET = 10_000
_FACET_VALUES = 20
_WEIGHTS = {"title": 4.0, "category": 2.0, "brand": 2.0, "attributes": 1.0, "description": 0.5, "id": 4.0}
_NOT_OTHER = {"color", "colour", "colors", "colours", "size", "sizes"}


class FakeSearchClient:
    """A deterministic `SearchClient` over a few products, without an engine, a file or a clock.

    Words match whole, without case, accents and the plural s; nothing is corrected and no synonym is known. Strict: two
    products with one id, and any call after `close()`, are errors. Set `error` to have every call raise it: an outage.
    """

    def __init__(self, products: Iterable[Product] = (), *, revision: int = 1) -> None:
        self.error: SearchClientError | None = None
        """Raised by every call while set."""
        self._products: dict[str, Product] = {}
        self._revision = revision
        self._closed = False
        for product in products:
            if product.id in self._products:
                raise ValueError(f"two products with the id {product.id!r}")
            self._products[product.id] = product

    def search(self, query: SearchQuery, *, shopper: Shopper = ANYONE) -> SearchResults:
        self._answer()
        if not 1 <= query.limit <= MAX_LIMIT:
            raise InvalidQueryError(f"limit {query.limit!r} is not within 1 to {MAX_LIMIT}.")
        if not 0 <= query.offset <= MAX_OFFSET:
            raise InvalidQueryError(f"offset {query.offset!r} is not within 0 to {MAX_OFFSET:,}.")
        hits, relaxed = self._find(query, shopper)
        return SearchResults(
            query=query,
            hits=tuple(hits[query.offset : query.offset + query.limit]),
            total=len(hits),
            facets=_facets([hit.product for hit in hits]),
            unknown=self._unknown(query, shopper),
            relaxed=relaxed,
            relaxations=() if hits else self._relaxations(query, shopper),
        )

    def get_product_details(self, product_id: str, *, shopper: Shopper = ANYONE) -> Product:
        self._answer()
        product = self._products.get(product_id)
        if product is None or not shopper.may_see(product):
            raise ProductNotFoundError(product_id)
        return product

    def alternatives(self, product_id: str, *, limit: int = 4, shopper: Shopper = ANYONE) -> tuple[Hit, ...]:
        wanted = self.get_product_details(product_id, shopper=shopper)
        same_kind = [
            product
            for product in self._visible(shopper)
            if product.id != wanted.id and product.category and product.category[-1:] == wanted.category[-1:]
        ]
        same_kind.sort(key=lambda product: _distance(product, wanted))
        return tuple(Hit(product) for product in same_kind[:limit])

    def vocabulary(self) -> Vocabulary:
        self._answer()
        products = self._visible(ANYONE)
        names = Counter(name for product in products for name in _other_names(product))
        terms = Counter(word for product in products for word in _term_set(product))
        return Vocabulary(
            revision=self._revision,
            product_count=len(products),
            currency=_main_currency(products),
            brands=_count(products, "brands"),
            categories=_ranked(Counter(name for product in products for name in set(product.category))),
            colors=_count(products, "colors"),
            sizes=_count(products, "sizes"),
            attributes=tuple(Facet(value.value, _count(products, value.value)) for value in _ranked(names)),
            terms=_ranked(terms),
        )

    def close(self) -> None:
        self._closed = True

    def _answer(self) -> None:
        if self._closed:
            raise CatalogError("This client is closed; open another one.")
        if self.error is not None:
            raise self.error

    def _visible(self, shopper: Shopper) -> list[Product]:
        return [product for product in self._products.values() if shopper.may_see(product)]

    def _find(self, query: SearchQuery, shopper: Shopper) -> tuple[list[Hit], bool]:
        visible = self._visible(shopper)
        currency = query.filters.currency or shopper.currency or _main_currency(visible)
        fitting = [
            product
            for product in visible
            if meets(product, query.filters, currency=currency) and not _excluded(product, query.exclude)
        ]
        words = tuple(dict.fromkeys(words_of(query.text)))
        if not words:
            hits = [Hit(product) for product in fitting] if not query.text.strip() else []
            return _ordered(hits, query.sort), False
        hits = [hit for hit in (_match(product, words) for product in fitting) if hit.why.words]
        complete = [hit for hit in hits if not hit.why.missing]
        most = [hit for hit in hits if 2 * len(hit.why.words) >= len(words)]
        if complete and query.fill and len(complete) < query.offset + query.limit:
            return _ordered(complete, query.sort) + _ordered(
                [hit for hit in most if hit.why.missing], query.sort
            ), False
        if complete:
            return _ordered(complete, query.sort), False
        return _ordered(most, query.sort), bool(most)

    def _unknown(self, query: SearchQuery, shopper: Shopper) -> tuple[UnknownValue, ...]:
        visible = self._visible(shopper)
        unknown = []
        for field, values in wanted_values(query.filters).items():
            known = sorted({value for product in visible for value in known_values(product, field)})
            for value in values:
                if not any(says(have, value, field=field) for have in known):
                    near = get_close_matches(value.casefold(), [have.casefold() for have in known], n=3)
                    unknown.append(UnknownValue(field, value, tuple(have for have in known if have.casefold() in near)))
        return tuple(unknown)

    def _relaxations(self, query: SearchQuery, shopper: Shopper) -> tuple[Relaxation, ...]:
        looser = [
            (field, value, replace(query, filters=less, offset=0)) for field, value, less in without_each(query.filters)
        ]
        for word in dict.fromkeys(query.keywords):
            rest = tuple(other for other in query.keywords if other != word)
            looser.append(("keywords", word, replace(query, keywords=rest, offset=0)))
        for word in dict.fromkeys(query.exclude):
            rest = tuple(other for other in query.exclude if other != word)
            looser.append(("exclude", word, replace(query, exclude=rest, offset=0)))
        found = [
            Relaxation(field, value, less, len(self._find(less, shopper)[0]))
            for field, value, less in looser
            if less.keywords or less.filters  # else nothing is left of the wish: every product would be "found"
        ]
        return tuple(sorted((each for each in found if each.total), key=lambda each: -each.total))


def _fields(product: Product) -> dict[str, str]:
    stated = [text for pair in product.attributes for text in pair]
    stated += [text for name, values in product.options for text in (name, *values)]
    codes = [product.id, product.sku, product.gtin, product.mpn]
    codes += [code for variant in product.variants for code in (variant.id, variant.sku, variant.gtin)]
    return {
        "title": product.title,
        "category": " ".join(product.category),
        "brand": product.brand or "",
        "attributes": " ".join([*stated, *product.tags]),
        "description": product.description,
        "id": " ".join(code for code in codes if code),
    }


def _match(product: Product, words: tuple[str, ...]) -> Hit:
    fields = {name: set(words_of(text)) for name, text in _fields(product).items()}
    where = {word: [name for name, have in fields.items() if word in have] for word in words}
    score = sum(max((_WEIGHTS[name] for name in names), default=0.0) for names in where.values())
    return Hit(
        product,
        score,
        MatchReason(
            words=tuple(word for word in words if where[word]),
            missing=tuple(word for word in words if not where[word]),
            fields=tuple(name for name in fields if any(name in names for names in where.values())),
        ),
    )


def _excluded(product: Product, phrases: tuple[str, ...]) -> bool:
    fields = _fields(product)
    carried = set(words_of(" ".join(fields[name] for name in ("title", "category", "brand", "attributes"))))
    return any(words and set(words) <= carried for words in map(words_of, phrases))


def _ordered(hits: list[Hit], sort: Sort) -> list[Hit]:
    amounts: dict[Sort, Callable[[Product], float | None]] = {
        Sort.PRICE_ASC: lambda product: product.price.amount if product.price else None,
        Sort.PRICE_DESC: lambda product: product.price.amount if product.price else None,
        Sort.RATING: lambda product: product.rating,
    }
    if sort in amounts:
        return sorted(hits, key=lambda hit: sort_key(amounts[sort], hit.product, down=sort is not Sort.PRICE_ASC))
    by_id = sorted(hits, key=lambda hit: hit.product.id)
    if sort is Sort.NEWEST:
        return sorted(by_id, key=lambda hit: hit.product.added_at or "", reverse=True)
    return sorted(by_id, key=lambda hit: (-hit.score, not hit.product.availability.buyable))


def _distance(product: Product, wanted: Product) -> tuple[bool, float, str]:
    near = float("inf")
    if product.price and wanted.price and product.price.currency == wanted.price.currency:
        near = abs(product.price.amount - wanted.price.amount)
    return not product.availability.buyable, near, product.id


def _facets(products: list[Product]) -> tuple[Facet, ...]:
    names = ["brands", "categories", "colors", "sizes"]
    names += [value.value for value in _ranked(Counter(name for each in products for name in _other_names(each)))]
    facets = (Facet(name, _count(products, name)) for name in names)
    return tuple(facet for facet in facets if facet.values)


def _count(products: Iterable[Product], field: str) -> tuple[FacetValue, ...]:
    if field == "categories":
        return _ranked(Counter(name for product in products for name in set(product.category)))
    return _ranked(Counter(value for product in products for value in known_values(product, field)))


def _ranked(counts: Counter[str]) -> tuple[FacetValue, ...]:
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(FacetValue(value, count) for value, count in ranked[:_FACET_VALUES])


def _other_names(product: Product) -> set[str]:
    names = {name for name, _ in product.attributes} | {name for name, _ in product.options}
    return {name for name in names if name.casefold() not in _NOT_OTHER}


def _term_set(product: Product) -> set[str]:
    return {word.casefold() for word in f"{product.title} {' '.join(product.category)}".split()}


def _main_currency(products: Iterable[Product]) -> str | None:
    counts = Counter(product.price.currency for product in products if product.price)
    return min(counts, key=lambda code: (-counts[code], code)) if counts else None
