"""What one message says, clause by clause, without looking at the conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from search_client.analysis import TypoCorrector, stem
from shopping_agent.offline.amounts import Bounds, read_price, read_rating
from shopping_agent.offline.ground import Ground
from shopping_agent.offline.language import detect
from shopping_agent.offline.lexicon import Lexicon
from shopping_agent.offline.phrases import Match
from shopping_agent.offline.qualities import read_brands, read_colors, read_sizes, read_unwanted
from shopping_agent.offline.sheet import Sheet, spread
from shopping_agent.offline.words import clauses

MAX_READINGS = 2000  # about 8 MB
MIN_MENDED = 5  # shorter nouns have too many neighbours: boot, book, boat
MAX_LONE = 2  # words of a message that is but a greeting, an answer, a keyword
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
    "price_word",
    "point",
    "like",
    "idiom",
    "plan",
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
    """The same, folded."""
    roots: tuple[str, ...]
    """The same, misspelt product nouns mended."""
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
    named: bool = False
    """Whether the, this or that stands right before the content: “the helmet”."""
    indefinite: bool = False
    """Whether a, an, any or some stands before what is named."""
    inverted: bool = False
    """Whether a verb stands before what it asks about: “does it”, “is the strap”, “will these”."""
    generic: bool = False
    """Whether the head is something, one, items: no product is named."""
    people: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    """The content outside of phrases that ask for errands or terms: nothing in “make me a coffee”, “take my card”."""
    object_refers: bool = False
    """Whether what is requested is a pronoun: “recommend it”, “get this”."""
    other: bool = False
    """Whether “the other one” is meant."""
    to_you: bool = False
    """Whether it is said about the assistant: “you should …”."""
    generic_head: bool = False
    """Whether something, one or a pair is what is named first: “something with a good camera”."""
    names: tuple[str, ...] = ()
    """Content typed with a capital in the middle of a sentence."""
    told: bool = False
    """Whether it is a sentence about somebody or something: a pronoun and a verb of being or having."""
    formed: bool = False
    """Whether it has the form of a question, whatever the mark at its end."""
    question: bool = False
    """Whether it is put as a question: a question word or verb stands first, or a question mark last."""
    matches: tuple[Match, ...] = ()

    @property
    def bounded(self) -> bool:
        """Whether a price or a rating is stated."""
        return self.bounds != Bounds()

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
    spellers: Mapping[str, TypoCorrector]
    """By language, over the words its phrases are made of."""
    ground: Ground
    cues: frozenset[str]
    """Words of phrases and everyday words: never mended."""
    nouns: frozenset[str]
    """Product nouns of all languages."""
    readings: dict[tuple[str, str, str | None], Reading] = field(default_factory=dict)
    """Messages read before: a conversation is read again at every turn. Only saves time."""


def is_product_word(norm: str, known: Knowledge) -> bool:
    """Whether a word names a thing that shops sell, in any language or in this catalog."""
    return any(
        word in known.nouns or word in known.ground.category_words or word in known.ground.terms
        for word in {norm, stem(norm)}
    )


def read(text: str, known: Knowledge, *, before: str = "en", asked: str | None = None) -> Reading:
    """Read a message. `before` is the language so far; `asked` the facet our last question was about."""
    key = (text, before, asked)
    reading = known.readings.get(key)
    if reading is None:
        reading = _read(text, known, before=before, asked=asked)
        if len(known.readings) >= MAX_READINGS:
            known.readings.clear()
        known.readings[key] = reading
    return reading


def _read(text: str, known: Knowledge, *, before: str, asked: str | None) -> Reading:
    lexicon = known.lexicon
    parts = clauses(text)
    flat = [token.norm for clause in parts for token in clause.tokens]
    code = detect(_split_short(flat), lexicon, before=before)
    language = lexicon.languages.get(code) or lexicon.languages["en"]
    return Reading(code, tuple(_read_clause(spread(part, lexicon, language), known, asked=asked) for part in parts))


def _split_short(words: Sequence[str]) -> list[str]:
    return [piece for word in words for piece in (word, *(word.split("'") if "'" in word else ()))]


def _guesses(sheet: Sheet, known: Knowledge) -> list[str]:
    """The words with what is one slip away from a cue word read as that cue."""
    own = known.spellers.get(sheet.language.code) or known.spellers["en"]
    # A message of a word or two hardly tells its language: `holaa`.
    spellers = [own, *known.spellers.values()] if len(sheet.words) <= MAX_LONE else [own]
    return [word if _is_known(word, sheet, known) else _mended(word, spellers) for word in sheet.words]


def _mended(word: str, spellers: Sequence[TypoCorrector]) -> str:
    for speller in spellers:
        near = speller.candidates(word, limit=1)
        if near and near[0].edits == 1:
            return near[0].word
    return word


def _is_known(word: str, sheet: Sheet, known: Knowledge) -> bool:
    if word in known.cues or word in sheet.any_of("lookalikes"):
        return True
    return is_product_word(word, known) or sheet.lookup("colors", word) is not None


def _phrases(sheet: Sheet, known: Knowledge) -> list[Match]:
    """Phrases of the shopper's language and English; of another one only when they are the whole clause.

    A guessed word counts beside a typed one, or in a clause of one or two words: too many real words lie one letter
    from a cue (solid, sold).
    """
    book, whole = known.lexicon.book, len(sheet.words)
    found = book.find(sheet.words)
    if sheet.guesses != sheet.words:
        guessed = {place for place in range(whole) if sheet.guesses[place] != sheet.words[place]}
        for match in book.find(sheet.guesses):
            inside = guessed & set(range(match.start, match.end))
            if inside and (match.end - match.start > len(inside) or whole <= MAX_LONE):
                found.append(match)
    own = {sheet.language.code, "en"}
    found = [match for match in found if match.language in own or match.end - match.start == whole]
    idioms = [match for match in found if match.act == "idiom"]
    return [match for match in found if match in idioms or not any(_within(match, idiom) for idiom in idioms)]


def _within(match: Match, other: Match) -> bool:
    """Whether the words of a phrase are but part of an idiom: “do you have to” asks for nothing."""
    return other.start <= match.start and match.end <= other.end


def _read_clause(sheet: Sheet, known: Knowledge, *, asked: str | None) -> ClauseReading:
    sheet.guesses = _guesses(sheet, known)
    sheet.matches = _phrases(sheet, known)
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
    errand = sheet.spans("offtopic", *_TERMS)
    formed = _asks(sheet)
    return ClauseReading(
        words=tuple(sheet.words),
        acts=acts,
        asked=sheet.asked,
        keywords=tuple(sheet.texts[place].strip("#") for place in content if sheet.texts[place]),
        norms=tuple(sheet.words[place] for place in content if sheet.texts[place]),
        roots=tuple(_root(sheet.words[place], sheet, known) for place in content if sheet.texts[place]),
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
        singular=_stands_for(sheet, "singular"),
        plural=_stands_for(sheet, "plural"),
        definite=_stands_for(sheet, "definite"),
        indefinite=_is_indefinite(sheet, content),
        inverted=_is_inverted(sheet),
        generic=any(word in sheet.any_of("generic") for word in sheet.guesses),
        people=tuple(word for word in sheet.words if word in sheet.any_of("people")),
        beside=tuple(sheet.words[place] for place in content if place not in errand),
        to_you=bool(sheet.words) and sheet.words[0] in ("you", "du", "sie", "vous", "tu", "usted", "你"),
        generic_head=_is_generic_head(sheet, content),
        names=tuple(sheet.words[place] for place in content if place and sheet.texts[place].istitle()),
        told=_is_told(sheet),
        formed=formed,
        named=_is_named(sheet, content),
        object_refers=_object_refers(sheet),
        other=any(word in sheet.any_of("others") for word in sheet.words),
        question=sheet.asked or formed,
        matches=tuple(sheet.matches),
    )


def _root(word: str, sheet: Sheet, known: Knowledge) -> str:
    """The word, or the product noun it misspells: `shpoes` is compared as shoes."""
    if len(word) < MIN_MENDED or _is_known(word, sheet, known):
        return word
    near = known.ground.speller.candidates(word, limit=1)
    return near[0].word if near and near[0].edits == 1 else word


def _is_content(sheet: Sheet, place: int) -> bool:
    word = sheet.words[place]
    return not (
        word in sheet.any_of("function")
        or word in sheet.any_of("fillers")
        or sheet.guesses[place] in sheet.any_of("generic")
        or word == "http"
    )


def _read_sort(sheet: Sheet) -> str | None:
    idle = {place for match in sheet.of("negation") for place in range(match.start, match.end)}
    for match in sheet.of(*_SORTS):
        if match.start not in idle and not sheet.takers[match.start]:
            return match.act.partition(":")[2]
    return None


def _read_ordinal(sheet: Sheet) -> int | None:
    """A position; “first aid” and “second hand” name none."""
    for place, word in enumerate(sheet.words):
        found = sheet.lookup("ordinals", word)
        if found is None or sheet.takers[place]:
            continue
        following = sheet.words[place + 1] if place + 1 < len(sheet.words) else ""
        lists = (sheet.any_of("function"), sheet.any_of("generic"), sheet.any_of("nouns"), sheet.language.numbers)
        if sheet.language.code == "zh" or not following or any(following in words for words in lists):
            return int(found)
    return None


def _read_aspects(sheet: Sheet) -> tuple[str, ...]:
    found = [str(name) for word in sheet.words if (name := sheet.lookup("aspects", word)) is not None]
    return tuple(dict.fromkeys(found))


_TERMS = ("discount", "returns", "payment", "contact", "shipping", "idiom")
_ASIDE = (
    "than",
    "greeting",
    "thanks",
    "ack",
    "no",
    "same",
    "offtopic",
    "feedback",
    "cancel",
    "repeat",
    "order",
    "about_you",
)


def _stands_for(sheet: Sheet, name: str) -> bool:
    """Whether a word of the list `name` stands outside of phrases that use it up: “that's nice”, “this price range”."""
    aside = sheet.spans(*_ASIDE) | _polite(sheet)
    return any(word in sheet.any_of(name) for place, word in enumerate(sheet.words) if place not in aside)


