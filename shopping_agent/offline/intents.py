"""What a clause wants, seen from what the conversation is about; and which clause of a message counts.

`RULES` is the policy: asked one after the other, the first that has an answer gives it.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from search_client.analysis import fold
from shopping_agent.offline.clause import TALK, ClauseReading, Reading
from shopping_agent.offline.focus import Focus
from shopping_agent.offline.knowledge import Knowledge, is_modifier, is_noise, is_product_word, is_thing
from shopping_agent.offline.lexicon import Language
from shopping_agent.superlatives import priced_at

_TERMS = ("discount", "returns", "payment", "contact", "shipping")
_WORD = re.compile(r"[^\W_]+")
MAX_FRAGMENT = 4  # words of an elliptic question: “in blue?”, “and the price?”


def _shape(product_id: str) -> str:
    """An id with its numbers left open; empty for a word or a number alone."""
    shape = re.sub(r"\d+", "0", product_id)
    return shape if shape != product_id and shape != "0" else ""


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
    """What one clause wants. `reason` names the reply of a REFUSE or TALK."""

    kind: Kind
    clause: ClauseReading
    reason: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """What the conversation is about when a message arrives."""

    focus: Focus = field(default_factory=Focus)
    ids: frozenset[str] = frozenset()
    """Folded ids of all products shown so far."""
    wished: frozenset[str] = frozenset()
    """Folded words of the wish so far."""
    asked: str | None = None
    """What the assistant's last turn asked about: a facet, or `which` of the products."""
    open_question: bool = False
    """Whether the assistant's last turn ended in a question."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A clause with what the rules ask about it."""

    clause: ClauseReading
    view: View
    known: Knowledge
    language: Language

    @property
    def focus(self) -> Focus:
        return self.view.focus

    def has(self, *acts: str) -> bool:
        return not self.clause.acts.isdisjoint(acts)

    @property
    def refers(self) -> bool:
        """Whether a pronoun, a position or “the other” stands for a product."""
        clause = self.clause
        return clause.singular or clause.plural or clause.ordinal is not None or (clause.other and clause.definite)

    @property
    def product(self) -> bool:
        """Whether the content names a thing to buy."""
        return any(is_product_word(norm, self.known) for norm in self.clause.norms)

    @property
    def about_fact(self) -> bool:
        """Whether what is asked for is a fact and no thing: “a pink colour”, “my size”, “an English version”."""
        norms = self.clause.norms
        only_order = self.clause.sort in ("price_asc", "price_desc") and self.clause.aspects == ("price",)
        if self.clause.one_wished or (only_order and self.has("wish")):
            return False
        named_brand = len(norms) > 1 and self.language.aspects.get(norms[-1]) == "brand"  # “the Bauer brand”
        of_shown = (
            len(norms) > 1 and norms[0] in self.language.aspects and self.clause.named and self.in_view(norms[-1])
        )
        of_shown = of_shown and not self.has("wish")
        about = not norms or norms[-1] in self.language.aspects or of_shown  # “the battery life of the moto”
        return bool(self.clause.aspects) and about and not named_brand

    @property
    def new(self) -> bool:
        """Whether the content names something other than what is in view."""
        return any(norm not in self.language.aspects and not self.in_view(norm) for norm in self.clause.norms)

    def in_view(self, norm: str) -> bool:
        """Whether a word was used for what is in view."""
        root = norm[:-1] if norm.endswith("s") and len(norm) > 3 else norm
        return (len(root) > 2 and root in self.focus.text) or norm in self.view.wished or root in self.view.wished

    @property
    def open_ended(self) -> bool:
        """Whether something, anything, another one or a thing of some kind is asked for, and not the one in view."""
        clause = self.clause
        return (clause.generic or clause.indefinite) and not self.refers and not self.about_fact

    @property
    def names_shown(self) -> bool:
        """Whether the content is the name of just one listed product, or a part of it that no kind of thing has."""
        norms = self.clause.norms
        if len(norms) <= 2 and not self.view.ids.isdisjoint(norms):
            return True  # “p12”, “open p12”
        if len(norms) == 1 and (_shape(norms[0]) or "?") in {_shape(i) for i in self.view.ids}:
            return True  # of the same make as those shown: the catalog may know it
        titles = [frozenset(_WORD.findall(fold(product.title))) for product in self.focus.listed]
        if self.clause.definite:
            norms = (*norms, *(word for brand in self.clause.brands for word in _WORD.findall(fold(brand))))
        telling = (
            len(norms) > len(self.clause.norms)
            or len(norms) > 1
            or not any(is_product_word(n, self.known) or is_modifier(n, self.known) for n in norms)
        )
        fits = [title for title in titles if title.issuperset(norms)]
        return bool(norms) and telling and len(fits) == 1 and not set(norms) <= self.view.wished

    @property
    def complains(self) -> bool:
        """Whether what is in view costs too much, or others are wished: “that's too expensive, anything cheaper?”."""
        others = self.has("too_dear", "elsewhere") or (self.has("same") and self.has("more"))
        bigger = self.has("should") and self.clause.compares  # “could it be bigger?”
        return (others or bigger) and self.clause.ordinal is None

    @property
    def names_price(self) -> bool:
        """Whether the one for a price in the list is meant: “the one for 54”."""
        words = self.clause.words
        ones = any(left in self.language.definite and right in self.language.ones for left, right in pairwise(words))
        ends = self.clause.definite and words[-1:] and words[-1] in self.language.ones
        return bool(ones or ends) and bool(priced_at(words, self.focus.listed))

    @property
    def picks(self) -> bool:
        """Whether the most or the least of the list in view is asked for: “the cheapest one”, “which is lightest”."""
        if (
            not self.focus.listed
            or self.clause.singular
            or not any(act.startswith("pick:") for act in self.clause.acts)
        ):
            return False
        if self.clause.sort is not None and any(word in self.language.ordinals for word in self.clause.words):
            return False  # “best rated first” is an order
        words, facts = self.known.lexicon.picking, self.language.aspects
        by_measure = not self.has("pick:cheapest", "pick:dearest", "pick:best")
        return all(n in words or n in facts or (by_measure and self.in_view(n)) for n in self.clause.norms)

    @property
    def all_of_them(self) -> bool:
        """Whether something is wished of everything in view: “do you have them in leather”."""
        clause = self.clause
        return clause.plural and self.focus.many and bool(clause.norms or clause.colors or clause.sizes)

    @property
    def narrows(self) -> bool:
        """Whether a colour or size is wished of a list as a whole: “what about in size 42”, “do you have XL”."""
        clause = self.clause
        stated = bool(clause.colors or clause.sizes) and not clause.norms
        return self.focus.many and stated and not (self.refers or clause.definite)

    @property
    def exists(self) -> bool:
        """Whether it is asked if there is something, while one product is in view: “is there a weight limit”."""
        return self.has("exists") and not self.focus.many and bool(self.clause.norms)

    @property
    def open_thing(self) -> bool:
        """Whether another product is what there should be: “are there cheaper ones”, “is there a cover”."""
        return (
            self.clause.generic
            or self.clause.compares
            or self.has("more")
            or self.clause.sort is not None
            or (self.product and self.new)
        )

    @property
    def talks(self) -> bool:
        return self.has(*TALK)

    def said(self, kind: Kind, reason: str = "") -> Intent:
        return Intent(kind, self.clause, reason)

    def talk(self) -> Intent:
        """Small talk, by the most telling phrase."""
        reason = next((act for act in TALK if self.has(act)), "")
        if self.clause.generic and reason in ("ack", "no"):
            reason = "vague"
        return self.said(Kind.TALK, reason or ("vague" if self.clause.generic or self.has("wish") else "gibberish"))


