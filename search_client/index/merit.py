"""How much each word says of a product, in 64 steps that are written down when the product is indexed.

What an engine counts over the catalog (BM25's lengths and frequencies) includes documents that are deleted but not yet
merged away, so that two indexes of one catalog would order nearly equal hits differently. Here a step depends on the
product alone, and what a step is worth on the number of products that carry the word: see `Lexicon.rarity`.

The shape is BM25's, with lengths seen against fixed ones, chosen on judged queries by `tests/evals/relevance.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

MENTIONED = 0.4
"""What a word is worth that stands in a long description only: step 0, not written down."""
_STEPS_OF_ONE = 32
_BASE = 8
_LAST_STEP = _BASE * _BASE - 1
_SATURATION = 0.6
_STATED_TERMS, _STATED_SHARE = 30, 0.75
_PROSE_TERMS, _PROSE_SHARE = 16, 0.5
_OF_PROSE, _OF_BRAND = 0.2, 0.3
_SHORT_PROSE = 40
"""Terms up to which a description counts word by word: those of longer ones would double the size of the index."""


def merit_tokens(*, title: Sequence[str], brand: str, stated: Sequence[str], prose: Sequence[str]) -> list[str]:
    """The tokens of a product, given its terms; `prose` is title and description."""
    in_title, in_stated, in_prose, in_brand = Counter(title), Counter(stated), Counter(prose), set(brand.split())
    stated_floor = _floor(len(stated), _STATED_TERMS, _STATED_SHARE)
    prose_floor = _floor(len(prose), _PROSE_TERMS, _PROSE_SHARE)
    words = in_prose if len(prose) <= _SHORT_PROSE else in_title
    alike: dict[tuple[int, int, int, bool], tuple[str, ...]] = {}  # most terms of a product stand in it alike
    tokens = []
    for term in {*words, *in_stated, *in_brand}:
        counts = (in_title.get(term, 0), in_stated.get(term, 0), in_prose.get(term, 0), term in in_brand)
        digits = alike.get(counts)
        if digits is None:
            digits = alike[counts] = _digits(*counts, stated_floor=stated_floor, prose_floor=prose_floor)
        for digit in digits:
            tokens.append(term + digit)
    return tokens


def _digits(
    titled: int, stated: int, told: int, makes_it: bool, *, stated_floor: float, prose_floor: float
) -> tuple[str, ...]:
    """The ends of the tokens of a term, given how often it stands where."""
    in_prose = _saturated(told, prose_floor)
    best = max(_saturated(titled, _SATURATION), _saturated(stated, stated_floor), in_prose)
    worth = best + _OF_PROSE * in_prose + (_OF_BRAND if makes_it else 0.0)
    coarse, fine = divmod(min(max(round(_STEPS_OF_ONE * (worth - MENTIONED)), 0), _LAST_STEP), _BASE)
    return (*([f"+{coarse}"] if coarse else ()), *([f"-{fine}"] if fine else ()))


def worth_of(term: str, *, exactly: bool = True) -> Iterator[tuple[str, float]]:
    """Tokens that a product may carry for `term`, with what each adds to its worth; roughly without the finer ones."""
    for digit in range(1, _BASE):
        yield f"{term}+{digit}", digit * _BASE / _STEPS_OF_ONE
        if exactly:
            yield f"{term}-{digit}", digit / _STEPS_OF_ONE


def _floor(length: int, usual: int, share: float) -> float:
    return _SATURATION * (1 - share + share * length / usual)


def _saturated(count: int, floor: float) -> float:
    return count * (1 + _SATURATION) / (count + floor)
