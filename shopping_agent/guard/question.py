"""What a model may say: one plain question to the shopper, or nothing."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from shopping_agent.guard.canonical import fold, is_invisible
from shopping_agent.guard.lexicon import CJK
from shopping_agent.guard.screen import default_guard
from shopping_agent.guard.verdict import Decision
from shopping_agent.guard.views import views

MAX_QUESTION_CHARS = 200
LEAK_WORDS = 5
"""A run of so many words of a secret text is a leak."""
LEAK_LETTERS = 24
"""So is a run of so many letters, whatever stands between them."""
PARAPHRASE_WORDS, PARAPHRASE_SHARE = 7, 0.75
"""So is a question of so many longer words of which such a share stands in a secret text."""

_PLAIN = re.compile(r"[^\d<>{}\[\]\\|`*_#=~^@$€£¥₹₽₺₩%&]+")
_LINK = re.compile(r"https?:|www\.|:/|\b[\w-]{2,63}\.[a-z]{2,24}\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_CJK_CHAR = re.compile(f"[{CJK}]")


def check_question(question: str, *, secrets: Sequence[str] = ()) -> str | None:
    """The model's question as it may be shown, or None where our own question is shown instead.

    Args:
        question: what the model wrote.
        secrets: texts that must not leak, such as the system prompt and the action schema.
    """
    text = " ".join("".join(c for c in question if c.isspace() or not is_invisible(c)).split())
    if not text.endswith(("?", "？", "؟")) or len(text) > MAX_QUESTION_CHARS:
        return None
    if not _PLAIN.fullmatch(text) or _LINK.search(text) or _promises().search(fold(text)):
        return None
    if default_guard().screen(text).decision is not Decision.ALLOW:
        return None
    return None if any(_leaks(text, _secret(secret)) for secret in secrets) else text


@cache
def _promises() -> re.Pattern[str]:
    """A pattern over folded text for what only the shop can keep."""
    lines = files("shopping_agent.guard").joinpath("promises.txt").read_text(encoding="utf-8").splitlines()
    entries = [entry for line in lines if not line.startswith("#") for entry in line.split()]
    return re.compile("|".join(map(_shape, entries)))


def _shape(entry: str) -> str:
    body = r"[\W_]+".join(map(re.escape, fold(entry.rstrip("*")).replace("_", " ").split()))
    if _CJK_CHAR.search(body):
        return body
    return rf"(?<![^\W_]){body}" + ("" if entry.endswith("*") else r"(?![^\W_])")


@dataclass(frozen=True, slots=True)
class _Secret:
    runs: frozenset[tuple[str, ...]]
    letters: str
    words: frozenset[str]


@lru_cache(maxsize=16)
def _secret(text: str) -> _Secret:
    folded = fold(text)
    return _Secret(frozenset(_runs(folded)), _letters(folded), frozenset(_WORD.findall(folded)))


def _leaks(question: str, secret: _Secret) -> bool:
    """Whether the question says a part of the secret: as it stands, put otherwise, or encoded."""
    for reading in _readings(question):
        if any(run in secret.runs for run in _runs(reading)):
            return True
        letters = _letters(reading)
        starts = range(max(0, len(letters) - LEAK_LETTERS + 1))
        if any(letters[start : start + LEAK_LETTERS] in secret.letters for start in starts):
            return True
    words = [word for word in _WORD.findall(fold(question)) if len(word) >= 4]
    known = sum(word in secret.words for word in words)
    return len(words) >= PARAPHRASE_WORDS and known >= PARAPHRASE_SHARE * len(words)


def _readings(question: str) -> Iterator[str]:
    for view in views(question):
        yield view.text
        yield view.text[::-1]
        yield codecs.encode(view.text, "rot13")


def _runs(folded: str) -> Iterator[tuple[str, ...]]:
    words = _WORD.findall(folded)
    return (tuple(words[start : start + LEAK_WORDS]) for start in range(len(words) - LEAK_WORDS + 1))


def _letters(folded: str) -> str:
    return "".join(_WORD.findall(folded))
