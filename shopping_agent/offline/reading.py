"""Reads a message: each reader takes the words it understands, what nobody takes is what is looked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shopping_agent.offline import forms
from shopping_agent.offline.amounts import Bounds, read_price, read_rating
from shopping_agent.offline.clause import TALK, ClauseReading, Reading
from shopping_agent.offline.knowledge import Knowledge
from shopping_agent.offline.language import detect
from shopping_agent.offline.phrases import Match
from shopping_agent.offline.qualities import read_brands, read_colors, read_sizes, read_unwanted
from shopping_agent.offline.run_on import cut_run_on
from shopping_agent.offline.sheet import Sheet, spread
from shopping_agent.offline.slips import MIN_MENDED, guesses, phrases, root_of
from shopping_agent.offline.words import clauses

MAX_LONE = 2  # words of a message that is but a greeting, an answer, a keyword
MAX_POSITION = 20  # “number 14” may be a place in a list, 501 is a product
MAX_CLAUSES = 30  # nobody says more at once; bounds the time for noise
MAX_READINGS = 2000  # about 8 MB
_SORTS = ("sort:price_asc", "sort:price_desc", "sort:newest", "sort:rating")
_TERMS = ("discount", "returns", "payment", "contact", "shipping", "idiom")
# Phrases that say how something is asked for; their words are never what is looked for.
_ASKING = (
    "wish", "more", "detail", "compare", "greeting", "thanks", "goodbye", "negation", "correct", "stock", "sale",
    "same",
    "price_cue", "price_word", "point", "like", "idiom", "ack", "no", "image", "back", "cancel",
    "feedback", "repeat", "capabilities", "about_you", *_SORTS,
)  # fmt: skip
_YOU = frozenset(("you", "du", "sie", "vous", "tu", "usted", "你"))


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
    words = [token.norm for clause in parts for token in clause.tokens]
    code = detect(_with_pieces(words), lexicon, before=before)
    language = lexicon.languages.get(code) or lexicon.languages["en"]
    pieces = [piece for part in parts for piece in cut_run_on(part, language)]
    lone = len(words) <= MAX_LONE
    sheets = [spread(piece, lexicon, language, lone=lone) for piece in pieces[:MAX_CLAUSES]]
    read_clauses = tuple(_read_clause(sheet, known, asked=asked) for sheet in sheets)
    found = {match.language for sheet in sheets for match in sheet.matches}
    return Reading(min(found) if lone and found and code not in found else code, read_clauses)


def _with_pieces(words: Iterable[str]) -> list[str]:
    """The words, those with an apostrophe in pieces too: `j'aimerais` tells its language by its halves."""
    return [piece for word in words for piece in (word, *(word.split("'") if "'" in word else ()))]


def _read_clause(sheet: Sheet, known: Knowledge, *, asked: str | None) -> ClauseReading:
    sheet.guesses = guesses(sheet, known)
    sheet.matches = phrases(sheet, known)
    rating = read_rating(sheet)
    price = read_price(sheet, asked_price=asked == "price")
    exclude = read_unwanted(sheet)
    sort = _read_sort(sheet)
    ordinal = _read_ordinal(sheet, asked=asked)
    for match in sheet.of(*_ASKING):
        sheet.take("asking", range(match.start, match.end))
    sizes = read_sizes(sheet, known.ground, asked_size=asked == "size")
    brands = read_brands(sheet, known.ground)
    colors = read_colors(sheet, known.ground)
    content = _things([place for place in sheet.free() if _is_content(sheet, place)], sheet)
    typed = [place for place in content if sheet.texts[place]]
    errand, formed = sheet.spans("offtopic", *_TERMS), forms.asks(sheet)
    return ClauseReading(
        words=tuple(sheet.words),
        guesses=tuple(sheet.guesses),
        acts=sheet.acts,
        asked=sheet.asked,
        joined=sheet.joined,
        keywords=tuple(_keyword(sheet, place) for place in typed),
        norms=tuple(_compared(sheet, place) or sheet.words[place] for place in typed),
        roots=tuple(root_of(sheet.words[place], sheet, known) for place in typed),
        bounds=Bounds(price.min_price, price.max_price, rating.min_rating),
        colors=tuple(colors),
        sizes=tuple(sizes),
        brands=tuple(brands),
        exclude=tuple(exclude),
        sort=sort,
        in_stock="stock" in sheet.acts,
        on_sale="sale" in sheet.acts,
        aspects=_read_aspects(sheet),
        ordinal=ordinal,
        singular=forms.stands_for(sheet, "singular"),
        plural=forms.stands_for(sheet, "plural"),
        definite=forms.stands_for(sheet, "definite"),
        named=forms.is_named(sheet, content),
        indefinite=forms.is_indefinite(sheet, content),
        one_wished=forms.is_one_wished(sheet),
        gift=any(word in sheet.any_of("gifts") for word in sheet.words),
        compares=any(_compared(sheet, place) for place in typed),
        inverted=forms.is_inverted(sheet),
        generic=any(word in sheet.any_of("generic") for word in sheet.guesses),
        talks_first=not content
        or any(match.start <= content[0] for match in sheet.of(*TALK) if not _after_article(sheet, match)),
        content_first=bool(content) and content[0] < min(sheet.spans("thanks"), default=len(sheet.words)),
        generic_head=forms.is_generic_head(sheet, content),
        people=tuple(word for word in sheet.words if word in sheet.any_of("people")),
        beside=tuple(sheet.words[place] for place in content if place not in errand),
        object_refers=forms.object_refers(sheet),
        other=any(word in sheet.any_of("others") for word in sheet.words),
        leans=bool(sheet.words) and sheet.words[0] in sheet.any_of("leaning"),
        to_you=bool(sheet.words) and sheet.words[0] in _YOU,
        names=tuple(sheet.words[place] for place in content if place and sheet.texts[place].istitle()),
        makers=forms.makers(sheet, content),
        told=forms.is_told(sheet),
        formed=formed,
        question=sheet.asked or formed,
    )


def _after_article(sheet: Sheet, match: Match) -> bool:
    return match.start > 0 and sheet.words[match.start - 1] in sheet.any_of("definite") | sheet.any_of("indefinite")


def _is_content(sheet: Sheet, place: int) -> bool:
    word = sheet.words[place]
    small = word in sheet.any_of("function") or word in sheet.any_of("fillers") or word == "http"
    read = sheet.guesses[place] if len(word) >= MIN_MENDED else word  # “mose” is a mouse before it is “more”
    return not small and read not in sheet.any_of("generic") and not _is_but_new(sheet, place)


def _is_but_new(sheet: Sheet, place: int) -> bool:
    """“I need a new sofa”: what is new says nothing of the sofa; New Balance stays a name."""
    if sheet.words[place] not in sheet.any_of("fresh") or not place:
        return False
    before, following = sheet.words[place - 1], sheet.texts[place + 1 : place + 2]
    begun = before in sheet.any_of("function") or before in sheet.any_of("indefinite")
    return begun and bool(following) and following[0].islower()


def _compared(sheet: Sheet, place: int) -> str | None:
    """What a comparative looks for: small things for “smaller”, which no title says."""
    found = sheet.lookup("comparatives", sheet.words[place])
    return None if found is None else str(found)


def _keyword(sheet: Sheet, place: int) -> str:
    return _compared(sheet, place) or sheet.texts[place].strip("#")


def _things(content: list[int], sheet: Sheet) -> list[int]:
    """The content without whom it is for: “a laptop for my daughter” is a laptop; a “friend necklace” stays one."""
    relatives, people, ours = sheet.any_of("relatives"), sheet.any_of("people"), sheet.any_of("possessive")

    def is_receiver(place: int) -> bool:
        word, owned = sheet.words[place], place > 0 and sheet.words[place - 1] in ours
        return (word in people and owned) or (word in relatives and place + 1 not in content)

    def is_reason(place: int) -> bool:
        """“a gift for a cook” is something to cook with; a gift card stays one."""
        return sheet.words[place] in sheet.any_of("gifts") and place + 1 not in content

    kept = [place for place in content if not is_receiver(place)] or content
    named = [place for place in kept if not is_reason(place)]
    if len(named) == len(kept):
        return kept
    occasions = sheet.any_of("departments") | people
    return kept if all(sheet.words[place] in occasions for place in named) else named


def _read_sort(sheet: Sheet) -> str | None:
    """The order wished for; “not too expensive” is cheap, and “not the cheapest” no order."""
    doubted = sheet.spans("negation", "exclude")
    for match in sheet.of(*_SORTS):
        order = match.act.partition(":")[2]
        negated = match.start in doubted or match.start - 1 in doubted
        if sheet.takers[match.start] and not negated:
            continue
        if not negated or sheet.words[match.start] in sheet.any_of("negators"):
            return order
        if order == "price_desc":
            return "price_asc"
    return None


def _read_ordinal(sheet: Sheet, *, asked: str | None) -> int | None:
    """A position; “first aid” and “second hand” name none."""
    lists: Sequence[frozenset[str]] = (
        sheet.any_of("function"), sheet.any_of("generic"), sheet.any_of("nouns"), frozenset(sheet.language.numbers),
    )  # fmt: skip
    sorting = sheet.spans(*_SORTS, "correct", "ack")  # “on second thought” and “let me ask her first” count nothing
    for place, word in enumerate(sheet.guesses):
        found = sheet.lookup("ordinals", word)
        counted = len(sheet.words) == 1 or (place and sheet.words[place - 1] in sheet.any_of("counters"))
        number = int(word) if word.isdecimal() else sheet.language.numbers.get(word)
        if counted and asked in (None, "which") and number is not None and number <= MAX_POSITION:
            return number
        if found is None or sheet.takers[place] or place in sorting:
            continue
        following = sheet.words[place + 1] if place + 1 < len(sheet.words) else ""
        if sheet.language.code == "zh" or not following or any(following in words for words in lists):
            sheet.take("ordinal", [place])  # also where a title of the catalog begins with “Second”
            return int(found)
    return None


def _read_aspects(sheet: Sheet) -> tuple[str, ...]:
    """Facts named, the telling words before those that only measure: “how long does the battery last” asks for it."""
    vague = sheet.any_of("measuring")
    words = sorted(sheet.guesses, key=lambda word: word in vague)
    found = [str(name) for word in words if (name := sheet.lookup("aspects", word)) is not None]
    return tuple(dict.fromkeys(found))
