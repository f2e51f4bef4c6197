"""Text made comparable: case, accents, width, ligatures and look-alike marks no longer matter."""

from __future__ import annotations

import functools
import re
import unicodedata

# Marks that mean inch, foot, apostrophe or hyphen in one of their many shapes; NFKC would tear some of them apart.
_MARKS = str.maketrans(
    {
        "″": '"', "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "＂": '"', "〃": '"',
        "′": "'", "‘": "'", "’": "'", "‛": "'", "ʼ": "'", "`": "'", "´": "'",
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "﹣": "-",
        "×": "x", "✕": "x", "\u00ad": "", "\u200b": "", "\u200c": "", "\u200d": "", "\u2060": "", "\ufeff": "",
        "ø": "o", "Ø": "o", "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "þ": "th", "Þ": "th",
        "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ı": "i", "İ": "i", "™": " ", "®": " ", "©": " ",
    }
)  # fmt: skip
# Accents of Latin, Greek, Cyrillic; Hebrew points; Arabic vowel signs. Marks of Thai, Devanagari, kana are letters.
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]")
_TRANSCRIBED = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "Ä": "ae", "Ö": "oe", "Ü": "ue", "Ø": "oe", "Å": "aa"}
)
_TRANSCRIBABLE = re.compile("[äöüøåÄÖÜØÅ]")


def fold(text: str) -> str:
    """`text` in lower case without accents, in plain width, with one kind of quote, hyphen and multiplication sign.

    Idempotent. Letters of any script are kept; only what two spellings of one word differ in goes.
    """
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text.translate(_MARKS)).translate(_MARKS).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text))).translate(_MARKS)


@functools.lru_cache(maxsize=20_000)
def transcribed(word: str) -> str | None:
    """`word` with ä, ö, ü, ø, å written as ae, oe, ue, oe, aa and folded; None where it has none of them."""
    composed = unicodedata.normalize("NFC", word)
    if not _TRANSCRIBABLE.search(composed):
        return None
    return fold(composed.translate(_TRANSCRIBED))
