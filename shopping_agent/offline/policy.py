"""From what a message says and what the conversation is about to one action."""

from __future__ import annotations

from search_client.analysis import stem
from shopping_agent.actions import MAX_COMPARED, Action, GetProductDetails, Search
from shopping_agent.conversation import Conversation
from shopping_agent.model import DecisionRequest
from shopping_agent.offline.intents import Intent, Kind
from shopping_agent.offline.knowledge import Knowledge, is_thing
from shopping_agent.offline.memory import Memory, follow, recall
from shopping_agent.offline.pointing import about_product
from shopping_agent.offline.reading import read
from shopping_agent.offline.replies import Replies
from shopping_agent.offline.wish import Wish

_OPEN = frozenset(("gift", "person", "vague"))  # replies that ask for a kind of product: chips of real ones stand below


def decide(request: DecisionRequest, known: Knowledge) -> tuple[Action, tuple[Action, ...]]:
    """The one action for the message of `request`, and searches for what else it wished."""
    before = recall(request.conversation, known)
    reading = read(request.user_message, known, before=before.language, asked=before.asked)
    after, intent = follow(before, reading, known)
    say = Replies(known.lexicon, after.language)
    action = _chosen(request, intent, before, after, known=known, say=say)
    later = tuple(wish.to_search() for wish in after.later) if isinstance(action, Search) else ()
    return action, later


def _chosen(
    request: DecisionRequest, intent: Intent | None, before: Memory, after: Memory, *, known: Knowledge, say: Replies
) -> Action:
    if intent is None:
        return say("gibberish")
    match intent.kind:
        case Kind.QUESTION | Kind.POINT | Kind.COMPARE:
            return about_product(intent, before, request, known=known, say=say)
        case Kind.MORE:
            return _more(before, after, known=known, say=say)
        case Kind.WISH | Kind.CONTENT:
            return _search(intent, before, after, known=known, say=say)
        case _:
            return say(intent.reason, about="category" if intent.reason in _OPEN else None)


def instead(action: Action, conversation: Conversation, known: Knowledge) -> Action:
    """What to do where `action` could not run: look for the name that was given, or ask which product is meant."""
    if not isinstance(action, GetProductDetails):
        return action
    say = Replies(known.lexicon, recall(conversation, known).language)
    if " " in action.product_id:
        return Search(keywords=action.product_id.split())
    shown = tuple(product.id for product in conversation.shown[:MAX_COMPARED])
    return say("no_such" if shown else "no_referent", candidates=shown)


def _more(before: Memory, after: Memory, *, known: Knowledge, say: Replies) -> Action:
    """The next page of the wish, as long as there is one."""
    if not after.wish:
        return say("vague", about="category")
    seen = after.wish.seen  # none yet of a wish that was amended: “more, but cheaper”
    if before.total is not None and seen and seen >= before.total:
        return say("all_shown", about="category")
    return after.wish.to_search(offset=seen, category=_shelf(after.wish, known))


def _shelf(wish: Wish, known: Knowledge) -> str | None:
    """The category of the thing wished for, where an order by price would put what only mentions it first."""
    things = [norm for norm in wish.norms if is_thing(norm, known)]
    ordered = wish.sort in ("price_asc", "price_desc")
    return known.ground.kinds.get(stem(things[-1])) if ordered and things else None


def _search(intent: Intent, before: Memory, after: Memory, *, known: Knowledge, say: Replies) -> Action:
    """A search for the wish, unless nothing in it could be looked for."""
    wish, clause = after.wish, intent.clause
    language = known.lexicon.languages[after.language]
    if not wish.keywords and not wish.brands:
        browses = wish.on_sale or wish.sort == "newest"
        return wish.to_search() if wish and (before.wish or browses) else say("vague", about="category")
    if not before.wish and not wish.brands:
        words = set(wish.norms)
        if words <= language.people:
            return say("person", about="category")
        if words <= language.departments | language.people | language.gifts and (
            clause.generic or words & language.gifts
        ):
            return say("gift" if words & language.gifts else "vague", about="category")
    return wish.to_search(category=_shelf(wish, known))
