"""The readings of one text: as it stands, and as it reads once undone what hides words from a list.

Bounded: each reading is at most as long as the text, decoded payloads share one budget, nesting ends at three.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from shopping_agent.guard.canonical import fold, unmask
from shopping_agent.guard.decoders import decode_payloads, hidden_text
from shopping_agent.guard.segment import core_words, spell, split_glued

MAX_DEPTH = 3
MAX_DECODED_CHARS = 8_000

LEET = str.maketrans("013456789@$!|+€", "oieasbtbgasilte")
_EDGES = ".,;:?\"'()[]{}"
_LEET_L = {**LEET, ord("1"): ord("l")}
_SIGNED_WORD = re.compile(r"[^\s013456789@$!|+€]{0,40}[013456789@$!|+€]\S{0,60}")
_SPACED = re.compile(r"(?<![^\W_])[^\W_](?:[\s._*|/\\~=+-]{1,3}[^\W_]){3,400}(?![^\W_])")
_INNER = re.compile(r"(?<=[^\W\d_])[-._*~^|+=\\/\"`]{1,2}(?=[^\W\d_])")
_LITERALS = re.compile(r"[\"'`]\s{0,3}[+.&]\s{0,3}[\"'`]")


@dataclass(frozen=True, slots=True)
class View:
    name: str
    text: str
    """Folded; for matching only."""
    hidden: bool
    """Whether a reader could not have read this by eye: encoded, invisible, enciphered."""


def views(text: str) -> Iterator[View]:
    """The text as it stands first, then every other reading that differs."""
    folded = fold(text)
    yield View("plain", folded, hidden=False)
    respelled = list(_respelled(folded))
    yield from respelled
    for letters in {folded: None, **({respelled[-1].text: None} if respelled else {})}:
        yield from _enciphered(letters)
    smuggled = hidden_text(text)
    if smuggled:
        yield View("invisible", fold(smuggled), hidden=True)
    budget = MAX_DECODED_CHARS
    layers = [(text, 1)]
    while layers:
        layer, depth = layers.pop()
        for notation, decoded in decode_payloads(layer):
            budget -= len(decoded)
            if budget < 0:
                return
            yield View(notation, fold(decoded), hidden=notation not in ("url", "entities"))
            yield from _enciphered(fold(decoded))
            if depth < MAX_DEPTH:
                layers.append((decoded, depth + 1))


def _respelled(folded: str) -> Iterator[View]:
    """Readings that a human makes without noticing; each goes on from the one before."""
    text = folded
    for name, respell in _RESPELLINGS:
        changed = respell(text)
        if changed != text:
            text = changed
            yield View(name, text, hidden=False)


def _unleet(word: re.Match[str]) -> str:
    """Digits and signs as the letters they stand for, where that makes a core word; sizes and models stay."""
    text = word[0]
    if text.isalpha() or not text.islower():
        return text
    for letters in (text.translate(LEET), text.translate(_LEET_L)):
        if letters.strip(_EDGES) in core_words() or spell(letters.strip(_EDGES)) in core_words():
            return letters
    return text


def _join(letters: re.Match[str]) -> str:
    """Spaced letters as words: wider gaps part words where there are narrower ones."""
    gaps = re.findall(r"[^\w]+|_+", letters[0])
    narrow = min(map(len, gaps))
    return re.sub(r"[^\w]+|_+", lambda gap: " " if len(gap[0]) > narrow else "", letters[0])


_RESPELLINGS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("look-alikes", unmask),
    ("leet", lambda text: _SIGNED_WORD.sub(_unleet, text)),
    ("spaced letters", lambda text: _SPACED.sub(_join, text)),
    ("broken words", lambda text: _INNER.sub("", _LITERALS.sub("", text))),
    ("glued words", split_glued),
    ("misspelt", spell),
)


def _enciphered(folded: str) -> Iterator[View]:
    """Readings of texts whose words are known ones reversed or shifted."""
    votes: dict[str, int] = {}
    for word in set(re.findall(r"[a-z]{4,}", unmask(folded))):
        for cipher in _ciphers().get(word, ()):
            votes[cipher] = votes.get(cipher, 0) + 1
    for cipher in [cipher for cipher, count in votes.items() if count >= 2][:3]:
        if cipher == "reversed":
            yield View(cipher, unmask(folded)[::-1], hidden=True)
            yield View(cipher, re.sub(r"[^\W_]+", lambda word: word[0][::-1], unmask(folded)), hidden=True)
        else:
            yield View(cipher, folded.translate(_alphabet(cipher)), hidden=True)


@cache
def _alphabet(cipher: str) -> dict[int, int]:
    """What reads a cipher: enciphered letter to plain letter."""
    if cipher == "atbash":
        return {97 + i: 122 - i for i in range(26)}
    shift = int(cipher.removeprefix("rot"))
    return {97 + i: 97 + (i + shift) % 26 for i in range(26)}


@cache
def _ciphers() -> dict[str, tuple[str, ...]]:
    """Enciphered spellings of the lexicon's core words, with the cipher that reads them."""
    ciphers: dict[str, set[str]] = {}
    words = {word for word in core_words() if word.isascii() and len(word) >= 4}
    for word in words:
        if word[::-1] not in words:
            ciphers.setdefault(word[::-1], set()).add("reversed")
    for name in [*(f"rot{shift}" for shift in range(1, 26)), "atbash"]:
        inverse = {plain: letter for letter, plain in _alphabet(name).items()}
        for word in words:
            ciphers.setdefault(word.translate(inverse), set()).add(name)
    return {word: tuple(sorted(found)) for word, found in ciphers.items() if word not in words}
