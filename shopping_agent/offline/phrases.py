"""Phrases as a tree of words: many patterns of several languages, matched in one pass over a clause.

A pattern is written as it is said: `where is my [last] (order|package)`. Brackets are optional, bars separate
alternatives, `*` stands for up to three words of any kind, and `^` holds the phrase to the start of its clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import product

MAX_GAP = 3

_GROUP = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]|([^\s()\[\]]+)")


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase found in a clause: words `start` up to, not including, `end`."""

    act: str
    language: str
    start: int
    end: int


@dataclass(slots=True)
class _Node:
    children: dict[str, _Node] = field(default_factory=dict)
    ends: list[tuple[str, str]] = field(default_factory=list)


def expansions(pattern: str) -> Iterator[tuple[str, ...]]:
    """Every sequence of words a pattern stands for."""
    parts: list[list[tuple[str, ...]]] = []
    for group, optional, word in _GROUP.findall(pattern):
        alternatives = [tuple(a.split()) for a in (group or optional or word).split("|")]
        parts.append([*alternatives, ()] if optional else alternatives)
    for chosen in product(*parts):
        words = tuple(word for part in chosen for word in part)
        if words:
            yield words


class PhraseBook:
    """All phrases of all languages; built once, then only read."""

    def __init__(self, fillers: Iterable[str]) -> None:
        self._root = _Node()
        self._opening = _Node()
        self._fillers = frozenset(fillers)
        self._languages: dict[str, set[str]] = {}

    def add(self, pattern: str, *, act: str, language: str) -> None:
        """Learn a pattern."""
        for words in expansions(pattern):
            opens = words[0] == "^"
            node, words = (self._opening, words[1:]) if opens else (self._root, words)
            for word in words:
                node = node.children.setdefault(word, _Node())
            if (act, language) not in node.ends:
                node.ends.append((act, language))
            for word in words:
                self._languages.setdefault(word, set()).add(language)

    @property
    def words(self) -> Set[str]:
        """Every single word that occurs in a phrase."""
        return self._languages.keys()

    def words_of(self, language: str) -> frozenset[str]:
        """Every single word that occurs in a phrase of a language."""
        return frozenset(word for word, languages in self._languages.items() if language in languages) - {"*"}

    def languages_of(self, word: str) -> frozenset[str] | set[str]:
        """Codes of the languages in whose phrases `word` occurs."""
        return self._languages.get(word, frozenset())

    def find(self, words: Sequence[str]) -> list[Match]:
        """All phrases in `words`, longest first from each start; filler words between are skipped."""
        found: list[Match] = []
        for start, word in enumerate(words):
            if word in self._root.children:
                self._walk(self._root, words, start, start, found)
        opening = next((place for place, word in enumerate(words) if word not in self._fillers), 0)
        if opening < len(words) and words[opening] in self._opening.children:
            self._walk(self._opening, words, opening, opening, found)
        return found

    def _walk(self, node: _Node, words: Sequence[str], start: int, at: int, found: list[Match]) -> None:
        found.extend(Match(act, language, start, at) for act, language in node.ends)
        if at >= len(words):
            return
        child = node.children.get(words[at])
        if child is not None:
            self._walk(child, words, start, at + 1, found)
        elif words[at] in self._fillers and node is not self._root and node is not self._opening:
            for skip in range(1, MAX_GAP + 1):
                if at + skip < len(words) and words[at + skip - 1] in self._fillers:
                    child = node.children.get(words[at + skip])
                    if child is not None:
                        self._walk(child, words, start, at + skip + 1, found)
                        break
        gap = node.children.get("*")
        if gap is not None:
            for skip in range(1, MAX_GAP + 1):
                if at + skip <= len(words):
                    self._walk_gap(gap, words, start, at + skip, found)

    def _walk_gap(self, gap: _Node, words: Sequence[str], start: int, at: int, found: list[Match]) -> None:
        found.extend(Match(act, language, start, at) for act, language in gap.ends)
        child = gap.children.get(words[at]) if at < len(words) else None
        if child is not None:
            self._walk(child, words, start, at + 1, found)
