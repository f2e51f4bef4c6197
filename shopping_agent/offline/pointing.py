"""Questions about products in view: which product is meant, and what is asked about it."""

from __future__ import annotations

import re

from search_client.analysis import fold, stem
from shopping_agent.actions import MAX_COMPARED, Action, GetProductDetails
from shopping_agent.conversation import Conversation
from shopping_agent.model import DecisionRequest
from shopping_agent.offline.clause import ClauseReading
from shopping_agent.offline.focus import Focus
from shopping_agent.offline.intents import Intent, Kind
from shopping_agent.offline.knowledge import Knowledge, is_product_word
from shopping_agent.offline.memory import Memory
from shopping_agent.offline.replies import Replies
from shopping_agent.references import Ambiguous, Found, Missing, find
from shopping_agent.superlatives import MEASURES

_ID_LIKE = re.compile(r"(?=.*\d)(?=.*[a-z])[a-z\d][a-z\d_-]{3,40}")
_MEASURE = re.compile(r"\d+(?:[.,]\d+)?[a-z]{1,4}")
MAX_ASPECT_WORDS = 4


def about_product(
    intent: Intent, before: Memory, request: DecisionRequest, *, known: Knowledge, say: Replies
) -> Action:
    """The details that answer the question, or a question back: which one?"""
    clause, conversation = intent.clause, request.conversation
    if before.focus and not before.focus.listed:
        return _told_product(intent, before.focus, known=known, say=say)
    unseen = _unseen_id(clause, conversation)
    if unseen:
        return GetProductDetails(product_id=unseen)
    aspect = _aspect(clause, before.focus, known)
    if _asks_of_it(intent, before.focus):
        return GetProductDetails(product_id=before.focus.listed[0].id, aspect=aspect)
    words = " ".join(_pointing_words(clause, known))
    kind = frozenset(before.wish.norms)
    found = find(words, conversation, viewing=request.viewing, facts_of=request.facts_of, kind=kind)
    measure = next((MEASURES[act][0] for act in sorted(clause.acts) if act in MEASURES), None)
    if measure and (isinstance(found, Ambiguous) or (isinstance(found, Missing) and before.focus.many)):
        return _side_by_side(found, before.focus, measure)
    if isinstance(found, Ambiguous) and intent.kind is Kind.COMPARE and len(found.candidates) <= MAX_COMPARED:
        found = Found(tuple(product.id for product in found.candidates))
    if isinstance(found, Found):
        return _details_of(found, intent, conversation, aspect)
    if isinstance(found, Ambiguous):
        return say("ambiguous", candidates=tuple(product.id for product in found.candidates[:MAX_COMPARED]))
    if before.focus.listed and not before.focus.many and intent.kind is Kind.QUESTION:
        return GetProductDetails(product_id=before.focus.listed[0].id, aspect=aspect)
    if before.asked == "which" and intent.kind is Kind.POINT and (clause.keywords or clause.colors):
        return GetProductDetails(product_id=" ".join((*clause.colors, *clause.keywords)), aspect=aspect)
    return say("no_such" if before.focus else "no_referent")


def _side_by_side(found: Ambiguous | Missing, focus: Focus, measure: str) -> Action:
    """Those that are equal in the measure, or all where no record tells, so that the shopper sees what is stated."""
    shown = found.candidates if isinstance(found, Ambiguous) else focus.listed
    ids = [product.id for product in shown[:MAX_COMPARED]]
    return GetProductDetails(product_id=ids[0], aspect=measure, compare_with=ids[1:])


def _asks_of_it(intent: Intent, focus: Focus) -> bool:
    """Whether a colour or size is asked for of the one product in view: “is it there in black”."""
    clause = intent.clause
    asked = intent.kind is Kind.QUESTION and clause.singular and bool(clause.colors or clause.sizes)
    return asked and bool(focus.listed) and not (focus.many or clause.norms or clause.generic or clause.ordinal)


def _details_of(found: Found, intent: Intent, conversation: Conversation, aspect: str | None) -> Action:
    ids = found.ids[:MAX_COMPARED]
    if intent.kind is Kind.COMPARE and len(ids) == 1:
        ids = _lately_shown(ids[0], conversation)
    return GetProductDetails(product_id=ids[0], aspect=aspect, compare_with=list(ids[1:]))


