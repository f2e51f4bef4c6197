"""Words written together, or with swapped letters, read as the words of the lexicon."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

_LONG = re.compile(r"[a-z]{9,}")
MAX_GLUED_CHARS = 300
_LONGEST_WORD = 16


@cache
def core_words() -> frozenset[str]:
    return frozenset(files("shopping_agent.guard").joinpath("core_words.txt").read_text(encoding="utf-8").split())


@cache
def _by_letters() -> dict[tuple[str, str, str], str]:
    """Core words of five letters and more, by first letter, sorted inner letters, last letter."""
    return {(word[0], "".join(sorted(word[1:-1])), word[-1]): word for word in core_words() if len(word) >= 5}


def split_glued(folded: str) -> str:
    """The text with glued and shuffled words parted and put right; unknown words stay."""
    return _LONG.sub(lambda run: _split(run[0]), folded)


@lru_cache(maxsize=4096)
def _split(run: str) -> str:
    """The run as words where all of it, but for a letter or two, is words; else unchanged."""
    run, rest = run[:MAX_GLUED_CHARS], run[MAX_GLUED_CHARS:]
    words = core_words()
    if run in words:
        return run + rest
    best: list[tuple[int, int] | None] = [(0, 0)] + [None] * len(run)
    for end in range(1, len(run) + 1):
        for start in range(max(0, end - _LONGEST_WORD), end):
            before = best[start]
            if before is None or run[start:end] not in words:
                continue
            # Fewer, longer words read better: cost one a word, three for a lone letter.
            cost = before[0] + (1 if end - start > 1 else 3)
            current = best[end]
            if current is None or cost < current[0]:
                best[end] = (cost, start)
    if best[len(run)] is None:
        return run + rest
    parts: list[str] = []
    end = len(run)
    while end:
        step = best[end]
        assert step is not None
        parts.append(run[step[1] : end])
        end = step[1]
    return " ".join(reversed(parts)) + rest
