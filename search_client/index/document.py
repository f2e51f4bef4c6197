"""A product as a document of the index."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable
from typing import Any, TypeAlias

import tantivy

from search_client.analysis import fold, kind_terms, shelf_terms, terms_of
from search_client.filtering import known_values
from search_client.index import schema as fields
from search_client.index.conditions import all_facts, conditions_of, other_facts
from search_client.index.merit import merit_tokens
from search_client.models import Money, Product, Sort, currency_exponent

Note: TypeAlias = tuple[str, str, Any]
"""How a value is added, the field, and the value."""

MAX_TEXT_CHARS = 20_000
"""Of a description; what stands after it is not searched."""
_YES = frozenset({"yes", "true", "y", "ja", "oui", "si", "included"})
_NAMES = frozenset({"name", "title", "product name", "model name", "short name"})
_NO = frozenset({"no", "false", "n", "nein", "non", "none", "not included"})
_NEGATED = re.compile(
    r"(?<![^\W_])(?:no|non|not|without|ohne|sans|sin)[ -]+[^\W_]+|(?<![^\W_])[^\W_]+[ -]free(?![^\W_])"
)
_DENIES = re.compile(r"(?i)(?<![^\W_])(?:no|non|not|without|ohne|sans|sin|free)(?![^\W_])")
_NO_DIGIT = re.compile(r"\D+", re.ASCII)
_MIN_STUFFED = 8
_SORTS = tuple(
    fields.ORDERS[sort] for sort in (Sort.PRICE_ASC, Sort.PRICE_DESC, Sort.RATING, Sort.NEWEST, Sort.RELEVANCE)
)
_WRITTEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


class Noted:
    """What a document is to hold, as plain values that another process can make it from."""

    def __init__(self) -> None:
        self.notes: list[Note] = []

    def add_text(self, field: str, value: str) -> None:
        self.notes.append(("add_text", field, value))

    def add_integer(self, field: str, value: int) -> None:
        self.notes.append(("add_integer", field, value))

    def add_float(self, field: str, value: float) -> None:
        self.notes.append(("add_float", field, value))

    def add_json(self, field: str, value: dict[str, list[str]]) -> None:
        self.notes.append(("add_json", field, value))

    def add_bytes(self, field: str, value: bytes) -> None:
        self.notes.append(("add_bytes", field, value))


Fillable: TypeAlias = tantivy.Document | Noted


def make_document(product: Product, packed: bytes) -> tantivy.Document:
    """The document by which `product` is found, and shown from its packed record."""
    document = tantivy.Document()
    _fill(document, product, packed)
    return document


def noted_document(product: Product, packed: bytes) -> list[Note]:
    """The same, for `document_of` to make."""
    noted = Noted()
    _fill(noted, product, packed)
    return noted.notes


def document_of(notes: Iterable[Note]) -> tantivy.Document:
    document = tantivy.Document()
    for method, field, value in notes:
        getattr(document, method)(field, value)
    return document


def _fill(document: Fillable, product: Product, packed: bytes) -> None:
    document.add_text(fields.ID, product.id)
    _add_texts(document, product)
    for code in {"".join(filter(str.isalnum, fold(code))) for code in codes_of(product)}:
        document.add_text(fields.CODE, code[:200])
    for term in conditions_of(product):
        document.add_text(fields.CONDITION, term)
    _add_facets(document, product)
    _add_numbers(document, product)
    document.add_bytes(fields.RECORD, packed)


def _add_texts(document: Fillable, product: Product) -> None:
    title, brand, category = product.title, product.brand or "", " ".join(product.category)
    values, features = _stated(product)
    stated = " ".join((category, *values))
    title_terms, brand_terms, stated_terms = terms_of(title), terms_of(brand), terms_of(stated)
    extra = " ".join((*features, *codes_of(product)))
    title_terms = _unstuffed(title_terms)
    prose = _unstuffed(f"{title_terms} {terms_of(product.description[:MAX_TEXT_CHARS])}")
    for text in (prose, stated_terms, f"{brand_terms} {terms_of(extra)}"):
        document.add_text(fields.TEXT, text)  # one by one: no phrase reaches over two of them
    tokens = merit_tokens(
        title=title_terms.split(), brand=brand_terms, stated=stated_terms.split(), prose=prose.split()
    )
    document.add_text(fields.MERIT, " ".join(tokens))
    document.add_text(fields.TITLE, title_terms if not _DENIES.search(title) else terms_of(_carried(title)))
    document.add_text(fields.STATED, stated_terms if not _DENIES.search(stated) else terms_of(_carried(stated)))
    document.add_text(fields.KIND, " ".join((brand_terms, *kind_terms(product))))
    document.add_text(fields.SHELF, " ".join(shelf_terms(product)))
    for word in written_words(f"{title} {brand} {category}"):
        document.add_text(fields.WORDS, word)


def codes_of(product: Product) -> tuple[str, ...]:
    """Every number the product or one of its variants goes by."""
    codes = [product.id, product.sku, product.gtin, product.mpn]
    for variant in product.variants:
        codes += [variant.id, variant.sku, variant.gtin]
    return tuple(dict.fromkeys(code for code in codes if code))


def written_words(text: str) -> set[str]:
    """Words of `text` in lower case as written, numbers and codes left out."""
    return {word for part in text.split() for word in _words_written(part)}


@functools.lru_cache(maxsize=50_000)
def _words_written(part: str) -> tuple[str, ...]:
    return tuple(word.replace("’", "'") for word in _WRITTEN.findall(part.lower()) if len(word) > 1)


def prior_of(product: Product) -> float:
    """Factor on the score: 8 % for being in stock, up to 8 % for being well rated by many.

    A tie-breaker by design: a better match by one word weighs more.
    """
    popularity = 0.0
    if product.rating is not None and product.rating_count:
        # A rating counts as much as it has voters: the mean of 3.5 stands for the first five of them.
        mean = (product.rating * product.rating_count + 3.5 * 5) / (product.rating_count + 5)
        popularity = max(0.0, (mean - 2.5) / 2.5) * min(1.0, math.log10(1 + product.rating_count) / 4)
    return 1.0 + 0.08 * popularity + (0.08 if product.availability.buyable else 0.0)


def _sort_keys(product: Product, *, price: int | None, rating: int | None, prior: float) -> tuple[int, ...]:
    """Numbers whose ascending order is each of `_SORTS`; `LAST` for products that do not state the value."""
    return (
        fields.LAST if price is None else price,
        fields.LAST if price is None else -price,
        fields.LAST if rating is None else -rating,
        _age(product.added_at),
        -round(1e6 * prior),
    )


def _age(added_at: str | None) -> int:
    """Falls as ISO 8601 text rises, to the second."""
    digits = _NO_DIGIT.sub("", added_at or "")[:14]
    return -int(digits.ljust(14, "0")) if digits else fields.LAST


def scaled_price(price: Money) -> int:
    """The amount in units of 1 / `PRICE_SCALE`, whatever the currency's decimal places."""
    return price.amount_minor * fields.PRICE_SCALE // int(10 ** currency_exponent(price.currency))


