"""The state of a conversation, derived from its turns alone: the wish so far, what is in view, what was asked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from search_client.analysis import fold
from shopping_agent.conversation import Conversation, Turn
from shopping_agent.offline.amending import WISHING, Surroundings, next_wish
from shopping_agent.offline.clause import Reading
from shopping_agent.offline.focus import Focus, focus_of
from shopping_agent.offline.intents import Intent, View, intents, leading
from shopping_agent.offline.knowledge import Knowledge, is_thing
from shopping_agent.offline.reading import read
from shopping_agent.offline.wish import Wish
from shopping_agent.offline.words import clauses

MAX_PAST = 5
_TOTAL = re.compile(r"\b(?:Found|closest of) (\d+) for “")
MAX_TURNS = 40  # older turns never mattered in the dialogues read, and each costs a reading


@dataclass(frozen=True, slots=True)
class Memory:
    """What the turns so far amount to."""

    wish: Wish = field(default_factory=Wish)
    focus: Focus = field(default_factory=Focus)
    asked: str | None = None
    """The facet the assistant's last turn asked about."""
    was_asked: bool = False
    """Whether the assistant's last turn ended in a question."""
    language: str = "en"
    wishing: bool = False
    """Whether the shopper's last turn was a wish, so that what is listed next answers it."""
    total: int | None = None
    """How many products the shop has for the wish; None: not told."""
    named: Wish = field(default_factory=Wish)
    """The kind of thing the assistant spoke of last, for a conversation whose beginning is cut off."""
    past: tuple[Wish, ...] = ()
    """Wishes given up, latest first: “back to the mats” takes one up again."""


def recall(conversation: Conversation, known: Knowledge) -> Memory:
    """Fold the turns, oldest first."""
    memory = Memory()
    for turn in conversation.turns[-MAX_TURNS:]:
        memory = (
            after_assistant(memory, turn, known) if turn.role == "assistant" else after_user(memory, turn.text, known)
        )
    return memory


def after_assistant(memory: Memory, turn: Turn, known: Knowledge) -> Memory:
    """The state once the assistant has spoken."""
    asks = "?" in turn.text or "？" in turn.text or _opens_as_question(turn.text, known)
    asked = _asked(turn.text, known) if asks else None
    told = not memory.focus.listed or turn.shown  # once products have ids, prose names none
    focus = focus_of(turn, known.lexicon) if told else memory.focus
    return replace(
        memory,
        focus=focus or memory.focus,
        asked=asked,
        was_asked=asks,
        named=_kind_named(turn.text, known) or memory.named,
        total=_total(turn.text) if memory.wishing else memory.total,
        wish=replace(memory.wish, seen=memory.wish.seen + len(turn.shown)) if memory.wishing else memory.wish,
    )


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


def after_user(memory: Memory, text: str, known: Knowledge) -> Memory:
    """The state once the shopper has spoken."""
    reading = read(text, known, before=memory.language, asked=memory.asked)
    return follow(memory, reading, known)[0]


def follow(memory: Memory, reading: Reading, known: Knowledge) -> tuple[Memory, Intent | None]:
    """The state after a reading, and the intent that counted."""
    view = View(memory.focus, frozenset(memory.wish.norms), memory.asked, memory.was_asked)
    found = intents(reading, view, known)
    intent = leading(found, view, known)
    wishing = intent is not None and intent.kind in WISHING
    memory = replace(memory, language=reading.language, wishing=wishing)
    if wishing:
        wish = next_wish(memory.wish, _surroundings(memory), found, known)
        given_up = memory.wish and not set(memory.wish.norms) <= set(wish.norms)
        past = (memory.wish, *memory.past)[:MAX_PAST] if given_up else memory.past
        memory = replace(memory, wish=wish, past=past)
    return memory, intent


def _surroundings(memory: Memory) -> Surroundings:
    return Surroundings(memory.focus, memory.was_asked, memory.named, memory.past)