def _pointing_words(clause: ClauseReading, known: Knowledge) -> list[str]:
    """The words that may point at a product: what is asked about never picks it, save in “the waterproof one”."""
    if any(act.startswith("pick:") for act in clause.acts):
        return list(clause.guesses)
    ones = frozenset(word for language in known.lexicon.languages.values() for word in language.ones)
    aspects = _fact_words(known)
    ordinals = frozenset(word for language in known.lexicon.languages.values() for word in language.ordinals)
    read = [guess if guess in ordinals else word for word, guess in zip(clause.words, clause.guesses, strict=True)]
    return [word for word, after in zip(read, [*read[1:], ""], strict=True) if word not in aspects or after in ones]


def _aspect(clause: ClauseReading, focus: Focus, known: Knowledge) -> str | None:
    """What is asked, in the shopper's words; else the fact their words stand for; None for everything."""
    picked = next((MEASURES[act][0] for act in sorted(clause.acts) if act in MEASURES), None)
    if picked:
        return picked
    languages = known.lexicon.languages.values()
    idle = frozenset(word for own in languages for word in (*own.measuring, *own.ordinals, *own.numbers))
    content = [
        (norm, keyword.lower())
        for norm, keyword in zip(clause.norms, clause.keywords, strict=True)
        if norm not in idle and (norm in _fact_words(known) or stem(norm) not in focus.text)
    ]
    if not content and clause.singular and clause.inverted:  # “does it have bluetooth”, though its text speaks of it
        content = [(norm, word.lower()) for norm, word in zip(clause.norms, clause.keywords, strict=True)]
    ones = known.lexicon.languages["en"].ones  # “the red one” points, “is it there in red” asks
    values = [] if ones.intersection(clause.words) else [*clause.colors[-1:], *clause.sizes[-1:]]
    named = any(norm in _fact_words(known) for norm, _ in content)
    if values or named or (clause.question and not clause.aspects):
        words = [*(keyword for _, keyword in content), *values][:MAX_ASPECT_WORDS]
        return " ".join(dict.fromkeys(words)) or None
    return clause.aspects[0] if clause.aspects else None


def _fact_words(known: Knowledge) -> frozenset[str]:
    return frozenset(word for language in known.lexicon.languages.values() for word in language.aspects)


def _unseen_id(clause: ClauseReading, conversation: Conversation) -> str | None:
    """An id that was typed but never shown: the catalog may know it."""
    if len(clause.keywords) != 1 or clause.singular or clause.ordinal is not None:
        return None
    word = clause.norms[0]
    if not _ID_LIKE.fullmatch(word) or _MEASURE.fullmatch(word):
        return None
    shown = conversation.ever_shown
    titled = any(word in fold(product.title) for product in shown.values())
    return None if titled or word in {fold(product_id) for product_id in shown} else clause.keywords[0]


def _lately_shown(product_id: str, conversation: Conversation) -> tuple[str, ...]:
    """The product and the ones looked at before it, for “compare them” after several were opened one by one."""
    ids = [product.id for turn in reversed(conversation.turns) if len(turn.shown) == 1 for product in turn.shown]
    return tuple(dict.fromkeys([product_id, *ids]))[:2]


def _told_product(intent: Intent, focus: Focus, *, known: Knowledge, say: Replies) -> Action:
    """A product that was named in prose, without an id: by its name, if it is clear which one is meant."""
    clause = intent.clause
    aspect = _aspect(clause, focus, known)
    named = [product.title for product in focus.products if product.title and _mentions(clause, product.title)]
    told = [norm for norm in clause.norms if _is_name(norm, focus, known)]
    if len(named) == 1 or (told and not named):
        return GetProductDetails(product_id=named[0] if named else " ".join(told), aspect=aspect)
    unclear = focus.sure or (focus.many and not clause.singular) or (clause.other and not clause.aspects)
    if intent.kind is Kind.QUESTION and unclear and clause.ordinal is None and not named:
        return say("ambiguous")
    chosen = focus.products[0].title
    if clause.ordinal is not None and 0 < clause.ordinal <= len(focus.products):
        chosen = focus.products[clause.ordinal - 1].title
    return GetProductDetails(product_id=chosen or " ".join(clause.keywords) or "?", aspect=aspect)


def _is_name(norm: str, focus: Focus, known: Knowledge) -> bool:
    """Whether a word is a name the assistant used for a product, and no word for its kind or for a fact."""
    languages = known.lexicon.languages.values()
    everyday = is_product_word(norm, known) or any(norm in own.aspects or norm in own.numbers for own in languages)
    return not everyday and f" {norm} " in f" {focus.text} "


def _mentions(clause: ClauseReading, title: str) -> bool:
    words = fold(title).split()
    return any(norm in words for norm in (*clause.norms, *(fold(color) for color in clause.colors)))