def _stated(product: Product) -> tuple[list[str], list[str]]:
    """What options, attributes and tags say in words, and the rest: bare numbers, and names of what is merely present.

    `Waterproof: Yes` says waterproof, `Waterproof: No` nothing.
    """
    values, features = list(product.tags), []
    for name, value in dict.fromkeys(all_facts(product)):
        folded = value.strip().casefold()
        if folded in _YES:
            features.append(name)
        elif name.casefold() in _NAMES:
            features.append(value)  # says once more what the title says
        elif folded not in _NO:
            (values if _WRITTEN.search(value) else features).append(value)
    return values, features


def _unstuffed(terms: str) -> str:
    """`terms`, each once where hardly any is new: a word said over and over says no more."""
    every = terms.split()
    unique = dict.fromkeys(every)
    return terms if len(every) < _MIN_STUFFED or 2 * len(unique) > len(every) else " ".join(unique)


def _carried(text: str) -> str:
    """`text` without what it says is absent: a boot of `vegan, no leather` carries no leather."""
    return _NEGATED.sub(" ", fold(text))


def _add_facets(document: Fillable, product: Product) -> None:
    for facet, field in fields.FACETS.items():
        values: Iterable[str] = (
            dict.fromkeys(product.category) if facet == "categories" else known_values(product, facet)
        )
        for value in values:
            document.add_text(field, value)
    facts = other_facts(product)
    if facts:
        document.add_json(fields.FACTS, facts)
        for name in facts:
            document.add_text(fields.FACT_NAMES, name)


def _add_numbers(document: Fillable, product: Product) -> None:
    price = scaled_price(product.price) if product.price else None
    rating = None if product.rating is None else round(product.rating * fields.RATING_SCALE)
    prior = prior_of(product)
    if price is not None:
        document.add_integer(fields.PRICE, price)
    if rating is not None:
        document.add_integer(fields.RATING, rating)
    document.add_float(fields.PRIOR, 2**prior - 2)
    for field, key in zip(_SORTS, _sort_keys(product, price=price, rating=rating, prior=prior), strict=True):
        document.add_integer(field, key)