def _order(case: _Case) -> Intent | None:
    if case.has("order"):
        return case.said(Kind.REFUSE, "order")
    told = case.has("bought") and not case.focus and not (case.has("wish") and case.product)
    return case.said(Kind.REFUSE, "bought") if told else None


def _terms(case: _Case) -> Intent | None:
    """Delivery, payment, discounts; but not as a condition on a thing, nor of the one in view."""
    term = next((act for act in _TERMS if case.has(act)), None)
    if term == "returns" and case.focus and "warranty" in case.clause.aspects:
        return None
    if term is None or any(is_product_word(norm, case.known) for norm in case.clause.beside):
        return None
    if case.has("ship_it") and case.focus and not case.focus.many:
        return case.said(Kind.QUESTION)
    return case.said(Kind.REFUSE, term)


def _question_in_view(case: _Case) -> Intent | None:
    """“does it fit”, “are these gloves warm”, “is the strap long”, asked while something is in view."""
    clause = case.clause
    asked_of_it = case.refers or bool(clause.aspects)  # “who wrote it”, “who is the author”: of the book
    aside = case.has("offtopic") and (clause.beside or not asked_of_it)
    if not case.focus or aside or case.has("compare") or not clause.question or case.complains:
        return None
    if case.has("purchase") and not clause.norms:
        return None
    if case.has("offtopic"):
        return case.said(Kind.QUESTION)
    if case.has("wish", "more") and not case.has("advice"):
        asks = clause.object_refers and not case.all_of_them
        asks = asks or (clause.inverted and not case.open_ended) or (case.exists and not case.open_thing)
        return case.said(Kind.QUESTION) if asks and not clause.bounded else None
    if clause.compares and clause.generic and not case.refers:
        return None
    single = case.focus.listed and not case.focus.many
    return case.said(Kind.QUESTION) if clause.inverted or case.refers or (single and clause.norms) else None


