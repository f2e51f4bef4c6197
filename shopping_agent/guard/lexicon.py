"""Words to concepts, in every language at once: `ignore`, `vergiss` and `忽略` are all `override`.

The data lies in `lexicon/*.toml`, one file a language: `concept = "word stem* two_words"`. Rules speak of concepts
only, so that one rule holds in every language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from importlib.resources import files

from shopping_agent.guard.canonical import fold

CJK = "\u0e00-\u0e7f\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"
"""Scripts that are matched inside a run of letters: they write no spaces, or glue particles to a word."""

_CJK_CHAR = re.compile(f"[{CJK}]")
_WORD = rf"(?:(?![{CJK}])[^\W_])+"
_TOKEN = re.compile(
    rf"[{CJK}](?:\s{{0,2}}[{CJK}])*|{_WORD}(?:'{_WORD}){{0,3}}|[.!?;:,\n。！？；：，、।\"“”„«»「『]|(?<![^\W_])'(?=[^\W_])"
)
_QUOTES = frozenset("\"“”„«»「『'")
_PAUSE = {**dict.fromkeys(".!?;。！？；।", 3), **dict.fromkeys("\n:：", 2), **dict.fromkeys(",，、", 0)}
_HEAD, _LONGEST_STEM = 3, 16
_LONGEST_PHRASE = 7
_CACHED_WORDS = 20_000


@dataclass(frozen=True, slots=True)
class Tagged:
    start: int
    """Word count from the start of the text; a sentence end counts as three words."""
    end: int
    """Where its last word stands: later than `start` for an entry of several words."""
    mask: int
    """Concepts of the word, as bits."""


@dataclass(slots=True)
class _Node:
    mask: int = 0
    after: dict[str, _Node] = field(default_factory=dict)
    after_stem: dict[str, _Node] = field(default_factory=dict)
    heads: set[str] = field(default_factory=set)
    """First letters of the stems: most words have none of them and are done."""


class Lexicon:
    """Reads words as concepts. Built once, then read only."""

    def __init__(self, entries: dict[str, list[str]]) -> None:
        self.bits = {concept: 1 << number for number, concept in enumerate(sorted(entries))}
        self._root = _Node()
        self._inner: set[str] = set()
        self._mask_of = lru_cache(maxsize=_CACHED_WORDS)(partial(_word_mask, self._root))
        self._runs: dict[str, list[tuple[str, int]]] = {}
        for concept, words in entries.items():
            for word in words:
                self._add(word, self.bits[concept])
        for words_of_char in self._runs.values():
            words_of_char.sort(key=lambda pair: -len(pair[0]))

    def _add(self, word: str, bit: int) -> None:
        stem = word.endswith("*")
        folded = fold(word.rstrip("*")).replace("_", " ")
        if _CJK_CHAR.search(folded):
            run = folded.replace(" ", "")
            self._runs.setdefault(run[0], []).append((run, bit))
            return
        parts = re.findall(r"[^\W_']+(?:'[^\W_]+)*", folded)
        node = self._root
        for number, part in enumerate(parts, 1):
            parent = node
            edges = parent.after_stem if stem and number == len(parts) else parent.after
            node = edges.setdefault(part, _Node())
            if number > 1:
                self._inner.add(part)
            if edges is parent.after_stem:
                parent.heads.add(part[:_HEAD])
        node.mask |= bit

    def knows(self, word: str) -> bool:
        """Whether the word may matter: alone, or inside an entry of several words."""
        return word in self._inner or bool(self._mask_of(word)) or bool(_CJK_CHAR.search(word))

    def tag(self, folded: str) -> list[Tagged]:
        """The words of a folded text that carry a concept, in order. Linear in the text."""
        words, found = self._split(folded)
        for index, (word, position) in enumerate(words):
            mask = self._mask_of(word)
            if mask:
                found.append(Tagged(position, position, mask))
            node = self._root.after.get(word)
            if node is not None and (node.after or node.after_stem):
                found += self._phrases(node, words, index)
        found.sort(key=lambda tagged: (tagged.start, tagged.end))
        return found

    def _split(self, folded: str) -> tuple[list[tuple[str, int]], list[Tagged]]:
        words: list[tuple[str, int]] = []
        runs: list[Tagged] = []
        position = 0
        for token in _TOKEN.findall(folded):
            if token in _PAUSE:
                position += _PAUSE[token]
            elif token in _QUOTES:
                runs.append(Tagged(position + 1, position + 1, self.bits["quoted"]))
            elif _CJK_CHAR.match(token):
                position = self._tag_run("".join(token.split()), position, into=runs)
            else:
                position += 1
                words.append((token, position))
        return words, runs

    def _tag_run(self, run: str, position: int, *, into: list[Tagged]) -> int:
        at = unread = 0
        while at < len(run):
            length = 0
            mask = 0
            for word, bit in self._runs.get(run[at], ()):
                if length and len(word) < length:
                    break
                if run.startswith(word, at):
                    length, mask = len(word), mask | bit
            if length:
                position += 1 + unread // 2
                unread = 0
                into.append(Tagged(position, position, mask))
            else:
                unread += 1
            at += length or 1
        return position + unread // 2

    def _phrases(self, node: _Node, words: list[tuple[str, int]], index: int) -> list[Tagged]:
        """Entries of several words that start at a word."""
        found = []
        start = words[index][1]
        for following, position in words[index + 1 : index + _LONGEST_PHRASE]:
            mask = _word_mask(node, following)
            if mask:
                found.append(Tagged(start, position, mask))
            deeper = node.after.get(following)
            if deeper is None:
                break
            node = deeper
        return found


def _word_mask(node: _Node, word: str) -> int:
    exact = node.after.get(word)
    mask = exact.mask if exact is not None else 0
    stems = node.after_stem
    if stems and (word[:_HEAD] in node.heads or word[: _HEAD - 1] in stems):
        for length in range(_HEAD - 1, min(len(word), _LONGEST_STEM) + 1):
            stem = stems.get(word[:length])
            if stem is not None:
                mask |= stem.mask
    return mask


def _entries() -> Iterator[tuple[str, list[str]]]:
    for resource in files("shopping_agent.guard").joinpath("lexicon").iterdir():
        if resource.name.endswith(".toml"):
            for concept, words in tomllib.loads(resource.read_text(encoding="utf-8")).items():
                yield concept, words.split()


@cache
def load_lexicon() -> Lexicon:
    """The lexicon that ships with the guard."""
    entries: dict[str, list[str]] = {}
    for concept, words in _entries():
        entries.setdefault(concept, []).extend(words)
    return Lexicon(entries)
