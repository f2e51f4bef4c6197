"""From what a message says and what the conversation is about to one action."""

from __future__ import annotations

from search_client.analysis import fold
from shopping_agent.actions import MAX_COMPARED, Action, Clarify, GetProductDetails
from shopping_agent.conversation import Conversation
from shopping_agent.offline.focus import Focus
from shopping_agent.offline.intents import Intent, Kind
from shopping_agent.offline.lexicon import Language
from shopping_agent.offline.memory import Memory, follow, recall
from shopping_agent.offline.reading import ClauseReading, Knowledge, is_product_word, read
from shopping_agent.offline.wish import Wish
from shopping_agent.references import Ambiguous, Found, find


def decide(message: str, conversation: Conversation, known: Knowledge, *, viewing: str | None = None) -> Action:
    """The one action for `message`."""
    before = recall(conversation, known)
    reading = read(message, known, before=before.language, asked=before.asked)
    after, intent = follow(before, reading, known)
    say = Replies(known, after.language)
    if intent is None:
        return say("gibberish")
    match intent.kind:
        case Kind.QUESTION | Kind.POINT | Kind.COMPARE:
            return _about_product(message, intent, conversation, before, after, known, say, viewing)
        case Kind.MORE:
            return after.wish.to_search(offset=before.wish.seen) if after.wish else say("vague", about="category")
        case Kind.WISH | Kind.CONTENT:
            return _search(intent, before, after, known, say)
        case _:
            return say(intent.reason)


class Replies:
    """Our own sentences in the shopper's language."""

    def __init__(self, known: Knowledge, language: str) -> None:
        self._own = known.lexicon.languages[language].replies
        self._english = known.lexicon.languages["en"].replies

    def __call__(self, reason: str, *, about: str | None = None, candidates: tuple[str, ...] = ()) -> Clarify:
        """The question for `reason`."""
        text = self._own.get(reason) or self._english.get(reason) or self._english["gibberish"]
        return Clarify(question=text, about=about, candidates=list(candidates))


def _search(intent: Intent, before: Memory, after: Memory, known: Knowledge, say: Replies) -> Action:
    wish, clause = after.wish, intent.clause
    if not wish.keywords and not wish.brands:
        only = wish.colors or wish.sizes or wish.exclude or wish.min_price is not None or wish.max_price is not None
        return say("vague", about="category") if not (only and before.wish) else wish.to_search()
    language = known.lexicon.languages[after.language]
    if not before.wish and not wish.brands:
        words = set(wish.norms)
        if words <= language.people:
            return say("person", about="category")
        if words <= language.departments | language.people and (clause.generic or "gift" in words or "gifts" in words):
            return say("gift" if "gift" in words or "gifts" in words else "vague", about="category")
    if intent.kind is Kind.CONTENT and not before.wish and _is_remark(clause, wish, known, language):
        return say("offtopic")
    return wish.to_search()


def _is_remark(clause: ClauseReading, wish: Wish, known: Knowledge, language: Language) -> bool:
    """A sentence with a verb that names nothing a shop sells."""
    verbs = language.auxiliary
    return (
        any(word in verbs for word in clause.words)
        and not any(is_product_word(norm, known) for norm in wish.norms)
        and not clause.brands
    )


def _about_product(
    message: str,
    intent: Intent,
    conversation: Conversation,
    before: Memory,
    after: Memory,
    known: Knowledge,
    say: Replies,
    viewing: str | None,
) -> Action:
    clause = intent.clause
    aspect = clause.aspects[0] if clause.aspects else None
    if before.focus and not before.focus.listed:
        return _told_product(intent, before, known, say, aspect)
    found = find(" ".join(clause.words), conversation, viewing=viewing)
    match found:
        case Found():
            ids = found.ids[:MAX_COMPARED]
            return GetProductDetails(product_id=ids[0], aspect=aspect, compare_with=list(ids[1:]))
        case Ambiguous():
            return say("ambiguous", candidates=tuple(product.id for product in found.candidates[:MAX_COMPARED]))
        case _ if before.focus.listed and not before.focus.many and intent.kind is Kind.QUESTION:
            return GetProductDetails(product_id=before.focus.listed[0].id, aspect=aspect)
        case _:
            return say("no_such" if before.focus else "no_referent")


def _told_product(intent: Intent, before: Memory, known: Knowledge, say: Replies, aspect: str | None) -> Action:
    """A product that was named in prose, without an id: by its name, if it is clear which one is meant."""
    clause, focus = intent.clause, before.focus
    named = [product.title for product in focus.products if product.title and _mentions(clause, product.title)]
    if len(named) == 1:
        return GetProductDetails(product_id=named[0], aspect=aspect)
    told = [norm for norm in clause.norms if _is_name(norm, focus, known)]
    if told and not named:
        return GetProductDetails(product_id=" ".join(told), aspect=aspect)
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