def _errand(case: _Case) -> Intent | None:
    """What a voice assistant does and a shop does not; and buying, which the shopper does by a click."""
    beside = any(is_product_word(norm, case.known) for norm in case.clause.beside)
    wished = case.has("wish") and ((case.product and case.clause.indefinite) or not case.focus)
    if case.has("purchase") and not (wished and case.clause.norms):
        return case.said(Kind.REFUSE, "purchase")
    if case.has("advice", "authenticity") and not (case.has("wish") and case.product):
        return case.said(Kind.REFUSE, "advice" if case.has("advice") else "authenticity")
    howto = case.has("howto") or (case.has("howto_title") and not case.product)
    if howto and not case.focus and not case.has("wish"):
        return case.said(Kind.REFUSE, "advice")
    if case.focus and case.clause.ordinal is not None:
        return None  # “open the second”
    if case.has("offtopic", "about_you") and not beside:
        return case.said(Kind.REFUSE, "offtopic" if case.has("offtopic") else "about_you")
    return None


def _compare(case: _Case) -> Intent | None:
    if case.picks:
        return case.said(Kind.POINT)
    return case.said(Kind.COMPARE) if case.has("compare") and (case.focus or not case.product) else None


def _details(case: _Case) -> Intent | None:
    """“tell me more about it”, “show me a picture”."""
    if case.has("image") or (case.has("detail") and (case.refers or case.clause.definite or case.focus)):
        return case.said(Kind.QUESTION)
    return None


def _farewell(case: _Case) -> Intent | None:
    """“got to go, bye” wishes for nothing."""
    clause = case.clause
    empty = not (clause.norms or clause.has_constraint or clause.generic or clause.people or clause.question)
    leaves = case.has("goodbye", "thanks") and not case.has("more", "detail") and clause.ordinal is None
    return case.talk() if empty and leaves else None


