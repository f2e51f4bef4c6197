"""The form of a clause: what it asks, what its pronouns and articles stand for. Word lists decide, no grammar."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from shopping_agent.offline.sheet import Sheet

# Phrases that use up the pronouns in them: “that's nice”, “this price range”, “will it rain”.
_ASIDE = (
    "about_you", "ack", "cancel", "feedback", "greeting", "no", "offtopic", "order", "repeat", "same", "than", "thanks",
)  # fmt: skip

_GOING_ON = frozenset(("comes", "fits", "works", "looks", "goes", "i", "you", "we", "they"))
_OTHERS_HAVE = frozenset(("i", "you", "we", "they", "not"))  # “do you have them” is asked of you, not of them
_CHOOSING = frozenset(("what", "which", "how"))


def stands_for(sheet: Sheet, name: str) -> bool:
    """Whether a word of the list `name` stands outside of phrases that use it up: “that's nice”, “this price range”."""
    aside = sheet.spans(*_ASIDE) | _polite(sheet) | _relative(sheet)
    return any(word in sheet.any_of(name) for place, word in enumerate(sheet.words) if place not in aside)


def _relative(sheet: Sheet) -> frozenset[int]:
    """Where “that” joins what is said of a thing: “any that are cheaper”, “one that fits”."""
    verbs = sheet.any_of("auxiliary")
    return frozenset(
        place
        for place, (word, after) in enumerate(pairwise(sheet.words))
        if word == "that" and place and (after in verbs or after in _GOING_ON) and sheet.words[place - 1] not in verbs
    )


def _polite(sheet: Sheet) -> frozenset[int]:
    """Where a German “Sie” is you: behind a verb; a second one behind it is them."""
    if sheet.language.code != "de":
        return frozenset()
    verbs = sheet.language.auxiliary | {"mochten", "empfehlen", "zeigen", "fuhren", "verkaufen"}
    return frozenset(
        place for place, word in enumerate(sheet.words) if word == "sie" and place and sheet.words[place - 1] in verbs
    )


def is_indefinite(sheet: Sheet, content: Sequence[int]) -> bool:
    named = {*content, *(place for place, word in enumerate(sheet.words) if word in sheet.any_of("generic"))}
    return any(
        word in sheet.any_of("indefinite") and not named.isdisjoint(range(place + 1, place + 4))
        for place, word in enumerate(sheet.words)
    )


def is_one_wished(sheet: Sheet) -> bool:
    """“a wooden one”, “any cheaper ones”: at most two words between the article and the one."""
    ones = [place for place, word in enumerate(sheet.words) if word in sheet.any_of("ones")]
    return any(
        not sheet.any_of("indefinite").isdisjoint(sheet.words[max(0, place - 3) : place])
        and sheet.any_of("definite").isdisjoint(sheet.words[max(0, place - 3) : place])
        for place in ones
    )


def is_generic_head(sheet: Sheet, content: Sequence[int]) -> bool:
    """“a pair of shoes” and “something like a hat” name the shoes and the hat."""
    generic = sheet.any_of("generic")
    place = next((place for place, word in enumerate(sheet.guesses) if word in generic), None)
    if place is None or (content and content[0] < place):
        return False
    return sheet.words[place + 1 : place + 2] not in (["of"], ["like"])


def is_told(sheet: Sheet) -> bool:
    subjects = sheet.any_of("subjects")
    return any(
        left in subjects and (right in sheet.any_of("auxiliary") or right in sheet.any_of("function"))
        for left, right in pairwise(sheet.words)
    )


def object_refers(sheet: Sheet) -> bool:
    pronouns = sheet.any_of("singular") | sheet.any_of("plural")
    ends = {match.end for match in sheet.of("wish")} - _relative(sheet)
    return any(end < len(sheet.words) and sheet.words[end] in pronouns for end in ends)


def makers(sheet: Sheet, content: Sequence[int]) -> tuple[str, ...]:
    """Names typed with a capital behind by or from, and those that follow them at once: “from Save the Duck”."""
    by = sheet.any_of("by")
    places = [place for place in content if sheet.texts[place][:1].isupper()]
    led = {place for place in places if place and sheet.words[place - 1] in by}
    for place in places:
        if place - 1 in led:
            led.add(place)
    return tuple(sheet.words[place] for place in sorted(led))


def is_named(sheet: Sheet, content: Sequence[int]) -> bool:
    return any(
        sheet.words[place - 1] in sheet.any_of("definite")
        or (place > 1 and sheet.words[place - 2] in sheet.any_of("definite") and sheet.takers[place - 1] == "color")
        for place in content
        if place
    )


def is_inverted(sheet: Sheet) -> bool:
    aside = sheet.spans("offtopic")
    subjects = sheet.any_of("singular") | sheet.any_of("plural") | sheet.any_of("definite")
    polite = sheet.language.code == "de"  # “haben Sie” is you, “haben Sie sie” is them
    return any(
        left in sheet.any_of("auxiliary")
        and right in subjects
        and place not in aside
        and not (polite and right == "sie")
        and not (place and left in ("have", "has") and sheet.words[place - 1] in _OTHERS_HAVE)
        for place, (left, right) in enumerate(pairwise(sheet.words))
    )


def asks(sheet: Sheet) -> bool:
    """Whether a question word or auxiliary opens the clause, small words aside, or stands before a pronoun."""
    openers = sheet.any_of("interrogative") | sheet.any_of("auxiliary")
    small = sheet.spans("greeting", "thanks", "ack", "no")
    for place, word in enumerate(sheet.guesses):
        if word in openers:
            following = sheet.words[place + 1] if place + 1 < len(sheet.words) else ""
            return not following.endswith("ing") and not _forbids(sheet.words[place:])
        if place not in small and word not in sheet.any_of("fillers") and word not in sheet.any_of("conjunctions"):
            break
    if sheet.language.code == "zh" and not sheet.language.interrogative.isdisjoint(sheet.words):
        return True  # Chinese asks in place: “这个多少钱”
    chosen = any(  # “if I wear a 7, what size should I order”
        word in _CHOOSING and not sheet.any_of("auxiliary").isdisjoint(sheet.guesses[place + 1 : place + 3])
        for place, word in enumerate(sheet.guesses)
    )
    pairs = set(pairwise(sheet.guesses))
    asked = any(left in sheet.any_of("interrogative") and right in sheet.any_of("auxiliary") for left, right in pairs)
    return chosen or asked or ("how", "much") in pairs or is_inverted(sheet)


def _forbids(words: Sequence[str]) -> bool:
    """“don't go over 70” asks nothing, “don't you have it” does."""
    return [*words[:2]] == ["do", "not"] and [*words[2:3]] not in (
        ["you"],
        ["they"],
        ["we"],
        ["i"],
        ["these"],
        ["those"],
    )
