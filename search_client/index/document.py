"""A product as a document of the index."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable

import tantivy

from search_client.analysis import fold, kind_terms, terms_of
from search_client.filtering import known_values
from search_client.index import schema as fields
from search_client.index.conditions import all_facts, conditions_of, other_facts
from search_client.index.packing import Packer
from search_client.models import Money, Product, Sort, currency_exponent

MAX_TEXT_CHARS = 20_000
"""Of a description; what stands after it is not searched."""
_MAX_KEY = 10**18
_NO_VALUE = "~"
_YES = frozenset({"yes", "true", "y", "ja", "oui", "si", "included"})
_NAMES = frozenset({"name", "title", "product name", "model name", "short name"})
_NO = frozenset({"no", "false", "n", "nein", "non", "none", "not included"})
_NEGATED = re.compile(
    r"(?<![^\W_])(?:no|non|not|without|ohne|sans|sin)[ -]+[^\W_]+|(?<![^\W_])[^\W_]+[ -]free(?![^\W_])"
)
_WRITTEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def make_document(product: Product, packer: Packer) -> tantivy.Document:
    """The document by which `product` is found and shown."""
    document = tantivy.Document()
    document.add_text(fields.ID, product.id)
    title, brand, category = product.title, product.brand or "", " ".join(product.category)
    values, features = _stated(product)
    title_terms, brand_terms, value_terms = terms_of(title), terms_of(brand), terms_of(" ".join(values))
    code_terms = " ".join(map(terms_of, codes_of(product)))
    stated_terms = f"{terms_of(category)} {value_terms}"
    description_terms = terms_of(product.description[:MAX_TEXT_CHARS])
    document.add_text(fields.TITLE, title_terms)
    document.add_text(fields.DESCRIPTION, description_terms)
    document.add_text(fields.STATED, stated_terms)
    document.add_text(fields.BRAND, brand_terms)
    document.add_text(fields.PROSE, f"{title_terms} {description_terms}")
    thrice = f"{title_terms} {title_terms} {title_terms}"
    feature_terms = terms_of(" ".join(features))
    everything = (thrice, brand_terms, stated_terms, feature_terms, code_terms, description_terms)
    document.add_text(fields.TEXT, " ".join(everything))
    document.add_text(fields.WHAT, " ".join(map(_terms_carried, (title, brand, category, *values, *features))))
    document.add_text(fields.KIND, " ".join(kind_terms(product)))
    for code in {"".join(filter(str.isalnum, fold(code))) for code in codes_of(product)}:
        document.add_text(fields.CODE, code[:200])
    for word in written_words(f"{title} {brand} {category}"):
        document.add_text(fields.WORDS, word)
    for term in conditions_of(product):
        document.add_text(fields.CONDITION, term)
    _add_facets(document, product)
    _add_numbers(document, product)
    for sort, key in sort_keys(product).items():
        document.add_text(fields.ORDERS[sort], key)
    document.add_bytes(fields.RECORD, packer.pack(product))
    return document


def codes_of(product: Product) -> tuple[str, ...]:
    """Every number the product or one of its variants goes by."""
    codes = [product.id, product.sku, product.gtin, product.mpn]
    for variant in product.variants:
        codes += [variant.id, variant.sku, variant.gtin]
    return tuple(dict.fromkeys(code for code in codes if code))


def written_words(text: str) -> set[str]:
    """Words of `text` in lower case as written, numbers and codes left out."""
    return {word.replace("’", "'") for word in _WRITTEN.findall(text.lower()) if len(word) > 1}


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


def sort_keys(product: Product) -> dict[Sort, str]:
    """Texts whose ascending order is each sort order, ties by id; products that do not state the value come last."""
    price = scaled_price(product.price) if product.price else None
    rating = None if product.rating is None else round(product.rating * fields.RATING_SCALE)
    return {
        Sort.PRICE_ASC: _key(price, product.id),
        Sort.PRICE_DESC: _key(None if price is None else _MAX_KEY - price, product.id),
        Sort.RATING: _key(None if rating is None else _MAX_KEY - rating, product.id),
        Sort.NEWEST: "".join(map(_descending, product.added_at or "")) + _NO_VALUE + product.id,
        Sort.RELEVANCE: _key(round(1e6 * (2 - prior_of(product))), product.id),
    }


def scaled_price(price: Money) -> int:
    """The amount in units of 1 / `PRICE_SCALE`, whatever the currency's decimal places."""
    return price.amount_minor * fields.PRICE_SCALE // int(10 ** currency_exponent(price.currency))


def _key(value: int | None, product_id: str) -> str:
    return f"{_NO_VALUE if value is None else f'{value:019d}'} {product_id}"


def _descending(char: str) -> str:
    """Turns the order of the characters a date is made of."""
    return chr(0x7E - (ord(char) - 0x20)) if " " <= char <= "~" else char


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


@functools.lru_cache(maxsize=50_000)
def _without_negated(text: str) -> str:
    return _NEGATED.sub(" ", fold(text))


def _terms_carried(text: str) -> str:
    """Terms of `text` without what it says is absent: a boot of `vegan, no leather` carries no leather."""
    return terms_of(_without_negated(text))


def _add_facets(document: tantivy.Document, product: Product) -> None:
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


def _add_numbers(document: tantivy.Document, product: Product) -> None:
    if product.price:
        document.add_integer(fields.PRICE, scaled_price(product.price))
    if product.rating is not None:
        document.add_integer(fields.RATING, round(product.rating * fields.RATING_SCALE))
    document.add_float(fields.PRIOR, 2 ** prior_of(product) - 2)
