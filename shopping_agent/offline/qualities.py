"""Colours, sizes, brands and what must not be in it: each reader takes the words it understood."""

from __future__ import annotations

import re
from functools import cache

from shopping_agent.offline.ground import Ground
from shopping_agent.offline.lexicon import load_lexicon
from shopping_agent.offline.sheet import Sheet

_ADDING = frozenset(("and", "und", "et", "y", "和"))
_OR = frozenset(("or", "nor", "oder", "ou", "o"))
_SIZE_VALUE = re.compile(r"^(?:\d+(?:[.,/]\d+)?|\d*x{1,4}[sl]|[sml]|\d+[a-z]{0,2})$")
_ENDINGS = ("e", "en", "er", "es", "em")  # blaue, blauen, blauer
_ADJECTIVES = frozenset(("small", "medium", "large"))
_LETTERS = re.compile(r"\d*x{1,4}[sl]")
MIN_SHUFFLED = 4
MAX_UNWANTED = 4  # words of one unwanted thing: “high fructose corn syrup”


def read_colors(sheet: Sheet, ground: Ground) -> list[str]:
    """Colours as the catalog writes them, else as typed with their shade: “light grey”."""
    found: list[str] = []
    for place in sheet.free():
        name = color_of(sheet, place)
        if name is None or (sheet.words[place] in sheet.language.nouns and not _stands_beside_thing(sheet, place)):
            continue
        start = place
        while start and not sheet.takers[start - 1] and sheet.words[start - 1] in sheet.any_of("shades"):
            start -= 1
        typed = " ".join(sheet.texts[start : place + 1]).lower()
        sheet.take("color", range(start, place + 1))
        found.extend(value for value in ground.colors(typed, name) if value not in found)
    return found


def _stands_beside_thing(sheet: Sheet, place: int) -> bool:
    """Whether a word that also is a thing stands behind one: “zapatos café” are brown, “quiero café” is coffee."""
    return place > 0 and not sheet.takers[place - 1] and sheet.words[place - 1] in sheet.any_of("nouns")


def color_of(sheet: Sheet, place: int) -> str | None:
    """English name of the colour at `place`; None if the word is none, or is but the material or taste of something."""
    word = sheet.words[place]
    found = sheet.lookup("colors", word)
    if found is None and sheet.language.code == "de":
        found = next((name for end in _ENDINGS if (name := sheet.language.colors.get(word.removesuffix(end)))), None)
    if found is None and len(word) >= MIN_SHUFFLED and word not in sheet.any_of("lookalikes"):
        found = _by_letters().get((word[0], "".join(sorted(word))))
    return None if found is None else str(found)


@cache
def _by_letters() -> dict[tuple[str, str], str]:
    """English colours by first letter and all letters: bule, balck and pruple are slips of the thumb."""
    colors = load_lexicon().languages["en"].colors
    return {(word[0], "".join(sorted(word))): name for word, name in colors.items()}


def read_sizes(sheet: Sheet, ground: Ground, *, asked_size: bool = False) -> list[str]:
    """Sizes after a size word (“size 8 wide”, “Größe M”), letter sizes, a bare number where the size was asked for."""
    found: list[str] = []
    for match in sheet.of("size_name"):
        if not sheet.takers[match.start]:
            sheet.take("size", range(match.start, match.end))
            found.extend(ground.sizes(" ".join(sheet.words[match.start : match.end]), ""))
    for match in sheet.of("size_cue"):
        at = match.end
        while at < len(sheet.words) and sheet.words[at] in (
            "is",
            "a",
            "an",
            "of",
            "the",
            "in",
            "ist",
            "de",
            "eu",
            "us",
            "uk",
            "：",
        ):
            at += 1
        found.extend(_size_at(sheet, ground, at, start=match.start))
    beds = not sheet.any_of("bedding").isdisjoint(sheet.words)
    for place in sheet.free():
        word = sheet.words[place]
        named = (
            word in sheet.any_of("size_words")
            or (beds and word in sheet.any_of("bed_sizes"))
            or _LETTERS.fullmatch(word)
        )
        if named and word in _ADJECTIVES and _stands_before_word(sheet, place):
            continue
        if named or (asked_size and _SIZE_VALUE.match(word)):
            found.extend(_size_at(sheet, ground, place, start=place))
    return list(dict.fromkeys(found))


