"""What the offline model knows of languages: one readable table a language, joined into one lexicon."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from typing import Any

from search_client.analysis import fold
from shopping_agent.offline.phrases import PhraseBook, expansions

LANGUAGES = ("en", "de", "fr", "es", "zh")


@dataclass(frozen=True, slots=True)
class Language:
    """The single words of one language."""

    code: str
    function: frozenset[str]
    """Words that never are what is looked for."""
    fillers: frozenset[str]
    breaths: frozenset[str]
    """Sounds made while speaking: um, äh."""
    generic: frozenset[str]
    """Heads that name no product: something, one, ones, items."""
    departments: frozenset[str]
    people: frozenset[str]
    relatives: frozenset[str]
    """People something is for, whom no product names: a gift for my wife."""
    gifts: frozenset[str]
    """Words that say why something is bought, and not what: a gift for a cook."""
    fresh: frozenset[str]
    """New, where it only says that one is missing: a new sofa."""
    comparatives: Mapping[str, str]
    """Word to what is looked for: smaller to small."""
    nouns: frozenset[str]
    """Common things shops sell."""
    things: frozenset[str]
    """People, goods and colours together: words that tell the language a little."""
    modifiers: frozenset[str]
    """Words that qualify a thing and are none: waterproof, cotton."""
    lookalikes: frozenset[str]
    """Everyday words that only look like a misspelt word of a phrase."""
    short: Mapping[str, tuple[str, ...]]
    colors: Mapping[str, str]
    """Word to the English name of the colour."""
    shades: frozenset[str]
    sizes: Mapping[str, str]
    """Word to its usual short form: large to l."""
    size_words: frozenset[str]
    size_tails: frozenset[str]
    bed_sizes: frozenset[str]
    """King, queen, twin: sizes only beside a word of `bedding`."""
    bedding: frozenset[str]
    aspects: Mapping[str, str]
    articles: frozenset[str]
    holding: frozenset[str]
    """Prepositions behind which an “and” joins parts of one thing: with a strap and a lock."""
    leaning: frozenset[str]
    """Prepositions with which a message goes on from the last one."""
    measuring: frozenset[str]
    """Words that ask for a fact only where no other word names one: long, much, old."""
    negators: frozenset[str]
    possessive: frozenset[str]
    """Words that say whose somebody is: my daughter."""
    numbers: Mapping[str, int]
    ordinals: Mapping[str, int]
    singular: frozenset[str]
    plural: frozenset[str]
    definite: frozenset[str]
    indefinite: frozenset[str]
    subjects: frozenset[str]
    """Pronouns and the like that sentences are told about."""
    counters: frozenset[str]
    """Words before a position: number, option."""
    others: frozenset[str]
    ones: frozenset[str]
    interrogative: frozenset[str]
    auxiliary: frozenset[str]
    conjunctions: frozenset[str]
    by: frozenset[str]
    """Words behind which a maker is named: from, by."""
    boundary: frozenset[str]
    """Words at which a list of unwanted things ends."""
    replies: Mapping[str, str]
    says: Mapping[str, str]
    """Sentences around what the catalog says: how many were found, what is not told."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All languages and one book of phrases."""

    languages: Mapping[str, Language]
    book: PhraseBook
    joined: Mapping[str, Mapping[str, frozenset[str]]]
    """By language, each of its word lists together with the English one, which everybody mixes in."""
    currencies: frozenset[str]
    units: frozenset[str]
    factors: Mapping[str, int]
    """Words that multiply the number before them: thousand, 千."""
    not_names: frozenset[str]
    """Capitalised words that begin no product name."""
    turning: frozenset[str]
    """Words after which a refusal goes on to offer something: but, instead."""
    asked: Mapping[str, str]
    """Word of an assistant's question to the facet it asks for."""
    gifts: frozenset[str] = frozenset()
    picking: frozenset[str] = frozenset()
    """Words of the phrases that pick the most or the least of a list: lightest, battery, longest."""
    han_words: frozenset[str] = field(default_factory=frozenset)
    """Every Chinese word known, for cutting text that is written without spaces."""
    longest_han: int = 1


def _words(text: object) -> frozenset[str]:
    return frozenset(fold(word) for word in str(text).split())


def _inverted(table: Mapping[str, Any], *, but: Iterable[str] = ()) -> dict[str, str]:
    """`grey = "grey gray"` as {grey: grey, gray: grey}."""
    return {fold(word): name for name, words in table.items() if name not in but for word in str(words).split()}


