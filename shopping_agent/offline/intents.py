"""What a clause wants, seen from what the conversation is about; and which clause of a message counts."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from shopping_agent.offline.focus import Focus
from shopping_agent.offline.lexicon import Language
from shopping_agent.offline.reading import ClauseReading, Knowledge, Reading


class Kind(enum.StrEnum):
    WISH = "wish"
    MORE = "more"
    QUESTION = "question"
    COMPARE = "compare"
    POINT = "point"
    REFUSE = "refuse"
    """Something this page does not do: orders, delivery, discounts, small errands."""
    CONTENT = "content"
    """Words or conditions without a request around them."""
    TALK = "talk"


@dataclass(frozen=True, slots=True)
class Intent:
    """The reading of one clause. `reason` names the reply of a REFUSE or TALK."""

    kind: Kind
    clause: ClauseReading
    reason: str = ""


_ERRANDS = ("order", "purchase", "contact", "offtopic", "about_you")
_TERMS = ("shipping", "discount", "returns", "payment", "authenticity", "advice")
_TALK = ("feedback", "repeat", "cancel", "about_you", "goodbye", "thanks", "capabilities", "greeting", "no", "ack")


def is_product_word(norm: str, known: Knowledge) -> bool:
    """Whether a word names a thing that shops sell, in any language or in this catalog."""
    if norm in known.nouns or norm in known.ground.category_words or norm in known.ground.terms:
        return True
    return norm.endswith("s") and (norm[:-1] in known.nouns or norm[:-1] in known.ground.terms)


def names_product(clause: ClauseReading, known: Knowledge) -> bool:
    """Whether the clause's content names a thing to buy."""
    return any(is_product_word(norm, known) for norm in clause.norms)


def in_focus(norm: str, focus: Focus) -> bool:
    """Whether a word was used for what is in view."""
    stem = norm[:-1] if norm.endswith("s") and len(norm) > 3 else norm
    return len(stem) > 2 and stem in focus.text


def _new_thing(clause: ClauseReading, focus: Focus, known: Knowledge, language: Language) -> bool:
    """Whether the clause names something other than what is in view."""
    aspects = language.aspects
    return any(norm not in aspects and not in_focus(norm, focus) for norm in clause.norms)


def intent_of(clause: ClauseReading, focus: Focus, known: Knowledge, language: Language) -> Intent:
    """The one thing a clause wants."""
    acts = clause.acts
    product = names_product(clause, known)
    refers = clause.singular or clause.plural or clause.ordinal is not None
    if "order" in acts:
        return Intent(Kind.REFUSE, clause, "order")
    if "compare" in acts and (focus or not product):
        return Intent(Kind.COMPARE, clause)
    errand = next((act for act in _ERRANDS if act in acts), None)
    if errand and not ("wish" in acts and product and errand != "purchase"):
        return Intent(Kind.REFUSE, clause, errand)
    terms = next((act for act in _TERMS if act in acts), None)
    if terms and not product and not (terms == "shipping" and refers and focus and not focus.many and clause.question):
        return Intent(Kind.REFUSE, clause, terms)
    if "image" in acts or ("detail" in acts and (refers or clause.definite or focus)):
        return Intent(Kind.QUESTION, clause)
    return _request(clause, focus, known, language)


