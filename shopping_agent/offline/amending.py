"""How a message changes the wish: a new one where it names a thing of its own, else the old one amended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from search_client.analysis import fold, stem
from shopping_agent.offline.clause import ClauseReading
from shopping_agent.offline.focus import Focus
from shopping_agent.offline.intents import Intent, Kind
from shopping_agent.offline.knowledge import Knowledge, is_modifier, is_product_word, is_thing
from shopping_agent.offline.wish import Wish

WISHING = (Kind.WISH, Kind.CONTENT, Kind.MORE)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a wish is said into."""

    focus: Focus = field(default_factory=Focus)
    was_asked: bool = False
    """Whether it answers a question."""
    denied: bool = False
    """Whether the wish so far found nothing."""
    named: Wish = field(default_factory=Wish)
    """The kind of thing the assistant spoke of last."""
    past: tuple[Wish, ...] = ()


def next_wish(old: Wish, around: Surroundings, found: Sequence[Intent], known: Knowledge) -> Wish:
    """The wish after a message whose clauses want `found`."""
    parts, _ = apart(found, known)
    acts = frozenset(act for intent in found for act in intent.clause.acts)
    said = _with_suggestion(said_together(parts, known), around.focus, acts)
    taken_up = _taken_up(said, around.past) if "back" in acts else None
    old = taken_up or old
    gifts = known.lexicon.gifts
    if old and said.norms and set(old.norms) <= gifts:
        old = replace(old, keywords=(), norms=())  # now it is told what the gift should be
    if not old:
        spoken_of = not said.norms and any(intent.clause.generic for intent in parts)
        return around.named.amended(said) if spoken_of else said
    if taken_up is None and starts_anew(old, said, parts, around=around, known=known):
        if "same" in acts and said.max_price is None:
            return replace(said, max_price=old.max_price, min_price=old.min_price)
        return said
    if "owned" in acts and around.focus and not around.focus.many:
        said = replace(said, exclude=(*said.exclude, around.focus.products[0].title))
    grounded = bool(old.norms) and bool(around.focus.listed)  # the catalog knew the words, be they slips or foreign
    if not grounded and not any(is_thing(norm, known) for norm in (*old.norms, *said.norms)) and not old.brands:
        old = around.named.amended(old)
    return replace(old.amended(said), seen=0 if said else old.seen)


def apart(found: Sequence[Intent], known: Knowledge) -> tuple[list[Intent], list[Intent]]:
    """The parts of the first wish, and those of wishes for other things that the same message names behind it."""
    parts = [intent for intent in found if intent.kind in WISHING]
    for at, intent in enumerate(parts):
        if (
            intent.clause.joined
            and at
            and _names_thing(intent, known)
            and any(_names_thing(p, known) for p in parts[:at])
        ):
            return parts[:at], parts[at:]
    return parts, []


def later_wishes(found: Sequence[Intent], known: Knowledge) -> tuple[Wish, ...]:
    """The wishes behind the first one, each on its own."""
    wishes = []
    _, rest = apart(found, known)
    while rest:
        first, rest = apart(rest, known)
        wishes.append(said_together(first, known))
    return tuple(wishes)


def _names_thing(intent: Intent, known: Knowledge) -> bool:
    return any(is_thing(root, known) for root in intent.clause.roots)


def said_together(parts: Sequence[Intent], known: Knowledge) -> Wish:
    """What several clauses wish together: several short messages in a row are one wish."""
    wish = Wish()
    named = any(is_product_word(root, known) for intent in parts for root in intent.clause.roots)
    for intent in parts:
        wish = wish.amended(_said(intent, known, named=named))
    return wish


def _said(intent: Intent, known: Knowledge, *, named: bool) -> Wish:
    clause = intent.clause
    pairs = list(zip(clause.roots, clause.keywords, strict=True))
    # Where the message names its product, what is told around it is not looked for.
    story = named and clause.told and not any(is_product_word(root, known) for root in clause.roots)
    kept = {root: word for root, word in pairs if not story or _is_telling(root, clause, known)}
    return Wish(
        keywords=tuple(kept.values()),
        norms=tuple(kept),
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


def _is_telling(root: str, clause: ClauseReading, known: Knowledge) -> bool:
    """Whether a word says something of a product: a thing, a value of the catalog, a name, a measure, a person."""
    if is_product_word(root, known) or root in known.ground.values or root in clause.names or root in clause.people:
        return True
    return is_modifier(root, known) or any(char.isdigit() for char in root) or bool({"wish", "brand_of"} & clause.acts)


def _with_suggestion(said: Wish, focus: Focus, acts: frozenset[str]) -> Wish:
    """“show me”, “the brand you suggested”: what the assistant had named in its last turn is meant."""
    titles = [product.title for product in focus.products if product.title and not product.id]
    if not titles or not ("suggested" in acts or not (said or "more" in acts)):
        return said
    return said.amended(Wish(keywords=tuple(titles[0].split()), norms=tuple(fold(titles[0]).split())))


def _taken_up(said: Wish, past: Sequence[Wish]) -> Wish | None:
    """The latest wish given up that shares a word with what is said now."""
    return next((wish for wish in past if any(_same(a, b) for a in wish.norms for b in said.norms)), None)


def starts_anew(old: Wish, said: Wish, parts: Sequence[Intent], *, around: Surroundings, known: Knowledge) -> bool:
    """Whether the message names a thing of its own, so that the old wish is over."""
    by_words = _anew_by_words(parts)
    if by_words is not None:
        return by_words
    things = [norm for norm in said.norms if is_thing(norm, known)]
    heads = [norm for norm in old.norms if is_thing(norm, known)]
    wished = any(intent.kind is Kind.WISH for intent in parts)
    if any(_same(norm, head) for norm in said.norms for head in heads[-1:]):
        return False
    rest = [norm for norm in said.norms if not any(_same(norm, other) for other in old.norms)]
    if len(rest) < len(said.norms):  # part of it was said before: “yoga blocks” after “yoga mat”
        return wished and bool(heads) and not all(_qualifies(norm, known) for norm in rest)
    if around.denied and not any(intent.clause.generic_head for intent in parts):
        return not all(_qualifies(norm, known) for norm in said.norms)
    if not things:
        return False
    if not heads:
        return not around.was_asked and wished
    asked_back = around.was_asked and not around.focus.listed
    if asked_back and (not wished or any("ack" in intent.clause.acts for intent in parts)):
        return False
    return not any(intent.clause.generic_head for intent in parts)


def _anew_by_words(parts: Sequence[Intent]) -> bool | None:
    """Whether the words say themselves that the old wish goes on, or is over; None where they do not."""
    if parts and all(_only_made_by(intent) for intent in parts):
        return False  # “any from Nike instead?”
    if any("correct" in intent.clause.acts and intent.clause.norms for intent in parts):
        return True  # “no, I meant dress shoes”
    if any(intent.clause.gift and intent.clause.norms and not intent.clause.singular for intent in parts):
        return True  # “a gift for my dad, he likes coffee”, after one for somebody else
    if parts and all(intent.clause.leans or "should" in intent.clause.acts for intent in parts):
        return False  # “for hiking”, “it should be dishwasher safe”
    return None


def _only_made_by(intent: Intent) -> bool:
    """Whether a maker is all that is named."""
    clause = intent.clause
    return bool(clause.makers) and set(clause.norms) <= set(clause.makers)


def _qualifies(norm: str, known: Knowledge) -> bool:
    return norm in known.ground.values or is_modifier(norm, known)


def _same(left: str, right: str) -> bool:
    return left == right or stem(left) == stem(right)
