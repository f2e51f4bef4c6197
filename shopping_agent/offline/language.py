"""Which language a message is in: the one most of whose everyday words it uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from shopping_agent.offline.lexicon import Lexicon


def detect(words: Iterable[str], lexicon: Lexicon, *, before: str = "en") -> str:
    """Code of the language; `before` (that of the earlier turns) where the words do not tell."""
    votes: Counter[str] = Counter()
    breaths = frozenset().union(*(language.breaths for language in lexicon.languages.values()))
    for word in words:
        if word in breaths:
            continue
        if "\u3400" <= word[:1] <= "\u9fff":
            votes["zh"] += 2
            continue
        for code, language in lexicon.languages.items():
            if word in language.function or word in language.short:
                votes[code] += 2
            elif word in language.things or code in lexicon.book.languages_of(word):
                votes[code] += 1
    if not votes:
        return before
    best = max(votes.values())
    leaders = [code for code, count in votes.items() if count == best]
    return before if before in leaders else leaders[0]
