"""What a product is, told from its words: `camera case` is a case, `case for cameras` too, and neither is a camera."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path

from search_client.analysis.fold import fold
from search_client.analysis.stem import stem
from search_client.models import Product

_GOODS_FILE = Path(__file__).with_name("goods.txt")
_TYPE_NAMES = frozenset({"type", "product type", "product_type", "kind"})
# What follows one of these names what a product fits, comes with or is made of.
_BREAKS = frozenset(
    {"for", "with", "from", "by", "to", "w", "of", "on", "in", "compatible", "fits", "plus", "incl", "including"}
    | {"via", "without", "replaces", "that", "which", "für", "mit", "pour", "avec", "para", "con"}
)
_ENDS = frozenset(',;:()[]|–—-"')
_REOPENS = frozenset(",;|–—-")
_TOKEN = re.compile(r"[^\W_]+(?:['.][^\W_]+)*|[^\w\s]")
_MAX_DESCRIPTION_CHARS = 160


@functools.cache
def _goods() -> frozenset[str]:
    lines = _GOODS_FILE.read_text(encoding="utf-8").splitlines()
    return frozenset(stem(word) for line in lines if not line.startswith("#") for word in line.split())


def kind_terms(product: Product) -> list[str]:
    """Terms that say what `product` is, without repetition: heads of its title, its first sentence and its stated type.

    The two narrowest category names count in full.
    """
    terms = dict.fromkeys(stem(word) for name in product.category[-2:] for word in _TOKEN.findall(fold(name)))
    first_sentence = product.description[:_MAX_DESCRIPTION_CHARS].split(". ", 1)[0]
    types = [value for name, value in product.attributes if name.casefold() in _TYPE_NAMES]
    for text in (product.title, first_sentence, *types):
        terms.update(dict.fromkeys(heads(text)))
    return [term for term in terms if term[0].isalnum()]


def heads(text: str) -> list[str]:
    """Terms of `text` that are no mere modifiers: from the last name of goods of each noun phrase on.

    A phrase ends at punctuation, at a number or code, and before `for`, `with`, …, after which nothing counts up to the
    next comma. A phrase that names no goods we know counts in full.
    """
    found: list[str] = []
    for phrase in _phrases(text):
        terms = [stem(word) for word in phrase]
        last = max((at for at, term in enumerate(terms) if term in _goods()), default=0)
        found += terms[last:]
    return found


def _phrases(text: str) -> Iterator[list[str]]:
    phrase: list[str] = []
    told_apart = False
    for token in _TOKEN.findall(fold(text)):
        ends = token in _BREAKS or token in _ENDS or any(char.isdigit() for char in token)
        if not ends:
            if token[0].isalnum() and not told_apart:
                phrase.append(token)
            continue
        if phrase:
            yield phrase
        phrase = []
        told_apart = token in _BREAKS or (told_apart and token not in _REOPENS)
    if phrase:
        yield phrase
