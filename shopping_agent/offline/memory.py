"""The state of a conversation, derived from its turns alone: the wish so far, what is in view, what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from search_client.analysis import fold
from shopping_agent.conversation import Conversation, Turn
from shopping_agent.offline.focus import Focus, focus_of
from shopping_agent.offline.intents import Intent, Kind, View, intents, leading
from shopping_agent.offline.reading import ClauseReading, Knowledge, Reading, is_product_word, read
from shopping_agent.offline.wish import Wish
from shopping_agent.offline.words import clauses

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
    asks = "?" in turn.text or "？" in turn.text
    asked = _asked(turn.text, known) if asks else None
    focus = focus_of(turn, known.lexicon)
    return replace(
        memory,
        focus=focus or memory.focus,
        asked=asked,
        was_asked=asks,
        wish=replace(memory.wish, seen=memory.wish.seen + len(turn.shown)),
    )


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
    memory = replace(memory, language=reading.language)
    if intent is not None and intent.kind in (Kind.WISH, Kind.CONTENT, Kind.MORE):
        memory = replace(memory, wish=next_wish(memory, reading, found, known))
    return memory, intent


def wish_of(clauses: Sequence[ClauseReading]) -> Wish:
    """What several clauses wish together."""
    wish = Wish()
    for clause in clauses:
        pairs = dict(zip(clause.norms, clause.keywords, strict=True))
        wish = wish.amended(
            Wish(
                keywords=tuple(pairs.values()),
                norms=tuple(pairs),
                min_price=clause.bounds.min_price,
                max_price=clause.bounds.max_price,
                min_rating=clause.bounds.min_rating,
                colors=clause.colors,
                sizes=clause.sizes,
                brands=clause.brands,
                exclude=clause.exclude,
                sort=clause.sort,
                in_stock=clause.in_stock,
                on_sale=clause.on_sale,
            )
        )
    return wish


def next_wish(memory: Memory, reading: Reading, found: Sequence[Intent], known: Knowledge) -> Wish:
    """The wish after a message: a new one where it names a new thing, else the old one amended."""
    parts = [intent for intent in found if intent.kind in (Kind.WISH, Kind.CONTENT, Kind.MORE)]
    said = wish_of([intent.clause for intent in parts])
    old = memory.wish
    if not old:
        return said
    if starts_anew(memory, said, parts, known):
        swapped = any("correct" in intent.clause.acts for intent in found)
        heads = [norm for norm in old.norms if is_product_word(norm, known) and norm not in said.norms]
        kept = replace(said, exclude=(*said.exclude, *heads[-1:])) if swapped else said
        if any("same" in intent.clause.acts for intent in found) and said.max_price is None:
            kept = replace(kept, max_price=old.max_price, min_price=old.min_price)
        return kept
    return replace(old.amended(said), seen=old.seen if not said else 0)


def starts_anew(memory: Memory, said: Wish, parts: Sequence[Intent], known: Knowledge) -> bool:
    """Whether the message names a thing of its own, so that the old wish is over."""
    if not said.norms:
        return False
    old = memory.wish
    things = [norm for norm in said.norms if is_product_word(norm, known)]
    if any(_same(thing, norm) for thing in said.norms for norm in old.norms):
        return False
    generic = any(intent.clause.generic for intent in parts)
    if things:
        return not (generic and len(things) == 1 and len(said.norms) == 1) or not old.norms
    if generic or memory.was_asked:
        return False
    return any(intent.kind is Kind.WISH for intent in parts) or len(said.norms) > 2


def _same(left: str, right: str) -> bool:
    return left == right or left.rstrip("s") == right.rstrip("s")
