"""Which of the old one-byte encodings a text was saved in, told from the letters its words would have.

Each language writes a small set of letters beyond A to Z. Under the right encoding nearly all bytes of the words are
among them; under a wrong one they are signs, letters of several languages, or capitals in the middle of a word.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

_CYRILLIC = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
_WESTERN = {
    "German": "äöüß",
    "French": "àâçéèêëîïôùûüœæ",
    "Spanish": "áéíñóúü",
    "Italian": "àèéìòù",
    "Portuguese": "ãáâàçéêíóôõúü",
    "Dutch": "ëéïèöüá",
    "Swedish": "åäöé",
    "Danish": "æøåé",
    "Icelandic": "áðéíóúýþæö",
}
_LATIN: tuple[tuple[tuple[str, ...], dict[str, str]], ...] = (
    (
        ("cp1250", "iso8859-2"),
        {
            "Polish": "ąćęłńóśźż",
            "Czech": "áčďéěíňóřšťúůýž",
            "Slovak": "áäčďéíĺľňóôŕšťúýž",
            "Hungarian": "áéíóöőúüű",
            "Romanian": "ăâîşţ",
            "Croatian": "čćđšž",
        },
    ),
    (("cp1254",), {"Turkish": "çğıöşüâîûİ"}),
)
_SCRIPTS: tuple[tuple[tuple[str, ...], dict[str, str]], ...] = (  # no word of theirs has a letter from A to Z
    (("cp1255",), {"Hebrew": "אבגדהוזחטיכלמנסעפצקרשתםןףץך"}),
    (("cp1251", "koi8-r"), {"Russian": _CYRILLIC}),
    (("cp1251",), {"Ukrainian": _CYRILLIC + "іїєґ", "Serbian": _CYRILLIC + "ђјљњћџ"}),
    (("cp1253",), {"Greek": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ"}),
    (("cp1256",), {"Arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءآأإؤئ"}),
)
_SIGNS = frozenset("’‘“”„–—…•·™®©°€£²³½¼¾´`\xa0\xad«»ªº")
"""Signs that may stand within a word of any language."""
_ALL_WESTERN = "".join(letters for language, letters in _WESTERN.items() if language != "Icelandic")
# Italian ends words with them: within a word they are Czech. Portuguese has õ before e alone: elsewhere Hungarian.
_MISPLACED = re.compile("[ìòù](?=[^\\W\\d_])|õ(?!e)")
_ASCII = re.compile("[A-Za-z]")
_WORD = re.compile(rb"[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*")
_MAX_WORDS = 20_000
_SURE = 0.9
_CLEAR = 0.02
"""How much better than every western language another one must fit."""
_OWN = 0.05
"""The share of letters that another encoding must read otherwise than Windows-1252."""


class Charset(NamedTuple):
    """An encoding, and the language whose letters it gives."""

    encoding: str
    language: str


class _Fit(NamedTuple):
    share: float
    """Of the words' letters beyond ASCII those that the language writes."""
    own: float
    """Of those the letters that Windows-1252 reads otherwise."""


def words_of(chunk: bytes) -> list[bytes]:
    """The words with a byte beyond ASCII."""
    return _WORD.findall(chunk)


def told_by_letters(words: Counter[bytes]) -> Charset | None:
    """The encoding whose letters fit the words; None where none does."""
    words = Counter(dict(words.most_common(_MAX_WORDS)))
    if not any(_inner(word, "cp1252") for word in words):
        return Charset("cp1252", "signs alone")
    west = {language: _fit(words, "cp1252", letters, western=True) for language, letters in _WESTERN.items()}
    best_west = max(west, key=lambda language: west[language].share)
    mixed = _fit(words, "cp1252", _ALL_WESTERN, western=True)
    fit, found = max(_others(words), key=lambda each: each[0].share)
    clear = fit.share > west[best_west].share + _CLEAR or (
        best_west == "Icelandic" and fit.share >= west[best_west].share  # of both the likelier one
    )
    if fit.share >= _SURE and fit.own >= _OWN and clear and (fit.share >= 0.97 or fit.share > mixed.share + _OWN):
        return found
    if max(west[best_west].share, mixed.share) >= _SURE:
        return Charset("cp1252", best_west if west[best_west].share >= _SURE else "several western languages")
    return None


def _others(words: Counter[bytes]) -> Iterator[tuple[_Fit, Charset]]:
    for table, script in ((_LATIN, False), (_SCRIPTS, True)):
        for encodings, languages in table:
            for encoding in encodings:
                for language, letters in languages.items():
                    yield _fit(words, encoding, letters, script=script), Charset(encoding, language)


def _fit(words: Counter[bytes], encoding: str, letters: str, *, western: bool = False, script: bool = False) -> _Fit:
    hits = misses = own = 0
    alphabet = frozenset(letters) | frozenset(letters.upper())
    for word, count in words.items():
        text = word.decode(encoding, "replace")
        wrong = _capitals_within(text) + (western and len(_MISPLACED.findall(text)))
        if script and (_ASCII.search(text) or not all(char.isalpha() or char in _SIGNS for char in text)):
            wrong = len(text)
        misses += count * wrong
        for char, other in _inner(word, encoding):
            if char in alphabet and wrong < len(text):
                hits += count
                own += count * (char != other)
            elif char not in _SIGNS:
                misses += count
    return _Fit(hits / (hits + misses), own / max(hits, 1)) if hits else _Fit(0, 0)


def _inner(word: bytes, encoding: str) -> list[tuple[str, str]]:
    """The characters beyond ASCII, and what Windows-1252 makes of each; signs around the word are left out."""
    read, western = word.decode(encoding, "replace"), word.decode("cp1252", "replace")
    pairs = list(zip(read, western, strict=True))
    while pairs and not pairs[0][0].isalpha():
        pairs.pop(0)
    while pairs and not pairs[-1][0].isalpha():
        pairs.pop()
    return [pair for pair in pairs if pair[0] > "\x7f"]


def _capitals_within(text: str) -> int:
    return sum(
        after.isupper() and before.islower() and not after.isascii() for before, after in itertools.pairwise(text)
    )
