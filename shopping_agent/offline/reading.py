"""What one message says, clause by clause, without looking at the conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from search_client.analysis import TypoCorrector
from shopping_agent.offline.amounts import Bounds, read_price, read_rating
from shopping_agent.offline.ground import Ground
from shopping_agent.offline.language import detect
from shopping_agent.offline.lexicon import Lexicon
from shopping_agent.offline.phrases import Match
from shopping_agent.offline.qualities import read_brands, read_colors, read_sizes, read_unwanted
from shopping_agent.offline.sheet import Sheet, spread
from shopping_agent.offline.words import clauses

_SORTS = ("sort:price_asc", "sort:price_desc", "sort:newest", "sort:rating")
# Phrases that say how something is asked for; their words are never what is looked for.
_ASKING = (
    "wish",
    "more",
    "detail",
    "compare",
    "greeting",
    "thanks",
    "goodbye",
    "negation",
    "correct",
    "stock",
    "sale",
    "same",
    "price_cue",
    "point",
    "ack",
    "no",
    "image",
    *_SORTS,
)


@dataclass(frozen=True, slots=True)
class ClauseReading:
    """What one clause says."""

    words: tuple[str, ...]
    acts: frozenset[str]
    asked: bool
    keywords: tuple[str, ...]
    """Content words as typed, in order."""
    norms: tuple[str, ...]
    """The same, folded and mended."""
    bounds: Bounds = field(default_factory=Bounds)
    colors: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    brands: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    sort: str | None = None
    in_stock: bool = False
    on_sale: bool = False
    aspects: tuple[str, ...] = ()
    """Facts that are asked about: price, size, material."""
    ordinal: int | None = None
    """“the second one” is 2, “the last one” -1."""
    singular: bool = False
    """Whether it, this or that stands for a product."""
    plural: bool = False
    definite: bool = False
    """Whether the, this or that stands before something."""
    generic: bool = False
    """Whether the head is something, one, items: no product is named."""
    people: tuple[str, ...] = ()
    question: bool = False
    """Whether it is put as a question: a question word or verb stands first, or a question mark last."""
    matches: tuple[Match, ...] = ()

    @property
    def has_constraint(self) -> bool:
        return bool(
            self.bounds != Bounds()
            or self.colors
            or self.sizes
            or self.brands
            or self.exclude
            or self.sort
            or self.on_sale
            or self.in_stock
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """A whole message."""

    language: str
    clauses: tuple[ClauseReading, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything reading rests on: languages, their spelling, the catalog."""

    lexicon: Lexicon
    speller: TypoCorrector
    """Over the words phrases are made of."""
    ground: Ground
    cues: frozenset[str]
    """Words of phrases and everyday words: never mended."""
    nouns: frozenset[str]
    """Product nouns of all languages and of the catalog, for telling a slip from a word."""


def read(text: str, known: Knowledge, *, before: str = "en", asked: str | None = None) -> Reading:
    """Read a message. `before` is the language so far; `asked` the facet our last question was about."""
    lexicon = known.lexicon
    parts = clauses(text)
    flat = [token.norm for clause in parts for token in clause.tokens]
    code = detect(_split_short(flat), lexicon, before=before)
    language = lexicon.languages.get(code) or lexicon.languages["en"]
    return Reading(code, tuple(_read_clause(spread(part, lexicon, language), known, asked=asked) for part in parts))


def _split_short(words: Sequence[str]) -> list[str]:
    return [piece for word in words for piece in (word, *(word.split("'") if "'" in word else ()))]


def _mend(sheet: Sheet, known: Knowledge) -> None:
    for place, word in enumerate(sheet.words):
        if word in known.cues or word in known.nouns or word in known.ground.terms or sheet.lookup("colors", word):
            continue
        near = known.speller.candidates(word, limit=1)
        if near and near[0].edits == 1:
            sheet.words[place] = near[0].word


