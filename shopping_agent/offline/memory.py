"""The state of a conversation, derived from its turns alone: the wish so far, what is in view, what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from search_client.analysis import fold, stem
from shopping_agent.conversation import Conversation, Turn
from shopping_agent.offline.focus import Focus, focus_of
from shopping_agent.offline.intents import Intent, Kind, View, intents, leading
from shopping_agent.offline.reading import ClauseReading, Knowledge, Reading, read
from shopping_agent.offline.wish import Wish
from shopping_agent.offline.words import clauses

WISHING = (Kind.WISH, Kind.CONTENT, Kind.MORE)
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
    asks = "?" in turn.text or "？" in turn.text or _opens_as_question(turn.text, known)
    asked = _asked(turn.text, known) if asks else None
    focus = focus_of(turn, known.lexicon)
    return replace(
        memory,
        focus=focus or memory.focus,
        asked=asked,
        was_asked=asks,
        wish=replace(memory.wish, seen=memory.wish.seen + len(turn.shown)),
    )


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
    memory = replace(memory, language=reading.language)
    if intent is not None and intent.kind in WISHING:
        memory = replace(memory, wish=next_wish(memory, reading, found, known))
    return memory, intent


def wish_of(clauses: Sequence[ClauseReading]) -> Wish:
    """What several clauses wish together."""
    wish = Wish()
    for clause in clauses:
        pairs = dict(zip(clause.roots, clause.keywords, strict=True))
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
    acts = frozenset(act for intent in found for act in intent.clause.acts)
    said = _with_suggestion(memory, said, acts)
    old = memory.wish
    if not old:
        return said
    if not starts_anew(memory, said, parts, known):
        seen = 0 if said else old.seen
        if "owned" in acts and not memory.focus.many and memory.focus:
            said = replace(said, exclude=(*said.exclude, memory.focus.products[0].title))
        return replace(old.amended(said), seen=seen)
    if "correct" in acts:
        said = replace(said, exclude=(*said.exclude, *_dropped(old, said, parts, known)))
    if "same" in acts and said.max_price is None:
        said = replace(said, max_price=old.max_price, min_price=old.min_price)
    return said


def _with_suggestion(memory: Memory, said: Wish, acts: frozenset[str]) -> Wish:
    """“show me”, “the brand you suggested”: what the assistant had named in its last turn is meant."""
    titles = [product.title for product in memory.focus.products if product.title and not product.id]
    if not titles or not ("suggested" in acts or not (said or "more" in acts)):
        return said
    named = Wish(keywords=tuple(titles[0].split()), norms=tuple(fold(titles[0]).split()))
    return said.amended(named)


def _dropped(old: Wish, said: Wish, parts: Sequence[Intent], known: Knowledge) -> list[str]:
    """What is not looked for any more after “sofas instead”: what the message set aside, else the old thing."""
    aside = [norm for intent in parts if intent.kind is Kind.CONTENT for norm in intent.clause.norms]
    for norms in (aside, old.norms):
        things = [norm for norm in norms if is_thing(norm, known) and norm not in said.norms]
        if things:
            return [" ".join(things[:2])]
    return []


def is_thing(norm: str, known: Knowledge) -> bool:
    """Whether a word names a kind of product, and not just something about one."""
    return not {norm, stem(norm)}.isdisjoint(known.nouns | known.ground.category_words)


def starts_anew(memory: Memory, said: Wish, parts: Sequence[Intent], known: Knowledge) -> bool:
    """Whether the message names a thing of its own, so that the old wish is over."""
    things = [norm for norm in said.norms if is_thing(norm, known)]
    old = memory.wish
    if not things or any(_same(thing, norm) for thing in things for norm in old.norms):
        return False
    if not any(is_thing(norm, known) for norm in old.norms):
        return not memory.was_asked and any(intent.kind is Kind.WISH for intent in parts)
    asked_back = memory.was_asked and not memory.focus.listed
    if asked_back and (all(intent.kind is not Kind.WISH for intent in parts) or _agrees(parts)):
        return False
    return not any(intent.clause.generic_head for intent in parts)


def _agrees(parts: Sequence[Intent]) -> bool:
    return any("ack" in intent.clause.acts for intent in parts)


def _same(left: str, right: str) -> bool:
    return left == right or stem(left) == stem(right)
