"""The state of a conversation, derived from its turns alone: the wish so far, what is in view, what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from search_client.analysis import fold
from shopping_agent.conversation import Conversation, Turn
from shopping_agent.offline.amending import WISHING, Surroundings, later_wishes, next_wish
from shopping_agent.offline.clause import Reading
from shopping_agent.offline.focus import Focus
from shopping_agent.offline.intents import Intent, Kind, View, intents, leading
from shopping_agent.offline.knowledge import Knowledge
from shopping_agent.offline.reading import read
from shopping_agent.offline.told import told_by
from shopping_agent.offline.wish import Wish

MAX_PAST = 5
MAX_TURNS = 40  # older turns never mattered in the dialogues read, and each costs a reading


@dataclass(frozen=True, slots=True)
class Memory:
    """What the turns so far amount to."""

    wish: Wish = field(default_factory=Wish)
    focus: Focus = field(default_factory=Focus)
    ids: frozenset[str] = frozenset()
    """Folded ids of all products shown so far."""
    asked: str | None = None
    """The facet the assistant's last turn asked about."""
    was_asked: bool = False
    """Whether the assistant's last turn ended in a question."""
    language: str = "en"
    wishing: bool = False
    """Whether the shopper's last turn was a wish, so that what is listed next answers it."""
    denied: bool = False
    """Whether the assistant's last turn said that there is nothing."""
    total: int | None = None
    """How many products the shop has for the wish; None: not told."""
    named: Wish = field(default_factory=Wish)
    """The kind of thing the assistant spoke of last, for a conversation whose beginning is cut off."""
    later: tuple[Wish, ...] = ()
    """Further wishes of the shopper's last message."""
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
    told = told_by(turn, known)
    prose_counts = not memory.focus.listed or turn.shown  # once products have ids, prose names none
    return replace(
        memory,
        focus=(told.focus or memory.focus) if prose_counts else memory.focus,
        ids=memory.ids | {fold(product.id) for product in turn.shown},
        asked=told.asked,
        was_asked=told.asks,
        denied=told.denies,
        named=told.named or memory.named,
        total=told.total if memory.wishing else memory.total,
        wish=replace(memory.wish, seen=memory.wish.seen + len(turn.shown)) if memory.wishing else memory.wish,
    )


def after_user(memory: Memory, text: str, known: Knowledge) -> Memory:
    """The state once the shopper has spoken."""
    reading = read(text, known, before=memory.language, asked=memory.asked)
    return follow(memory, reading, known)[0]


def follow(memory: Memory, reading: Reading, known: Knowledge) -> tuple[Memory, Intent | None]:
    """The state after a reading, and the intent that counted."""
    view = View(memory.focus, memory.ids, frozenset(memory.wish.norms), memory.asked, memory.was_asked)
    found = intents(reading, view, known)
    intent = _pointed(leading(found, view, known), found)
    wishing = intent is not None and intent.kind in WISHING
    memory = replace(memory, language=reading.language, wishing=wishing, later=())
    if wishing:
        wish = next_wish(memory.wish, _surroundings(memory), found, known)
        given_up = memory.wish and not set(memory.wish.norms) <= set(wish.norms)
        past = (memory.wish, *memory.past)[:MAX_PAST] if given_up else memory.past
        memory = replace(memory, wish=wish, past=past, later=later_wishes(found, known))
    return memory, intent


def _pointed(intent: Intent | None, found: Sequence[Intent]) -> Intent | None:
    """“The first one looks good. Is it waterproof?”: what it stands for is pointed at in the clause before."""
    if intent is None or intent.kind is not Kind.QUESTION or not intent.clause.singular or intent.clause.ordinal:
        return intent
    pointing = next((other.clause for other in found if other.kind is Kind.POINT and other.clause.ordinal), None)
    if pointing is None:
        return intent
    clause = intent.clause
    return replace(
        intent,
        clause=replace(
            clause,
            ordinal=pointing.ordinal,
            words=(*pointing.words, *clause.words),
            guesses=(*pointing.guesses, *clause.guesses),
        ),
    )


def _surroundings(memory: Memory) -> Surroundings:
    return Surroundings(memory.focus, memory.was_asked, memory.denied, memory.named, memory.past)
