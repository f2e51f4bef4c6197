"""A shopper's words read as a query: what must match, what may, what must not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from search_client.analysis.fold import fold
from search_client.analysis.tokens import Chunk, chunks
from search_client.analysis.units import merge_measures

# Said around a wish without describing goods. They never have to match, unless nothing else was said.
FILLERS = frozenset(
    """
    a about all also am an and any anything are as at be been best buy by can could cheap cheapest do does doesn
    find for from get give good great has have hello hey hi how i id if ill im in into is it its ive just kind let like
    looking look love made make me my need needed nice of off on one ones or our out over please pls product products
    recommend sale search see sell shop shopping show some something that the their them these thing things this those
    to too try us use used using very wanna want wanted was we what where which who will with would you your around
    got hold under shipping really
    """.split()  # noqa: SIM905
)
_NEGATIONS = frozenset({"without", "no", "not", "non", "except", "excluding", "minus", "ohne", "sans", "sin", "senza"})
_QUOTED = re.compile(r'(?<![\w"])"([^"]*[^\W\d_][^"]*?)"(?!\w)')
MAX_WORDS = 32


@dataclass(frozen=True, slots=True)
class Word:
    """One thing asked for."""

    chunk: Chunk
    filler: bool = False
    phrase: int = 0
    """Words of one quoted phrase share a number above 0 and must stand side by side."""


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """What a query text asks for, in its own order."""

    words: tuple[Word, ...] = ()
    excluded: tuple[tuple[Chunk, ...], ...] = field(default=())
    """Each a word or phrase no hit may carry."""

    @property
    def required(self) -> tuple[Word, ...]:
        """The words that count: all but fillers, or the fillers where there is nothing else."""
        return tuple(word for word in self.words if not word.filler) or self.words

    @property
    def optional(self) -> tuple[Word, ...]:
        """Fillers that only help the order."""
        return tuple(word for word in self.words if word not in self.required)


def parse_query(keywords: Iterable[str], *, exclude: Iterable[str] = ()) -> ParsedQuery:
    """Read `keywords` (words, phrases or whole sentences) and `exclude`.

    Text in double quotes is a phrase. `without X`, `no X` and `not X` inside the keywords exclude X (`sugar-free` is a
    property goods are sold by, so it stays a wish). At most `MAX_WORDS` words are read; repeated words count once.
    """
    words: list[Word] = []
    excluded = [tuple(chunks(text)) for text in exclude]
    for number, text in enumerate(_sentences(keywords)):
        for phrase, part in enumerate(re.split(_QUOTED, text)):
            if phrase % 2:
                words += _phrase(part, number=number * MAX_WORDS + phrase)
                continue
            kept, denied = _without_negations(part, said_before=bool(words))
            excluded += [tuple(chunks(one)) for one in denied]
            words += _plain(chunks(kept))
    unique = tuple({(word.chunk.text, word.phrase): word for word in words}.values())[:MAX_WORDS]
    return ParsedQuery(unique, tuple(part for part in dict.fromkeys(excluded) if part))


def _sentences(keywords: Iterable[str]) -> Iterator[str]:
    """Keywords are read together, so that `27` `inch` is one measure; one with a quoted phrase stands by itself."""
    run: list[str] = []
    for text in keywords:
        if not _QUOTED.search(text):
            run.append(text)
            continue
        yield " ".join(run)
        run = []
        yield text
    yield " ".join(run)


def _plain(found: list[Chunk]) -> list[Word]:
    """Words that stand alone; `size` before a number only says what the number is."""
    following = [*found[1:], None][: len(found)]
    return [
        Word(chunk, filler=chunk.text in FILLERS or (chunk.text == "size" and after is not None and after.is_code))
        for chunk, after in zip(found, following, strict=True)
    ]


def _phrase(text: str, *, number: int) -> list[Word]:
    quoted = chunks(text)
    return [Word(chunk, phrase=number if len(quoted) > 1 else 0) for chunk in quoted]


def _without_negations(text: str, *, said_before: bool) -> tuple[str, list[str]]:
    """The text without what is denied, and what is denied: one word after each negation, more when joined by `or`.

    A negation that opens the query is part of a name (`No Man's Sky`), unless something was `said_before`.
    """
    folded = fold(text)
    if _NEGATIONS.isdisjoint(re.findall(r"\w+", folded)):
        return text, []
    denied: list[str] = []
    kept: list[str] = []
    rest = re.findall(r"\w[\w'./+&%-]*|[^\w\s]+", merge_measures(folded))
    while rest:
        token = rest.pop(0)
        object_words = _object_of(rest) if token in _NEGATIONS and (kept or said_before) else []
        denied += object_words
        if not object_words:
            kept.append(token)
    return " ".join(kept), denied


def _object_of(rest: list[str]) -> list[str]:
    """Takes what a negation denies off the front of `rest`: `flowers or stripes`; nothing before a number."""
    found: list[str] = []
    while rest:
        while rest and rest[0] in {"a", "an", "any", "the", "from", "made", "of", "too", "with", "in"}:
            rest.pop(0)
        if not rest or not rest[0][0].isalpha():
            break
        found.append(rest.pop(0))
        if not rest or rest[0] not in {"or", "nor", "and"} or len(rest) < 2:
            break
        rest.pop(0)
    return found