def _language(code: str, table: Mapping[str, Any]) -> Language:
    words, pronouns, sizes = table["words"], table["pronouns"], table["sizes"]
    return Language(
        code=code,
        function=_words(words["function"]),
        fillers=_words(words["fillers"]),
        breaths=_words(words["breaths"]),
        generic=_words(words["generic"]),
        departments=_words(words["departments"]),
        people=_words(words["people"]),
        relatives=_words(words.get("relatives", "")),
        gifts=_words(words["gifts"]),
        fresh=_words(words["fresh"]),
        comparatives=_inverted(table["comparatives"]),
        nouns=_words(words["nouns"]),
        things=_words(words["people"]) | _words(words["nouns"]) | frozenset(_inverted(table["colors"])),
        modifiers=_words(words.get("modifiers", "")),
        lookalikes=_words(words.get("lookalikes", "")),
        short={fold(key): tuple(str(value).split()) for key, value in table.get("short", {}).items()},
        colors=_inverted(table["colors"]),
        shades=_words(table.get("shades", {}).get("words", "")),
        sizes=_inverted(sizes, but=("words", "after", "beds", "bedding")),
        size_words=_words(sizes.get("words", "")),
        size_tails=_words(sizes.get("after", "")),
        bed_sizes=_words(sizes.get("beds", "")),
        bedding=_words(sizes.get("bedding", "")),
        aspects=_inverted(table["aspects"]),
        articles=_words(pronouns["articles"]),
        holding=_words(pronouns["holding"]),
        leaning=_words(pronouns["leaning"]),
        measuring=_words(pronouns["measuring"]),
        negators=_words(pronouns["negators"]),
        possessive=_words(pronouns["possessive"]),
        numbers={fold(key): int(value) for key, value in table["numbers"].items()},
        ordinals={fold(key): int(value) for key, value in table["ordinals"].items()},
        singular=_words(pronouns["singular"]),
        plural=_words(pronouns["plural"]),
        definite=_words(pronouns["definite"]),
        indefinite=_words(pronouns["indefinite"]),
        subjects=_words(pronouns["subjects"]),
        counters=_words(pronouns["counters"]),
        others=_words(pronouns["others"]),
        ones=_words(pronouns["ones"]),
        interrogative=_words(pronouns["interrogative"]),
        auxiliary=_words(pronouns["auxiliary"]),
        conjunctions=_words(pronouns["and"]),
        by=_words(pronouns.get("by", "")),
        boundary=_words(pronouns["boundary"]),
        replies=dict(table["replies"]),
        says=dict(table["says"]),
    )


@cache
def load_lexicon() -> Lexicon:
    """Read all tables; once a process."""
    folder = resources.files("shopping_agent.offline") / "lexicons"
    tables = {
        code: tomllib.loads((folder / f"{code}.toml").read_text(encoding="utf-8"))
        for code in LANGUAGES
        if (folder / f"{code}.toml").is_file()
    }
    languages = {code: _language(code, table) for code, table in tables.items()}
    book = PhraseBook(word for language in languages.values() for word in language.fillers)
    for code, table in tables.items():
        for act, patterns in table["acts"].items():
            for pattern in patterns:
                book.add(fold(pattern), act=act, language=code)
    zh = languages.get("zh")
    han = frozenset(
        word for word in (*book.words, *(_all_words(zh) if zh else ())) if word and "\u3400" <= word[0] <= "\u9fff"
    )
    common = tomllib.loads((folder / "common.toml").read_text(encoding="utf-8"))
    picks = [
        fold(p)
        for table in tables.values()
        for act, found in table["acts"].items()
        if act[:5] == "pick:"
        for p in found
    ]
    return Lexicon(
        languages=languages,
        book=book,
        joined={code: _joined(language, languages["en"]) for code, language in languages.items()},
        currencies=_words(common["currencies"]),
        units=_words(common["units"]),
        factors={fold(word): int(factor) for word, factor in common["factors"].items()},
        not_names=_words(common["not_names"]),
        turning=_words(common["turning"]),
        asked=_inverted(common["asked"]),
        gifts=frozenset(word for language in languages.values() for word in language.gifts),
        picking=frozenset(word for pattern in picks for words in expansions(pattern) for word in words),
        han_words=han,
        longest_han=max((len(word) for word in han), default=1),
    )


# Latin words in a Chinese message are names: the A of “A品牌” is no article.
_OWN_IN_CHINESE = ("function", "fillers", "generic")


def _joined(language: Language, english: Language) -> dict[str, frozenset[str]]:
    joined = {}
    for each in fields(Language):
        own = getattr(language, each.name)
        if isinstance(own, frozenset):
            alone = language.code == "zh" and each.name in _OWN_IN_CHINESE
            joined[each.name] = own if alone else own | getattr(english, each.name)
    return joined


def _all_words(language: Language) -> set[str]:
    tables = (
        language.comparatives,
        language.colors,
        language.sizes,
        language.aspects,
        language.numbers,
        language.ordinals,
    )
    sets = (
        language.function,
        language.generic,
        language.people,
        language.nouns,
        language.modifiers,
        language.singular,
        language.plural,
        language.interrogative,
        language.departments,
        language.size_words,
    )
    return set().union(*sets, *tables)
