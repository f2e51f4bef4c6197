"""Misspelt words: which cue or product noun a word one slip away stands for, and the phrases found that way."""

from __future__ import annotations

from collections.abc import Sequence

from search_client.analysis import TypoCorrector
from shopping_agent.offline.knowledge import Knowledge, is_product_word
from shopping_agent.offline.phrases import Match
from shopping_agent.offline.sheet import Sheet

MIN_MIXED_IN = 6  # shorter words of other languages lie next to English ones: lait, last
MIN_MENDED = 5  # shorter nouns have too many neighbours: boot, book, boat


def guesses(sheet: Sheet, known: Knowledge) -> list[str]:
    """The words with what is one slip away from a cue word read as that cue."""
    own, english = known.spellers.get(sheet.language.code), known.spellers["en"]

    def read(word: str) -> str:
        mixed = sheet.lone or own is None or len(word) >= MIN_MIXED_IN
        spellers = [own or english, *(known.spellers.values() if sheet.lone else [english] if mixed else ())]
        return word if not word.isascii() or is_known(word, sheet, known) else _mended(word, spellers)

    return [read(word) for word in sheet.words]


def _mended(word: str, spellers: Sequence[TypoCorrector]) -> str:
    for speller in spellers:
        near = speller.candidates(word, limit=1)
        if near and near[0].edits == 1:
            return near[0].word
    return word


def is_known(word: str, sheet: Sheet, known: Knowledge) -> bool:
    if word in known.cues or word in sheet.any_of("lookalikes"):
        return True
    return is_product_word(word, known) or sheet.lookup("colors", word) is not None


def phrases(sheet: Sheet, known: Knowledge) -> list[Match]:
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
            if inside and (match.end - match.start > len(inside) or sheet.lone or _bounds_number(match, sheet)):
                found.append(match)
    own = {sheet.language.code, "en"}
    found = [match for match in found if match.language in own or match.end - match.start == whole]
    idioms = [match for match in found if match.act == "idiom"]
    praise = [match for match in found if match.act == "ack" and match.end - match.start > 1]
    return [match for match in found if match in idioms or not _swallowed(match, idioms, praise)]


def _swallowed(match: Match, idioms: Sequence[Match], praise: Sequence[Match]) -> bool:
    """Whether a phrase is but part of an idiom (“do you have to”), or a word of praise (“they look great”)."""
    lone_wish = match.act == "wish" and match.end - match.start == 1
    return any(_within(match, whole) for whole in (*idioms, *(praise if lone_wish else ())))


def _bounds_number(match: Match, sheet: Sheet) -> bool:
    """“undr 50”: a price word right before a number is one, however it is spelt."""
    following = sheet.words[match.end : match.end + 1]
    return match.act.startswith("price:") and bool(following) and following[0][0] in "0123456789$€£¥"


def _within(match: Match, other: Match) -> bool:
    return other.start <= match.start and match.end <= other.end


def root_of(word: str, sheet: Sheet, known: Knowledge) -> str:
    """The word, or the product noun it misspells: `shpoes` is compared as shoes."""
    if len(word) < MIN_MENDED or is_known(word, sheet, known):
        return word
    near = known.ground.speller.candidates(word, limit=1)
    return near[0].word if near and near[0].edits == 1 else word
