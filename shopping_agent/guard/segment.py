"""Words written together, or with a slip of the pen, read as the core words of attacks."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise

MAX_GLUED_CHARS, MAX_SPLIT_CHARS = 300, 3_000
_LONG = re.compile(r"[a-z]{9,}")
_LONGEST_WORD = 16
_LONG_RUN, _STRANGE_SHARE = 20, 0.3
_MISSPELT = re.compile(r"(?<![^\W_])[a-z]{5,15}(?![^\W_])")
_SHORTEST_MISSPELT = 6


@cache
def core_words() -> frozenset[str]:
    """Words that attacks are made of, and the small words between them."""
    return _words("core_words.txt")


def _words(name: str) -> frozenset[str]:
    return frozenset(files("shopping_agent.guard").joinpath(name).read_text(encoding="utf-8").split())


def split_glued(folded: str) -> str:
    """The text with words that were written together parted; what is not all core words stays.

    Only long runs are tried, and no more than `MAX_SPLIT_CHARS` of them.
    """
    tried = 0

    def parted(run: re.Match[str]) -> str:
        nonlocal tried
        tried += len(run[0])
        return _split(run[0]) if tried <= MAX_SPLIT_CHARS else run[0]

    return _LONG.sub(parted, folded)


def spell(folded: str) -> str:
    """The text with words that attacks need put right: a letter too many, too few or wrong, or inner ones shuffled."""
    return _MISSPELT.sub(lambda word: _spelt(word[0]), folded)


@lru_cache(maxsize=4096)
def _spelt(word: str) -> str:
    if word in core_words():
        return word
    shuffled = _by_letters().get((word[0], "".join(sorted(word[1:-1])), word[-1]))
    if shuffled or len(word) < _SHORTEST_MISSPELT:
        return shuffled or word
    near = (other for size in (-1, 0, 1) for other in _by_size().get((word[0], len(word) + size), ()))
    return next((other for other in near if _one_edit_apart(word, other)), word)


def _one_edit_apart(word: str, other: str) -> bool:
    """Whether one letter too many, too few or wrong parts the words."""
    short, long = sorted((word, other), key=len)
    same = 0
    while same < len(short) and short[same] == long[same]:
        same += 1
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]


@cache
def _by_letters() -> dict[tuple[str, str, str], str]:
    """Words by first letter, sorted inner letters, last letter."""
    return {(word[0], "".join(sorted(word[1:-1])), word[-1]): word for word in _words("misspelt_words.txt")}


@cache
def _by_size() -> dict[tuple[str, int], list[str]]:
    """Words by first letter, which slips rarely touch, and length."""
    sizes: dict[tuple[str, int], list[str]] = {}
    for word in sorted(_words("misspelt_words.txt")):
        sizes.setdefault((word[0], len(word)), []).append(word)
    return sizes


@lru_cache(maxsize=4096)
def _split(run: str) -> str:
    """The run as words; unchanged unless nearly all of it is core words."""
    run, rest = run[:MAX_GLUED_CHARS], run[MAX_GLUED_CHARS:]
    if run in core_words():
        return run + rest
    # Fewest words read best; a lone letter costs three, a letter of no word four: (cost, start, letters of no word).
    best = [(0, 0, 0)]
    for end in range(1, len(run) + 1):
        cost, _, unknown = best[end - 1]
        steps = [(cost + 4, end - 1, unknown + 1)]
        for start in range(max(0, end - _LONGEST_WORD), end):
            if run[start:end] in core_words():
                cost, _, unknown = best[start]
                steps.append((cost + (1 if end - start > 1 else 3), start, unknown))
        best.append(min(steps))
    if best[-1][2] > (_STRANGE_SHARE * len(run) if len(run) >= _LONG_RUN else 0):
        return run + rest
    cuts = [len(run)]
    while cuts[-1]:
        cuts.append(best[cuts[-1]][1])
    cuts.reverse()
    return " ".join(run[start:end] for start, end in pairwise(cuts)) + rest