def _wish(case: _Case) -> Intent | None:
    clause = case.clause
    if not case.has("wish"):
        return None
    if case.focus and clause.ordinal is not None and not case.product and not clause.has_constraint:
        return case.said(Kind.POINT)
    by_name = ((clause.definite and clause.brands) or clause.named) and case.names_shown and not clause.bounded
    if by_name or case.names_price:
        return case.said(Kind.POINT)  # “show me the Voltane”, “I want the one for 54”
    if case.narrows:
        return case.said(Kind.WISH)
    meant = not case.complains and (
        case.refers
        or case.about_fact
        or clause.named
        or (bool(clause.sizes or clause.colors) and not clause.indefinite)
    )
    known_thing = case.focus and not case.open_ended and (not case.new or case.about_fact)
    if clause.question and known_thing and meant and not case.all_of_them:
        return case.said(Kind.QUESTION)
    unseen = not case.focus and case.about_fact and not case.product
    if clause.question and unseen and not clause.indefinite and not clause.generic:
        return case.said(Kind.QUESTION)
    if case.has("more", "elsewhere") and (not clause.norms or case.about_fact):
        return case.said(Kind.MORE)
    if case.has("plan") and not case.product:
        return case.said(Kind.TALK, "vague")
    if case.has("capabilities") and not clause.norms and not clause.has_constraint:
        return case.talk()
    return case.said(Kind.WISH)


def _more(case: _Case) -> Intent | None:
    if not case.has("more") or (case.focus and case.about_fact and case.clause.norms):
        return None
    if case.focus and case.clause.ordinal is not None and not case.clause.norms:
        return case.said(Kind.POINT)  # “more like the first one”: its page shows what is like it
    return case.said(Kind.WISH if case.clause.norms else Kind.MORE)


def _question(case: _Case) -> Intent | None:
    """A question by its form or its mark, about what is in view or about nothing yet."""
    clause = case.clause
    if not clause.question or case.complains:
        return None
    stated = clause.sort is not None or clause.bounded
    wider = clause.compares and clause.generic and len(clause.norms) == 1  # “anything lighter?”
    if ((stated and not clause.norms) or wider) and not (clause.formed or case.refers or clause.definite):
        return None  # “any cheaper ones?”, “anything around 300?” is asked of the shop
    if case.focus.many and clause.has_constraint and not (clause.formed or case.refers or clause.norms):
        return None  # “and in blue?” of a whole list narrows it
    if not clause.formed and (case.new or len(clause.words) > MAX_FRAGMENT) and not (case.refers or case.about_fact):
        return None
    if case.talks and not (clause.norms or clause.aspects or clause.exclude):
        return case.talk()
    if clause.has_constraint and not case.focus and not case.refers and not clause.asked:
        return None
    if case.focus or case.refers or (case.about_fact and not case.product and not clause.brands):
        return case.said(Kind.QUESTION)
    return None


def _point(case: _Case) -> Intent | None:
    """“The grey one”, “the jeans on the left”: a definite phrase about what is in view, and no request."""
    clause, language = case.clause, case.language
    if case.focus and clause.ordinal is not None:
        return case.said(Kind.POINT)
    if case.picks:
        return case.said(Kind.POINT)
    if case.names_shown:
        return case.said(Kind.POINT)
    opener = next((word for word in clause.words if word not in language.fillers or word in language.definite), "")
    definite = opener in language.definite or case.has("point")
    if case.view.asked == "which" and (definite or clause.colors):
        return case.said(Kind.POINT)
    ones = clause.sort is None and any(word in language.ones for word in clause.words)
    if case.focus and definite and (ones or any(case.in_view(norm) for norm in clause.norms)):
        return case.said(Kind.POINT)
    return None


