"""What a product is, told from its words: `camera case` is a case, `case for cameras` too, and neither is a camera."""

from __future__ import annotations

import enum
import functools
import re
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
_REOPENS = frozenset(",;|–—-")
_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"[^\W_]+(?:['.][^\W_]+)*|[,;:()\[\]|–—\-\"]")
_MAX_DESCRIPTION_CHARS = 160


@functools.cache
def _goods() -> frozenset[str]:
    lines = _GOODS_FILE.read_text(encoding="utf-8").splitlines()
    return frozenset(stem(word) for line in lines if not line.startswith("#") for word in line.split())


def kind_terms(product: Product) -> list[str]:
    """Terms that say what `product` is, without repetition: heads of its title and of its stated type.

    The goods named first once more as `chief` writes them: in `remote control, wired, camera` the remote is meant.
    A title that names no goods (`BarraCuda Fast 500`) leaves it to the first sentence of the description.
    """
    terms = dict.fromkeys(heads(product.title))
    goods = _goods()
    if goods.isdisjoint(terms):
        terms.update(dict.fromkeys(heads(_first_sentence(product))))
    else:
        terms[chief(next(term for term in terms if term in goods))] = None
    for name, value in product.attributes:
        if name.casefold() in _TYPE_NAMES:
            terms.update(dict.fromkeys(heads(value)))
    return list(terms)


def chief(term: str) -> str:
    """How `term` is written where it names what a product is before anything else."""
    return f"={term}"


def names_goods(term: str) -> bool:
    """Whether `term` is the name of a kind of goods, as far as we know those."""
    return term in _goods()


def shelf_terms(product: Product) -> list[str]:
    """Terms of its two narrowest categories, which say less surely what it is: phone cases stand beside phones."""
    return list(dict.fromkeys(stem(word) for name in product.category[-2:] for word in _WORD.findall(fold(name))))


def _first_sentence(product: Product) -> str:
    return product.description[:_MAX_DESCRIPTION_CHARS].split(". ", 1)[0]


def heads(text: str) -> list[str]:
    """Terms of `text` that are no mere modifiers: from the last name of goods of each noun phrase on.

    A phrase ends at punctuation, at a number or code, and before `for`, `with`, …, after which nothing counts up to the
    next comma. A phrase that names no goods we know counts in full.
    """
    found: list[str] = []
    start = 0  # of the phrase's part that counts
    told_apart = False
    for word in text.split():
        for term, role in _roles(word):
            if role is _WORD_ROLE or role is _GOODS_ROLE:
                if told_apart:
                    continue
                if role is _GOODS_ROLE:
                    del found[start:]
                found.append(term)
                continue
            start = len(found)
            told_apart = role is _Role.BREAK or (told_apart and role is not _Role.COMMA)
    return found


class _Role(enum.Enum):
    WORD = enum.auto()
    GOODS = enum.auto()
    COMMA = enum.auto()
    """Ends a phrase, and what was said to fit."""
    END = enum.auto()
    BREAK = enum.auto()


# A million titles are read: a name of the module is found three times faster than a member of an enumeration.
_WORD_ROLE, _GOODS_ROLE = _Role.WORD, _Role.GOODS


@functools.lru_cache(maxsize=50_000)
def _roles(word: str) -> tuple[tuple[str, _Role], ...]:
    """The tokens of a word as it stands between blanks, each with its role."""
    return tuple(map(_role, _TOKEN.findall(fold(word))))


def _role(token: str) -> tuple[str, _Role]:
    """The term of `token` and what it does to a noun phrase."""
    if token in _BREAKS:
        return "", _Role.BREAK
    if not token[0].isalnum():
        return "", _Role.COMMA if token in _REOPENS else _Role.END
    if any(char.isdigit() for char in token):
        return "", _Role.END
    term = stem(token)
    return term, _Role.GOODS if term in _goods() else _Role.WORD