def _polite(sheet: Sheet) -> frozenset[int]:
    """Where a German “Sie” is you: behind a verb; a second one behind it is them."""
    if sheet.language.code != "de":
        return frozenset()
    verbs = sheet.language.auxiliary | {"mochten", "empfehlen", "zeigen", "fuhren", "verkaufen"}
    return frozenset(
        place for place, word in enumerate(sheet.words) if word == "sie" and place and sheet.words[place - 1] in verbs
    )


def _is_indefinite(sheet: Sheet, content: Sequence[int]) -> bool:
    named = {*content, *(place for place, word in enumerate(sheet.words) if word in sheet.any_of("generic"))}
    return any(
        word in sheet.any_of("indefinite") and not named.isdisjoint(range(place + 1, place + 4))
        for place, word in enumerate(sheet.words)
    )


def _is_generic_head(sheet: Sheet, content: Sequence[int]) -> bool:
    """“a pair of shoes” and “something like a hat” name the shoes and the hat."""
    generic = sheet.any_of("generic")
    place = next((place for place, word in enumerate(sheet.guesses) if word in generic), None)
    if place is None or (content and content[0] < place):
        return False
    return sheet.words[place + 1 : place + 2] not in (["of"], ["like"])


def _is_told(sheet: Sheet) -> bool:
    subjects = sheet.any_of("subjects")
    return any(
        left in subjects and (right in sheet.any_of("auxiliary") or right in sheet.any_of("function"))
        for left, right in pairwise(sheet.words)
    )