def _allowed(sheet: Sheet, matches: list[Match]) -> list[Match]:
    """Phrases of the shopper's language and English; of another one only when they are the whole clause."""
    own = {sheet.language.code, "en"}
    whole = len(sheet.words)
    return [match for match in matches if match.language in own or match.end - match.start == whole]


def _read_clause(sheet: Sheet, known: Knowledge, *, asked: str | None) -> ClauseReading:
    _mend(sheet, known)
    sheet.matches = _allowed(sheet, known.lexicon.book.find(sheet.words))
    rating = read_rating(sheet)
    bounds = read_price(sheet, asked_price=asked == "price")
    bounds = Bounds(bounds.min_price, bounds.max_price, rating.min_rating)
    exclude = read_unwanted(sheet)
    sort = _read_sort(sheet)
    ordinal = _read_ordinal(sheet)
    for match in sheet.of(*_ASKING):
        sheet.take("asking", range(match.start, match.end))
    sizes = read_sizes(sheet, known.ground, asked_size=asked == "size")
    brands = read_brands(sheet, known.ground)
    colors = read_colors(sheet, known.ground)
    aspects = _read_aspects(sheet)
    content = [place for place in sheet.free() if _is_content(sheet, place)]
    acts = sheet.acts
    return ClauseReading(
        words=tuple(sheet.words),
        acts=acts,
        asked=sheet.asked,
        keywords=tuple(sheet.texts[place].strip("#") for place in content if sheet.texts[place]),
        norms=tuple(sheet.words[place] for place in content if sheet.texts[place]),
        bounds=bounds,
        colors=tuple(colors),
        sizes=tuple(sizes),
        brands=tuple(brands),
        exclude=tuple(exclude),
        sort=sort,
        in_stock="stock" in acts,
        on_sale="sale" in acts,
        aspects=aspects,
        ordinal=ordinal,
        singular=any(word in sheet.any_of("singular") for word in sheet.words),
        plural=any(word in sheet.any_of("plural") for word in sheet.words),
        definite=any(word in sheet.any_of("definite") for word in sheet.words),
        generic=any(word in sheet.any_of("generic") for word in sheet.words),
        people=tuple(word for word in sheet.words if word in sheet.any_of("people")),
        question=sheet.asked or _asks(sheet),
        matches=tuple(sheet.matches),
    )


def _is_content(sheet: Sheet, place: int) -> bool:
    word = sheet.words[place]
    return not (
        word in sheet.any_of("function")
        or word in sheet.any_of("fillers")
        or word in sheet.any_of("generic")
        or word == "http"
    )


def _read_sort(sheet: Sheet) -> str | None:
    idle = {place for match in sheet.of("negation") for place in range(match.start, match.end)}
    for match in sheet.of(*_SORTS):
        if match.start not in idle and not sheet.takers[match.start]:
            return match.act.partition(":")[2]
    return None


def _read_ordinal(sheet: Sheet) -> int | None:
    for place, word in enumerate(sheet.words):
        found = sheet.lookup("ordinals", word)
        if found is not None and not sheet.takers[place]:
            return int(found)
    return None


def _read_aspects(sheet: Sheet) -> tuple[str, ...]:
    found = [str(name) for word in sheet.words if (name := sheet.lookup("aspects", word)) is not None]
    return tuple(dict.fromkeys(found))


def _asks(sheet: Sheet) -> bool:
    """Whether a question word or auxiliary opens the clause, small words aside, or stands before a pronoun."""
    openers = sheet.any_of("interrogative") | sheet.any_of("auxiliary")
    pronouns = sheet.any_of("singular") | sheet.any_of("plural")
    small = {place for match in sheet.of("greeting", "thanks", "ack", "no") for place in range(match.start, match.end)}
    for place, word in enumerate(sheet.words):
        if word in openers:
            return True
        if place not in small and word not in sheet.any_of("fillers") and word not in sheet.any_of("conjunctions"):
            break
    pairs = pairwise(sheet.words)
    return any(
        (left in sheet.any_of("auxiliary") and right in pronouns)
        or (left in sheet.any_of("interrogative") and right in sheet.any_of("auxiliary"))
        for left, right in pairs
    )
