"""Mistyped words read as words the catalog knows."""

from __future__ import annotations

import bisect
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from zlib import crc32

from rapidfuzz import process
from rapidfuzz.distance import OSA

# Well-known names, many one letter from a common word. Who types one and finds nothing meant no other word.
_NAMES = frozenset(
    """
    acer adidas airpods alexa amazon apple asus barbie bose braun brother canon casio chanel cisco dell disney dyson
    echo epson fitbit fossil fujitsu galaxy garmin gopro google gucci huawei hulu ikea imac intel ipad iphone ipod
    kindle kodak lego lenovo levis logitech lumix macbook marvel miele motorola nespresso netflix netgear nikon nike
    nintendo nivea nokia nvidia omega oppo panasonic pentax philips pixel playstation pokemon prada puma razer reebok
    ricoh roku rolex roomba samsung seiko sharp shimano siemens skoda sonos sony sonic spotify tesla thermos tiktok
    timex tomtom toshiba vans versace visa vizio xbox xerox xiaomi yamaha zara
    """.split()  # noqa: SIM905
)
MIN_CHARS = 4
"""Shorter words are never corrected: too many real words lie one letter apart."""
MIN_CHARS_FOR_TWO = 8
"""From this length on two edits are allowed."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A known word near a typed one."""

    word: str
    edits: int
    count: int


class TypoCorrector:
    """Finds known words near an unknown one. Built once from a vocabulary, then read-only and thread-safe.

    A table of every known word with one letter left out (SymSpell's idea) finds all words one edit away with a handful
    of look-ups; only where there is none, all words of about its length are compared for a second edit (1 to 3 ms at
    60,000 words). Keys are 32-bit checksums in one sorted array, 8 bytes an entry; collisions fall out when the
    distance is measured.
    """

    def __init__(self, vocabulary: Iterable[tuple[str, int]]) -> None:
        """`vocabulary`: folded words with the number of products that carry them; codes and short words are skipped."""
        known = {word: count for word, count in vocabulary if _correctable(word)}
        self._words = sorted(known)
        self._counts = array("Q", map(known.__getitem__, self._words))
        self._by_length: dict[int, list[str]] = {}
        for word in self._words:
            self._by_length.setdefault(len(word), []).append(word)
        entries = array(
            "Q", sorted({_key(form) << 32 | at for at, word in enumerate(self._words) for form in _thinned(word)})
        )
        self._entries = entries

    def __len__(self) -> int:
        return len(self._words)

    def candidates(self, word: str, *, limit: int = 5) -> list[Candidate]:
        """Known words one edit from folded `word` (two from `MIN_CHARS_FOR_TWO` letters on), most likely first.

        Edits are a letter more, less, other, or two neighbours swapped. Fewer edits come first, then an equal first
        letter, then the more frequent word. Empty for codes, numbers, well-known names and words under `MIN_CHARS`
        letters.
        """
        if not _correctable(word) or word in _NAMES:
            return []
        found = self._one_edit_from(word)
        if not found and len(word) >= MIN_CHARS_FOR_TWO:
            found = self._two_edits_from(word)
        found.sort(key=lambda near: (near.edits, near.word[0] != word[0], -near.count, near.word))
        return found[:limit]

    def _one_edit_from(self, word: str) -> list[Candidate]:
        found: dict[int, Candidate] = {}
        for form in _thinned(word):
            key = _key(form)
            at = bisect.bisect_left(self._entries, key << 32)
            while at < len(self._entries) and self._entries[at] >> 32 == key:
                number = self._entries[at] & 0xFFFFFFFF
                at += 1
                edits = OSA.distance(word, self._words[number], score_cutoff=1)
                if edits <= 1:
                    found[number] = Candidate(self._words[number], edits, self._counts[number])
        return list(found.values())

    def _two_edits_from(self, word: str) -> list[Candidate]:
        near = [known for length in range(len(word) - 2, len(word) + 3) for known in self._by_length.get(length, ())]
        matches = process.extract(word, near, scorer=OSA.distance, processor=None, score_cutoff=2, limit=50)
        return [Candidate(known, round(edits), self._count_of(known)) for known, edits, _ in matches]

    def _count_of(self, word: str) -> int:
        return self._counts[bisect.bisect_left(self._words, word)]


def _correctable(word: str) -> bool:
    return len(word) >= MIN_CHARS and word.isalpha()


def _thinned(word: str) -> set[str]:
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def _key(form: str) -> int:
    return crc32(form.encode("utf-8", "surrogatepass"))
