"""Answers read off a record: the line that says so, word for word, and tables of facts side by side. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from search_client.analysis import FILLERS, fold, stem
from search_client.models import Product, Variant
from shopping_agent.offline.lexicon import load_lexicon
from shopping_agent.results import ComparisonRow, Quote

MAX_QUOTES = 4
MAX_SENTENCE_CHARS = 300

_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.](?=\S))+[.!?。！？]?")
_WORD = re.compile(r"[^\W_]+")
# Units and words by which a listing states a thing without naming it.
_STATED_AS = {
    "weight": "kg g grams lb lbs oz pounds",
    "size": "cm mm inch inches dimensions measures",
    "battery": "mah hours rechargeable",
    "waterproof": "water waterproof resistant weatherproof ipx4 ipx7 ip67 ip68 splash",
    "care": "machine washable dishwasher hand wash",
    "ingredients": "contains free vegan gluten allergen",
    "age": "years months age",
    "warranty": "warranty guarantee guaranteed",
    "compatibility": "compatible fits works",
}
_PLAIN = {
    "in_stock": "in stock",
    "out_of_stock": "out of stock",
    "preorder": "for pre-order",
    "backorder": "on back-order",
}


def quotes_about(product: Product, aspect: str) -> tuple[Quote, ...]:
    """What the record says about `aspect`, best first, at most `MAX_QUOTES`; empty where the listing does not tell.

    The aspect may be a word in any language the built-in model reads; the quotes are the record's own words.
    """
    asked = _stems(aspect)
    topics = _topics(aspect)
    related = asked | {word for topic in topics for word in words_about(topic)}
    found = dict.fromkeys(
        [
            *_own_fields(product, topics, aspect),
            *_variants(product, asked, aspect),
            *_options(product, related, aspect),
            *_attributes(product, related, asked, aspect),
            *_sentences(product, asked or related, aspect),
        ]
    )
    if not found:
        found = dict.fromkeys([*_sentences(product, related, aspect), *_choices(product, aspect)])
    return tuple(found)[:MAX_QUOTES]


@cache
def _stop_stems() -> frozenset[str]:
    everyday = {word for language in load_lexicon().languages.values() for word in language.function}
    return frozenset(stem(fold(word)) for word in everyday | set(FILLERS))


def _stems(text: str) -> frozenset[str]:
    stems = (stem(word) for word in _WORD.findall(fold(text)))
    return frozenset(word for word in stems if word not in _stop_stems() or word.isdecimal())


def _topics(aspect: str) -> frozenset[str]:
    """The things a shopper may ask about that the words of `aspect` name, in any language."""
    words = [fold(word) for word in _WORD.findall(aspect)]
    languages = load_lexicon().languages.values()
    named = {topic for word in words for language in languages if (topic := language.aspects.get(word))}
    return frozenset(
        named | {word for word in words if any(word in language.aspects.values() for language in languages)}
    )


@cache
def words_about(topic: str) -> frozenset[str]:
    """Stems by which any language, or a listing, speaks of `topic`: weight, size, battery."""
    languages = load_lexicon().languages.values()
    words = {word for language in languages for word, name in language.aspects.items() if name == topic}
    return frozenset(stem(fold(word)) for word in words | set(_STATED_AS.get(topic, "").split()))


def _availability(value: str, quantity: int | None) -> str | None:
    plain = _PLAIN.get(value)
    return f"{plain}, {quantity} left" if plain == "in stock" and quantity else plain


def _own_fields(product: Product, topics: Iterable[str], aspect: str) -> Iterator[Quote]:
    if "price" in topics and product.price is not None:
        before = f", before {product.list_price}" if product.on_sale else ""
        yield Quote(aspect, "price", f"{product.price}{before}")
    if "stock" in topics and (told := _availability(product.availability, product.quantity)):
        yield Quote(aspect, "availability", told)
    if "rating" in topics and product.rating is not None:
        count = f" from {product.rating_count} ratings" if product.rating_count else ""
        yield Quote(aspect, "rating", f"{product.rating:g} of 5{count}")
    if "brand" in topics and product.brand:
        yield Quote(aspect, "brand", product.brand)


def _variants(product: Product, asked: frozenset[str], aspect: str) -> Iterator[Quote]:
    """Stock and price of the forms whose option values are named: “is it there in XL?”."""
    values = {value for _, options in product.options for value in options if _stems(value) and _stems(value) <= asked}
    if not values:
        return
    for variant in product.variants:
        own = {value for _, value in variant.options}
        if values <= own and (told := _variant_facts(variant)):
            yield Quote(aspect, ", ".join(value for _, value in variant.options), told)


def _variant_facts(variant: Variant) -> str:
    facts = (str(variant.price) if variant.price else None, _availability(variant.availability, variant.quantity))
    return ", ".join(fact for fact in facts if fact)


def _options(product: Product, related: frozenset[str], aspect: str) -> Iterator[Quote]:
    for name, values in product.options:
        if _stems(name) & related and values:
            yield Quote(aspect, name, ", ".join(values))


def _choices(product: Product, aspect: str) -> Iterator[Quote]:
    """The colours or sizes there are, where one is asked for that there is not."""
    words = [fold(word) for word in _WORD.findall(aspect)]
    languages = load_lexicon().languages.values()
    if any(word in language.colors for word in words for language in languages):
        yield from _named(product, words_about("color"), aspect)
    if any(word.isdecimal() or word in language.sizes for word in words for language in languages):
        yield from _named(product, words_about("size"), aspect)


def _named(product: Product, related: frozenset[str], aspect: str) -> Iterator[Quote]:
    yield from _options(product, related, aspect)
    yield from (Quote(aspect, name, value) for name, value in product.attributes if _stems(name) & related)


def _attributes(product: Product, related: frozenset[str], asked: frozenset[str], aspect: str) -> Iterator[Quote]:
    """Attributes named so first, then those whose value says it."""
    matching = [(name, value) for name, value in product.attributes if _stems(name) & related]
    matching += [(name, value) for name, value in product.attributes if _stems(value) & asked]
    yield from (Quote(aspect, name, value) for name, value in dict.fromkeys(matching))


def _sentences(product: Product, words: frozenset[str], aspect: str) -> Iterator[Quote]:
    scored = []
    words = frozenset(word for word in words if len(word) > 1)
    repeated = tuple(f"{name.casefold()}:" for name, _ in product.attributes)
    for place, match in enumerate(_SENTENCE.finditer(product.description)):
        sentence = match[0].strip()
        if sentence.casefold().startswith(repeated):
            continue  # “Material: wool.” says what the attribute says
        share = len(_stems(sentence) & words)
        if share and len(sentence) <= MAX_SENTENCE_CHARS:
            scored.append((-share, place, sentence))
    yield from (Quote(aspect, "description", sentence) for _, _, sentence in sorted(scored))


def compare(products: tuple[Product, ...], *, aspect: str | None = None) -> tuple[ComparisonRow, ...]:
    """One row a fact that any of the products states: what was asked about first, then price, stock, rating, the rest.

    None where a product does not state it.
    """
    rows = [*_own_rows(products), *_named_rows(products)]
    stated = [row for row in rows if any(value is not None for value in row.values)]
    if aspect:
        related = _stems(aspect) | {word for topic in _topics(aspect) for word in words_about(topic)}
        stated.sort(key=lambda row: not _stems(row.name) & related)
    return tuple(stated)


def _own_rows(products: tuple[Product, ...]) -> Iterator[ComparisonRow]:
    yield ComparisonRow("Price", tuple(str(p.price) if p.price else None for p in products))
    yield ComparisonRow("Availability", tuple(_PLAIN.get(p.availability) for p in products))
    yield ComparisonRow("Rating", tuple(None if p.rating is None else f"{p.rating:g} of 5" for p in products))
    yield ComparisonRow("Brand", tuple(p.brand for p in products))


def _named_rows(products: tuple[Product, ...]) -> Iterator[ComparisonRow]:
    """Options and attributes in order of first mention; one row a name, whatever its case."""
    facts = [_facts(product) for product in products]
    names: dict[str, str] = {}
    for of_product in facts:
        for key, (name, _) in of_product.items():
            names.setdefault(key, name)
    for key, name in names.items():
        yield ComparisonRow(name, tuple(of[key][1] if key in of else None for of in facts))


def _facts(product: Product) -> dict[str, tuple[str, str]]:
    """Folded name → (name, values) of one product."""
    found: dict[str, tuple[str, str]] = {}
    for name, values in [*product.options, *((name, (value,)) for name, value in product.attributes)]:
        key = name.casefold()
        before = found[key][1].split(", ") if key in found else []
        found[key] = (name, ", ".join(dict.fromkeys([*before, *values])))
    return found
