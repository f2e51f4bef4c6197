"""A clause spread out for reading: its words in a row, the phrases found in them, and who has taken which word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from shopping_agent.offline.lexicon import Language, Lexicon
from shopping_agent.offline.phrases import Match
from shopping_agent.offline.words import Clause, Token, unstretched

_ASIDES = {("you", "know"), ("i", "mean")}


@dataclass(slots=True)
class Sheet:
    """One clause while it is read. Words are taken by the reader that understood them; the rest is content."""

    words: list[str]
    """Folded, short forms spelled out."""
    texts: list[str]
    """As typed; empty for the second word of a spelled-out short form."""
    commas: list[bool]
    """Whether a comma or bracket stands before the word."""
    asked: bool
    joined: bool
    lone: bool
    """Whether it is a whole message of a word or two, which hardly tells its language: `holaa`."""
    language: Language
    english: Language
    lexicon: Lexicon
    matches: list[Match] = field(default_factory=list)
    guesses: list[str] = field(default_factory=list)
    """The words with misspelt cues mended: `mucuh` as `much`. Good for phrases, never for keywords."""
    takers: list[str] = field(default_factory=list)
    """Who took the word; empty: nobody yet."""

    @property
    def acts(self) -> frozenset[str]:
        return frozenset(match.act for match in self.matches)

    def of(self, *acts: str) -> list[Match]:
        """The phrases of any of `acts`, longest first at each start."""
        found = [match for match in self.matches if match.act in acts]
        return sorted(found, key=lambda match: (match.start, -match.end))

    def take(self, taker: str, places: Iterable[int]) -> None:
        """Mark words as understood; what is taken stays with its first taker."""
        for place in places:
            if not self.takers[place]:
                self.takers[place] = taker

    def free(self) -> list[int]:
        """Places nobody has taken."""
        return [place for place, taker in enumerate(self.takers) if not taker]

    def any_of(self, name: str) -> frozenset[str]:
        """A word list of the shopper's language joined with the English one, which everybody mixes in."""
        return self.lexicon.joined[self.language.code][name]

    def spans(self, *acts: str) -> frozenset[int]:
        """All places within phrases of `acts`."""
        return frozenset(place for match in self.of(*acts) for place in range(match.start, match.end))

    def lookup(self, name: str, word: str) -> str | int | None:
        """What a table of the shopper's language, else the English one, says of `word`."""
        found: str | int | None = getattr(self.language, name).get(word)
        return getattr(self.english, name).get(word) if found is None else found


MAX_RUN = 200  # characters of a run of Chinese; a message without marks is rarely a tenth of it


def cut_han(run: str, lexicon: Lexicon) -> list[str]:
    """A run of Han characters cut at known words, the longest first; what is between them stays whole."""
    pieces: list[str] = []
    unknown, at, run = "", 0, run[:MAX_RUN]
    while at < len(run):
        longest = min(lexicon.longest_han, len(run) - at)
        word = next((run[at : at + n] for n in range(longest, 0, -1) if run[at : at + n] in lexicon.han_words), "")
        if word:
            pieces.extend([unknown, word] if unknown else [word])
            unknown, at = "", at + len(word)
        else:
            unknown, at = unknown + run[at], at + 1
    return [*pieces, unknown] if unknown else pieces


def spell_out(token: Token, lexicon: Lexicon, language: Language) -> Sequence[tuple[str, str]]:
    """The (folded word, typed text) pairs a token stands for."""
    if token.is_han:
        return [(piece, piece) for piece in cut_han(token.norm, lexicon)]
    norm = unstretched(token.norm)
    short = language.short.get(norm) or lexicon.languages["en"].short.get(norm)
    if short:
        return [(word, token.text if index == 0 else "") for index, word in enumerate(short)]
    parts = norm.split("-")
    if len(parts) > 1 and set(parts) <= lexicon.book.words and norm not in language.things:
        return [(word, token.text if index == 0 else "") for index, word in enumerate(parts)]
    if norm.endswith("'s") and len(norm) > 3:
        norm = norm[:-2]
    return [(norm, token.text)]


def _is_breath(words: Sequence[str], place: int, language: Language) -> bool:
    """Whether a word is but a sound of speaking: um, äh; “you know” and “well” where they say nothing."""
    word = words[place]
    before = words[place - 1] if place else ""
    after = words[place + 1] if place + 1 < len(words) else ""
    if word in language.breaths:
        return len(words) > 1
    if (before, word) in _ASIDES or (word, after) in _ASIDES:
        start = place if (word, after) in _ASIDES else place - 1
        led = words[start - 1] if start else ""
        follows = words[start + 2] if start + 2 < len(words) else ""
        return led not in language.auxiliary and follows not in language.interrogative
    return word == "well" and (not before or before in language.function) and after not in ("rated", "reviewed", "made")


def spread(clause: Clause, lexicon: Lexicon, language: Language, *, lone: bool = False) -> Sheet:
    """The clause as a sheet without phrases yet."""
    words: list[str] = []
    texts: list[str] = []
    commas: list[bool] = []
    typed = [token.norm for token in clause.tokens]
    breaths = [_is_breath(typed, place, language) for place in range(len(typed))]
    for token in [token for token, breath in zip(clause.tokens, breaths, strict=True) if not breath or all(breaths)]:
        for index, (word, text) in enumerate(spell_out(token, lexicon, language)):
            words.append(word)
            texts.append(text)
            commas.append(token.after_comma and index == 0)
    return Sheet(
        words,
        texts,
        commas,
        clause.asked,
        clause.joined,
        lone,
        language,
        lexicon.languages["en"],
        lexicon,
        takers=[""] * len(words),
    )
