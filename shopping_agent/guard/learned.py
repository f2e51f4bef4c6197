"""What examples teach beyond the rules: weights of concepts, of two that follow one another, and of the rules met.

A logistic regression in plain Python. `python -m tests.evals.guard_training` makes `weights.json` from texts written
for this project, always the same; names that the lexicon does not know any more weigh nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from shopping_agent.guard.lexicon import Lexicon, Tagged, load_lexicon

WINDOW, STEP, MAX_WINDOWS = 60, 45, 6
"""Words with a concept that are weighed together: a long honest text must not add up to an attack."""
_NEXT, _GAP = 6, 3
"""How many words with a concept, and how many words at all, may part a pair."""
BIAS = "bias"
_REMEMBERED_PAIRS = 20_000


def windows(words: Sequence[Tagged]) -> Iterator[Sequence[Tagged]]:
    """The words in pieces that overlap; of a long text its beginning and its end."""
    starts = range(0, max(1, len(words) - WINDOW + STEP), STEP)
    kept = starts if len(starts) <= MAX_WINDOWS else (*starts[: MAX_WINDOWS - 1], len(words) - WINDOW)
    return (words[start : start + WINDOW] for start in kept)


def pairs(words: Sequence[Tagged]) -> Iterator[tuple[int, int]]:
    """(mask, mask) of words that follow one another closely."""
    for place, word in enumerate(words):
        for other in words[place + 1 : place + 1 + _NEXT]:
            if other.start - word.end > _GAP:
                break
            if other.start > word.end:
                yield word.mask, other.mask


class Learned:
    """Weighs the words of a text. Read only, so threads share it."""

    def __init__(self, weights: Mapping[str, float], lexicon: Lexicon) -> None:
        self._bias = weights.get(BIAS, 0.0)
        self._rules = {name[5:]: weight for name, weight in weights.items() if name.startswith("rule ")}
        bits = lexicon.bits
        self._ones = {bits[name]: weight for name, weight in weights.items() if name in bits}
        self._twos: dict[int, dict[int, float]] = {}
        for name, weight in weights.items():
            left, then, right = name.partition(" > ")
            if then and left in bits and right in bits:
                self._twos.setdefault(bits[left], {})[bits[right]] = weight
        self._of_pair = lru_cache(_REMEMBERED_PAIRS)(self._weights_of)

    def weigh(self, words: Sequence[Tagged], rules: Iterable[str]) -> float:
        """Logit of an attack: the heaviest piece of the text together with the rules that were met."""
        met = sum(self._rules.get(name, 0.0) for name in rules)
        return self._bias + met + max(map(self._piece, windows(words)), default=0.0)

    def _piece(self, words: Sequence[Tagged]) -> float:
        met = 0
        for word in words:
            met |= word.mask
        total = sum(weight for bit, weight in self._ones.items() if bit & met)
        found: dict[int, float] = {}
        for pair in set(pairs(words)):
            found.update(self._of_pair(pair))
        return total + sum(found.values())

    def _weights_of(self, pair: tuple[int, int]) -> tuple[tuple[int, float], ...]:
        """(feature, weight) of every concept of one word before every concept of the other."""
        left, right = pair
        return tuple(
            (one << 8 | other.bit_length(), weight)
            for one, others in self._twos.items()
            if one & left
            for other, weight in others.items()
            if other & right
        )


@cache
def load_learned() -> Learned:
    """The weights that ship with the guard."""
    text = files("shopping_agent.guard").joinpath("weights.json").read_text(encoding="utf-8")
    return Learned(json.loads(text), load_lexicon())
