"""What an assistant's turn tells: a question and what it asks for, products put into view, how many there are."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from search_client.analysis import fold
from shopping_agent.conversation import Turn
from shopping_agent.offline.focus import Focus, focus_of, opens_with_denial
from shopping_agent.offline.knowledge import Knowledge, is_thing
from shopping_agent.offline.wish import Wish
from shopping_agent.offline.words import clauses

MAX_TOLD = 1000
_TOTAL = re.compile(r"(?:^|\s)(\d+) (?:for|für|pour|para|件) “")


@dataclass(frozen=True, slots=True)
class Told:
    """One turn of the assistant."""

    asks: bool = False
    asked: str | None = None
    """The facet asked for, or `which` of the products."""
    focus: Focus = field(default_factory=Focus)
    named: Wish = field(default_factory=Wish)
    """The kind of thing spoken of last: running shoes."""
    total: int | None = None
    """The count in our own answer to a search."""
    denies: bool = False
    """Whether it says first that there is nothing."""


def told_by(turn: Turn, known: Knowledge) -> Told:
    """Read a turn; the same text is read once."""
    told = known.told.get(turn.text)
    if told is None:
        asks = "?" in turn.text or "？" in turn.text or _opens_as_question(turn.text, known)
        asked = _asked(turn.text, known) if asks else None
        focus = focus_of(turn, known.lexicon)
        denies = not turn.shown and opens_with_denial(turn.text, known.lexicon)
        named = Wish() if denies else _kind_named(turn.text, known)
        told = Told(asks, asked, focus, named, _total(turn.text), denies)
        if len(known.told) >= MAX_TOLD:
            known.told.clear()
        known.told[turn.text] = told
    return told


def _opens_as_question(text: str, known: Knowledge) -> bool:
    """“May I know your size”: a question whose mark was left out."""
    english = known.lexicon.languages["en"]
    openers = english.interrogative | english.auxiliary
    return any(clause.tokens[0].norm in openers for clause in clauses(text))


def _asked(text: str, known: Knowledge) -> str | None:
    """The facet a question asks for."""
    folded = fold(text)
    words = {token.norm for clause in clauses(text) for token in clause.tokens}
    for word, facet in known.lexicon.asked.items():
        if word in words or (not word.isascii() and word in folded):
            return facet
    return None


def _kind_named(text: str, known: Knowledge) -> Wish:
    """The last thing to buy that a text names, with what qualifies it: running shoes."""
    modifiers = frozenset().union(*(language.modifiers for language in known.lexicon.languages.values()))
    found: list[str] = []
    for clause in clauses(text):
        words = [token.norm for token in clause.tokens]
        for place, word in enumerate(words):
            if is_thing(word, known):
                before = words[place - 1] if place else ""
                found = [before, word] if before in modifiers or is_thing(before, known) else [word]
    return Wish(keywords=tuple(found), norms=tuple(found))


def _total(text: str) -> int | None:
    """The count in our own answer to a search, as `render` words it; None in any other text."""
    found = _TOTAL.search(text)
    return int(found[1]) if found else None
