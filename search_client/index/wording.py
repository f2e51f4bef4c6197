"""A parsed query read against what the catalog knows: synonyms, split and joined words, corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from search_client.analysis import ParsedQuery, Reading, Synonyms, Word, fold, is_measure, stem, translated
from search_client.index import schema as fields
from search_client.index.glossary import Glossary
from search_client.index.lexicon import Lexicon
from search_client.models import ANYONE, Correction, Shopper

ANYWHERE = (fields.TEXT,)
STANDING = (fields.TITLE, fields.STATED)
"""What the product is said to be and to have, not what its description mentions."""
_SYNONYM, _UMBRELLA, _BEGUN = 0.4, 0.3, 0.5
"""Weights: a synonym is often the rarer word, and must not outrank the word that was typed."""
_MIN_PART_CHARS = 3
_MIN_PREFIX_CHARS = 5
_MAX_PREFIXED = 8


@dataclass(frozen=True, slots=True)
class Option:
    """One way for a product to meet a group: it carries all of `terms` in one of `fields`, in order where `phrase`."""

    terms: Reading
    fields: tuple[str, ...] = ANYWHERE
    phrase: bool = False
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Group:
    """Query words that are met together, by any one of the options."""

    words: tuple[Word, ...]
    options: tuple[Option, ...]
    known: bool = True
    """Whether the catalog carries any of it at all."""

    @property
    def typed(self) -> str:
        return " ".join(word.chunk.text for word in self.words)

    @property
    def is_code(self) -> bool:
        """Whether it is or holds a number or code."""
        return any(word.chunk.is_code for word in self.words)

    @property
    def is_model(self) -> bool:
        """Whether it is a number or code other than a measure: without it another product is meant."""
        return any(word.chunk.is_code and not is_measure(word.chunk.text) for word in self.words)


@dataclass(frozen=True, slots=True)
class Wording:
    """What is searched for in place of what was typed."""

    groups: tuple[Group, ...] = ()
    optional: tuple[Word, ...] = ()
    corrections: tuple[Correction, ...] = ()

    def without(self, dropped: Iterable[Group]) -> Wording:
        gone = set(dropped)
        return replace(self, groups=tuple(group for group in self.groups if group not in gone))


class Interpreter:
    """Reads queries for one lexicon."""

    def __init__(self, lexicon: Lexicon, synonyms: Synonyms, *, glossary: Callable[[], Glossary]) -> None:
        self._lexicon, self._synonyms, self._glossary = lexicon, synonyms, glossary

    def read(self, parsed: ParsedQuery, *, shopper: Shopper = ANYONE) -> Wording:
        """The groups every hit has to meet, in query order, and what was corrected."""
        groups: list[Group] = []
        corrections: list[Correction] = []
        for run in _runs(parsed.required):
            if run[0].phrase and len(run) > 1:
                groups.append(self._phrase(run, shopper))
                continue
            word = run[0]
            used = self._corrected(word, shopper)
            if used is not None:
                corrections.append(Correction(word.chunk.text, used))
            groups.append(self._single(word, used, shopper))
        return Wording(tuple(self._joined(groups, shopper)), parsed.optional, tuple(corrections))

    def _phrase(self, run: tuple[Word, ...], shopper: Shopper) -> Group:
        terms = tuple(term for word in run for term in word.chunk.terms)
        known = self._knows_all(terms, shopper)
        return Group(run, (Option(terms, ANYWHERE, phrase=True),), known)

    def _single(self, word: Word, used: str | None, shopper: Shopper) -> Group:
        if used is not None:
            terms = [stem(part) for part in fold(used).split()]
            return Group((word,), (Option(tuple(terms)), *self._synonym_options(terms, 0, len(terms))))
        options = [Option(reading) for reading in word.chunk.readings if self._knows_all(reading, shopper)]
        options += self._synonym_options(list(word.chunk.terms), 0, len(word.chunk.terms))
        if not word.chunk.is_code:
            options += self._split(word, shopper)
        if not options:
            options += self._begun(word)
        known = bool(options)
        return Group((word,), tuple(options) or (Option(word.chunk.terms),), known)

    def _knows_all(self, reading: Reading, shopper: Shopper) -> bool:
        return all(self._knows(term, shopper, ANYWHERE) for term in reading)

    def _knows(self, term: str, shopper: Shopper, where: tuple[str, ...]) -> bool:
        return any(self._lexicon.knows(field, term, shopper=shopper) for field in where)

    def _synonym_options(self, terms: list[str], start: int, length: int) -> Iterator[Option]:
        for synonym in self._synonyms.at(terms, start):
            if synonym.length != length or not all(self._knows(term, ANYONE, STANDING) for term in synonym.terms):
                continue
            if len(synonym.terms) > 1:
                yield Option(synonym.terms, ANYWHERE, phrase=True, weight=_UMBRELLA if synonym.umbrella else _SYNONYM)
            elif synonym.umbrella:
                yield Option(synonym.terms, (fields.KIND, fields.SHELF), weight=_UMBRELLA)
            else:
                yield Option(synonym.terms, STANDING, weight=_SYNONYM)

    def _split(self, word: Word, shopper: Shopper) -> Iterator[Option]:
        """`pineapplecorer` as `pineapple corer`, where both are words of the catalog's titles."""
        text = word.chunk.text
        written = self._glossary().written if len(text) >= 2 * _MIN_PART_CHARS else {}
        for at in range(_MIN_PART_CHARS, len(text) - _MIN_PART_CHARS + 1):
            head, tail = text[:at], text[at:]
            if (head in written or stem(head) in written) and (tail in written or stem(tail) in written):
                terms = (stem(head), stem(tail))
                if all(self._knows(term, shopper, STANDING) for term in terms):
                    yield Option(terms, ANYWHERE, phrase=True)

    def _begun(self, word: Word) -> Iterator[Option]:
        """Longer words that begin with an unknown one: the other half of a compound, or a word not typed to its end."""
        text = word.chunk.text
        if len(text) >= _MIN_PREFIX_CHARS and text.isalpha():
            for term in self._lexicon.beginning_with(stem(text), limit=_MAX_PREFIXED):
                yield Option((term,), STANDING, weight=_BEGUN)

    def _corrected(self, word: Word, shopper: Shopper) -> str | None:
        """The known words that `word`, foreign or mistyped, stands for; None where it is known or nothing is near."""
        text = word.chunk.text
        if word.chunk.is_code or any(self._knows_all(reading, shopper) for reading in word.chunk.readings):
            return None
        if any(True for _ in self._synonyms.at([stem(text)], 0)) or any(True for _ in self._split(word, shopper)):
            return None
        foreign = translated(text, known=lambda part: self._knows(stem(fold(part)), shopper, STANDING))
        if foreign is not None:
            return foreign
        near = self._glossary().corrector.candidates(text)
        if not near or (near[0].edits > 1 and any(True for _ in self._begun(word))):
            return None
        return self._glossary().written.get(near[0].word, near[0].word)

    def _joined(self, groups: list[Group], shopper: Shopper) -> Iterator[Group]:
        """Neighbouring words that are also one word (`head phones`), or that have a synonym together, as one group."""
        at = 0
        while at < len(groups):
            length, options = self._together(groups, at, shopper)
            if not options:
                yield groups[at]
                at += 1
                continue
            members = groups[at : at + length]
            apart = Option(tuple(option_term for group in members for option_term in group.options[0].terms))
            words = tuple(word for group in members for word in group.words)
            yield Group(words, (apart, *options), known=True)
            at += length

    def _together(self, groups: list[Group], at: int, shopper: Shopper) -> tuple[int, list[Option]]:
        plain = []
        for group in groups[at : at + 4]:
            if any(word.phrase for word in group.words) or len(group.options[0].terms) != 1:
                break
            plain.append(group.options[0].terms[0])
        for length in range(len(plain), 1, -1):
            options = list(self._synonym_options(plain[:length], 0, length))
            if length == 2:
                joined = stem("".join(groups[at + offset].words[0].chunk.text for offset in range(2)))
                if self._knows(joined, shopper, STANDING):
                    options.append(Option((joined,)))
            if options:
                return length, options
        return 1, []


def _runs(words: Iterable[Word]) -> Iterator[tuple[Word, ...]]:
    """Words one by one, those of a phrase together."""
    run: list[Word] = []
    for word in words:
        if run and (not word.phrase or word.phrase != run[0].phrase):
            yield tuple(run)
            run = []
        run.append(word)
        if not word.phrase:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)