def _stands_before_word(sheet: Sheet, place: int) -> bool:
    """“a small kitchen”, “a large backpack”: how big a thing is, and no size that it is sold in."""
    before = sheet.words[place - 1] if place else ""
    following = sheet.words[place + 1] if place + 1 < len(sheet.words) else ""
    return before not in ("size", "in") and following in sheet.any_of("nouns") | sheet.any_of("departments")


def _size_at(sheet: Sheet, ground: Ground, place: int, *, start: int) -> list[str]:
    if place >= len(sheet.words) or sheet.takers[place]:
        return []
    word = sheet.words[place]
    number = sheet.lookup("numbers", word)
    known = word in sheet.any_of("size_words") | sheet.any_of("bed_sizes") or sheet.lookup("sizes", word) is not None
    if not (known or number is not None or _SIZE_VALUE.match(word)):
        return []
    end = place + 1
    while end < len(sheet.words) and end < place + 3 and sheet.words[end] in sheet.any_of("size_tails"):
        end += 1
    region = sheet.words[place - 1].upper() + " " if place and sheet.words[place - 1] in ("eu", "us", "uk") else ""
    typed = region + (" ".join(sheet.texts[place:end]) if number is None else str(number))
    sheet.take("size", range(start, end))
    return ground.sizes(typed, str(sheet.lookup("sizes", word) or ""))


def read_brands(sheet: Sheet, ground: Ground) -> list[str]:
    """Brands this catalog knows, in its spelling, longest names first."""
    found: list[str] = []
    free = sheet.free()
    for index, place in enumerate(free):
        if sheet.takers[place]:
            continue
        for length in range(min(ground.longest_brand, len(free) - index), 0, -1):
            places = free[index : index + length]
            if places[-1] - places[0] != length - 1:
                continue
            brand = ground.brand(" ".join(sheet.words[p] for p in places), typed=sheet.texts[place])
            if brand:
                sheet.take("brand", places)
                found.append(brand)
                break
    return found


def read_unwanted(sheet: Sheet) -> list[str]:
    """What must not be in it: the words after “without”, “no”, “ohne”, one entry a thing."""
    found: list[str] = []
    idle = sheet.spans("negation")
    doubt = min(idle, default=len(sheet.words))
    done = -1
    for match in sheet.of("exclude"):
        if match.start < done or match.start in idle or sheet.takers[match.start]:
            continue
        if (
            sheet.words[match.start] == "other" and doubt < match.start
        ):  # “not sure, other than a camera” wants a camera
            continue
        done = max(other.end for other in sheet.of("exclude") if other.start == match.start)
        things, end = _things(sheet, done)
        if things:
            sheet.take("exclude", range(match.start, end))
            found.extend(things)
            done = end
    return found


def _things(sheet: Sheet, at: int) -> tuple[list[str], int]:
    """The unwanted things from `at` on, and where they end: lists go on over “or”, a boundary word ends them."""
    things: list[list[str]] = [[]]
    end = at
    negations = {match.start for match in sheet.of("exclude")}
    while at < len(sheet.words) and len(things[-1]) < MAX_UNWANTED:
        word = sheet.words[at]
        if word in sheet.any_of("conjunctions") or sheet.commas[at]:
            if not _list_goes_on(sheet, at, negations):
                break
            things.append([])
            if word in sheet.any_of("conjunctions"):
                at += 1
                continue
        if word in sheet.any_of("boundary") or sheet.takers[at] or (things[-1] and at in negations):
            break
        if word not in sheet.any_of("function"):
            things[-1].append((sheet.texts[at] or word).lower())
            end = at + 1
        elif things[-1]:
            break
        at += 1
    return [" ".join(thing) for thing in things if thing], end


def _list_goes_on(sheet: Sheet, at: int, negations: set[int]) -> bool:
    """Whether the “or” or comma at `at` joins one more unwanted thing, and no new thought."""
    word, rest = sheet.words[at], sheet.words[at + 1 : at + 4]
    if word in _ADDING or not rest or at + 1 in negations:
        return False
    if word in sheet.any_of("conjunctions"):
        return rest[0] not in sheet.any_of("function") | sheet.any_of("boundary")
    return not _OR.isdisjoint(rest)