def _statement(case: _Case) -> Intent:
    clause = case.clause
    if not clause.norms and not clause.has_constraint:
        return case.talk()
    story = _story(case)
    if story is not None:
        return story
    if case.product or clause.has_constraint:
        return case.said(Kind.CONTENT)
    if all(is_noise(norm, case.known) for norm in clause.norms):
        return case.said(Kind.TALK, "gibberish")
    answers = case.view.open_question and case.has("ack", "no")
    if (case.has("thanks") and clause.content_first and not clause.to_you) or answers:
        return case.said(Kind.CONTENT)
    if case.view.wished and clause.norms and all(is_modifier(norm, case.known) for norm in clause.norms):
        return case.said(Kind.CONTENT)  # “sorry, for women”
    if ((case.talks and clause.talks_first) or clause.to_you) and len(clause.norms) <= MAX_FRAGMENT:
        return case.talk()
    told = clause.told and not (clause.generic_head or clause.people or clause.names or case.has("like", "should"))
    if case.view.wished and told:
        return case.said(Kind.TALK, "ack")
    return case.said(Kind.CONTENT)


def _story(case: _Case) -> Intent | None:
    """A sentence that names nothing a shop sells: about somebody, about the shopper, or about the world."""
    clause, language = case.clause, case.language
    if case.view.wished or clause.brands or not clause.norms or case.has("like"):
        return None
    own = not language.possessive.isdisjoint(clause.words) or not language.subjects.isdisjoint(clause.words[:1])
    if clause.has_constraint and (own or not clause.told):
        return None
    if own and clause.people and not any(is_thing(norm, case.known) for norm in clause.norms):
        return case.said(Kind.TALK, "person")  # “my daughter starts college”: good to know whom it is for
    telling = any(is_product_word(root, case.known) or is_modifier(root, case.known) for root in clause.roots)
    if telling or not any(word in language.auxiliary for word in clause.words):
        return None
    return case.said(Kind.TALK, "vague" if own else "offtopic")


RULES: tuple[Callable[[_Case], Intent | None], ...] = (
    _order, _terms, _question_in_view, _errand, _compare, _details, _farewell, _wish, _more, _question, _point,
    _statement,
)  # fmt: skip


def intent_of(clause: ClauseReading, view: View, known: Knowledge, language: Language) -> Intent:
    """The one thing a clause wants."""
    case = _Case(clause, view, known, language)
    return next(intent for rule in RULES if (intent := rule(case)) is not None)


def intents(reading: Reading, view: View, known: Knowledge) -> list[Intent]:
    """One intent a clause, in order."""
    language = known.lexicon.languages[reading.language]
    return [intent_of(clause, view, known, language) for clause in reading.clauses]


def _rank(intent: Intent, view: View, known: Knowledge) -> float:
    """How much a clause counts beside the others of its message."""
    clause = intent.clause
    match intent.kind:
        case Kind.TALK:
            return 0
        case Kind.CONTENT:
            return 1.6 if any(is_product_word(norm, known) for norm in clause.norms) else 1
        case Kind.REFUSE if intent.reason == "order":
            return 4
        case Kind.REFUSE if intent.reason in ("purchase", "bought"):
            return 2.5 if view.focus else 0.5
        case Kind.REFUSE:
            return 2
        case Kind.WISH:
            vague = not clause.norms and not clause.has_constraint and not clause.generic
            telling = clause.has_constraint or clause.generic or any(is_product_word(n, known) for n in clause.norms)
            return 1 if vague else 3 if telling else 2
        case Kind.QUESTION if not view.focus:
            return 1.5
        case _:
            return 3


def leading(found: list[Intent], view: View, known: Knowledge) -> Intent | None:
    """The clause that counts: the strongest, of equals the last; small talk only when there is nothing else."""
    if not found:
        return None
    best = max(_rank(intent, view, known) for intent in found)
    chosen = [intent for intent in found if _rank(intent, view, known) == best]
    if chosen[0].kind is Kind.TALK:
        telling = [intent for intent in chosen if intent.reason not in ("ack", "no", "greeting", "gibberish")]
        understood = [intent for intent in chosen if intent.reason != "gibberish"]
        return (telling or understood or chosen)[-1]
    return chosen[-1]