def _request(clause: ClauseReading, focus: Focus, known: Knowledge, language: Language) -> Intent:
    acts = clause.acts
    new = _new_thing(clause, focus, known, language)
    refers = clause.singular or clause.plural or clause.ordinal is not None
    asks_fact = bool(clause.aspects)
    only_aspects = bool(clause.norms) and all(norm in language.aspects for norm in clause.norms)
    if "wish" in acts:
        about_focus = (
            focus
            and clause.question
            and not new
            and not _open_ended(clause, language)
            and (refers or asks_fact or (clause.norms and clause.definite) or bool(clause.sizes or clause.colors))
        )
        if about_focus or (only_aspects and clause.question and not focus):
            return Intent(Kind.QUESTION, clause)
        if "more" in acts and not clause.norms:
            return Intent(Kind.MORE, clause)
        return Intent(Kind.WISH, clause)
    if only_aspects and clause.question:
        return Intent(Kind.QUESTION, clause)
    if "more" in acts and not (focus and new and clause.question):
        return Intent(Kind.WISH if clause.norms else Kind.MORE, clause)
    if clause.question and (focus or refers):
        if _small_talk(clause) and not clause.norms and not asks_fact:
            return Intent(Kind.TALK, clause, _talk(clause))
        return Intent(Kind.QUESTION, clause)
    if clause.question and asks_fact and not names_product(clause, known) and not clause.brands:
        return Intent(Kind.QUESTION, clause)
    if focus and (clause.ordinal is not None or _points(clause, focus, language)):
        return Intent(Kind.POINT, clause)
    return _statement(clause, known)


def _statement(clause: ClauseReading, known: Knowledge) -> Intent:
    constrained = clause.has_constraint
    if clause.norms or constrained:
        if _small_talk(clause) and not names_product(clause, known) and not constrained and len(clause.norms) < 3:
            return Intent(Kind.TALK, clause, _talk(clause))
        return Intent(Kind.CONTENT, clause)
    return Intent(Kind.TALK, clause, _talk(clause))


def _open_ended(clause: ClauseReading, language: Language) -> bool:
    """Whether something, anything or another one is asked for, and not the thing in view."""
    return clause.generic and not clause.singular and not clause.plural and not clause.aspects


def _points(clause: ClauseReading, focus: Focus, language: Language) -> bool:
    """“The grey one”, “the jeans on the left”: a definite phrase about what is in view, and no request."""
    opener = next((word for word in clause.words if word not in language.fillers or word in language.definite), "")
    ones = any(word in language.ones for word in clause.words)
    return ("point" in clause.acts or opener in language.definite) and (
        ones or any(in_focus(norm, focus) for norm in clause.norms)
    )


def _small_talk(clause: ClauseReading) -> bool:
    return any(act in clause.acts for act in _TALK)


def _talk(clause: ClauseReading) -> str:
    return next(
        (act for act in _TALK if act in clause.acts),
        "vague" if clause.generic or "wish" in clause.acts else "gibberish",
    )


_RANK = {Kind.CONTENT: 1, Kind.TALK: 0}
_TERM_RANK = 2
_STRONG = 3


def _rank(intent: Intent, known: Knowledge) -> int:
    if intent.kind is Kind.REFUSE and intent.reason == "order":
        return 4
    if intent.kind is Kind.REFUSE and intent.reason in (*_TERMS, "about_you", "contact"):
        return _TERM_RANK
    if (
        intent.kind is Kind.WISH
        and not intent.clause.norms
        and not intent.clause.has_constraint
        and not intent.clause.generic
    ):
        return 1
    return _RANK.get(intent.kind, _STRONG)


def intents(reading: Reading, focus: Focus, known: Knowledge) -> list[Intent]:
    """One intent a clause, in order."""
    language = known.lexicon.languages[reading.language]
    return [intent_of(clause, focus, known, language) for clause in reading.clauses]


def leading(found: list[Intent], known: Knowledge) -> Intent | None:
    """The clause that counts: the strongest, of equals the last; small talk only when there is nothing else."""
    if not found:
        return None
    best = max(_rank(intent, known) for intent in found)
    chosen = [intent for intent in found if _rank(intent, known) == best]
    if chosen[0].kind is Kind.TALK:
        telling = [intent for intent in chosen if intent.reason not in ("ack", "no", "greeting", "gibberish")]
        known_talk = [intent for intent in chosen if intent.reason != "gibberish"]
        return (telling or known_talk or chosen)[-1]
    return chosen[-1]