def _object_refers(sheet: Sheet) -> bool:
    pronouns = sheet.any_of("singular") | sheet.any_of("plural")
    ends = {match.end for match in sheet.of("wish")}
    return any(end < len(sheet.words) and sheet.words[end] in pronouns for end in ends)


def _is_named(sheet: Sheet, content: Sequence[int]) -> bool:
    return any(
        sheet.words[place - 1] in sheet.any_of("definite")
        or (place > 1 and sheet.words[place - 2] in sheet.any_of("definite") and sheet.takers[place - 1] == "color")
        for place in content
        if place
    )


def _is_inverted(sheet: Sheet) -> bool:
    aside = sheet.spans("offtopic")
    subjects = sheet.any_of("singular") | sheet.any_of("plural") | sheet.any_of("definite")
    polite = sheet.language.code == "de"  # “haben Sie” is you, “haben Sie sie” is them
    return any(
        left in sheet.any_of("auxiliary")
        and right in subjects
        and place not in aside
        and not (polite and right == "sie")
        for place, (left, right) in enumerate(pairwise(sheet.words))
    )


def _asks(sheet: Sheet) -> bool:
    """Whether a question word or auxiliary opens the clause, small words aside, or stands before a pronoun."""
    openers = sheet.any_of("interrogative") | sheet.any_of("auxiliary")
    small = sheet.spans("greeting", "thanks", "ack", "no")
    for place, word in enumerate(sheet.guesses):
        if word in openers:
            following = sheet.words[place + 1] if place + 1 < len(sheet.words) else ""
            return not following.endswith("ing")
        if place not in small and word not in sheet.any_of("fillers") and word not in sheet.any_of("conjunctions"):
            break
    return _is_inverted(sheet) or any(
        left in sheet.any_of("interrogative") and right in sheet.any_of("auxiliary")
        for left, right in pairwise(sheet.guesses)
    )
