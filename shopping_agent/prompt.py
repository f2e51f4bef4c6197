"""What a model reads: one stable system prompt, then the conversation, then the message. Pure.

Text of merchants stays out, save ids, positions and cleaned titles of at most 60 characters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, assert_never

from search_client.models import Product, SearchResults, Vocabulary
from shopping_agent.conversation import Conversation, ShownProduct, Turn
from shopping_agent.instructions import INSTRUCTIONS
from shopping_agent.model import DecisionRequest
from shopping_agent.results import ActionResult, ProductsCompared, ProductsFound, ProductShown, QuestionAsked
from shopping_agent.steps.step import Observed

MAX_TITLE_CHARS = 60
MAX_TURN_CHARS = 600
MAX_SHOWN = 10
SHOP_VALUES = 12
HISTORY_TOKENS = 1500
TRIM_STEP = 8  # turns dropped at once: between two trims the prefix stays byte-identical, so provider caches live on
MIN_TURNS = 2
BYTES_PER_TOKEN = 4
TOKENS_A_PRODUCT = 25  # position, title and id
TOKENS_A_MESSAGE = 5

_UNWANTED = re.compile(r"[^\w\s.,&+/'\"°%×-]|_")


def system_prompt(vocabulary: Vocabulary) -> str:
    """The instructions and what this shop sells: byte-identical for every shopper until the catalog changes."""
    shop = [
        f"{name}: {', '.join(clean_title(value.value) for value in values[:SHOP_VALUES])}"
        for name, values in (("Categories", vocabulary.categories), ("Brands", vocabulary.brands))
        if values
    ]
    currency = [f"Prices in {vocabulary.currency}."] if vocabulary.currency else []
    return "\n".join([INSTRUCTIONS, *(["", "This shop", *shop, *currency] if shop else [])])


@lru_cache(maxsize=4096)
def clean_title(title: str) -> str:
    """At most 60 characters of words, numbers and plain marks: enough to tell products apart."""
    words = " ".join(_UNWANTED.sub(" ", title[: 4 * MAX_TITLE_CHARS]).split())
    return words if len(words) <= MAX_TITLE_CHARS else words[:MAX_TITLE_CHARS].rsplit(" ", 1)[0]


def tokens_in(text: str) -> int:
    """An upper estimate that needs no tokenizer."""
    return len(text.encode()) // BYTES_PER_TOKEN + 1


def _estimated_tokens(turn: Turn) -> int:
    """Of `turn_text(turn)`, from above and without making it: a conversation of 200 turns is trimmed in 0.05 ms."""
    if turn.role == "assistant" and turn.shown:
        return len(turn.shown[:MAX_SHOWN]) * TOKENS_A_PRODUCT
    chars = min(len(turn.text), MAX_TURN_CHARS)
    return TOKENS_A_MESSAGE + chars // (BYTES_PER_TOKEN if turn.text.isascii() else 2)


def turn_text(turn: Turn) -> str:
    """A turn as a model reads it: products as ids and titles, everything else bounded."""
    if turn.role == "assistant" and turn.shown:
        return shown_list(turn.shown)
    return turn.text if len(turn.text) <= MAX_TURN_CHARS else turn.text[:MAX_TURN_CHARS].rstrip() + " …"


def shown_list(shown: Sequence[ShownProduct]) -> str:
    """`Shown: 1. Alpine Jacket (ID: a7) 2. …`."""
    listed = (f"{product.position}. {clean_title(product.title)} (ID: {product.id})" for product in shown[:MAX_SHOWN])
    return " ".join(["Shown:", *listed])


def history_messages(conversation: Conversation, *, budget_tokens: int = HISTORY_TOKENS) -> list[dict[str, Any]]:
    """The turns that fit the budget as `user`/`assistant` messages that alternate and begin with `user`.

    Dropped in steps of `TRIM_STEP` turns from the oldest; products shown last are repeated if their turn was dropped.
    """
    turns = conversation.turns
    costs = [_estimated_tokens(turn) for turn in turns]
    start, total = 0, sum(costs)
    while total > budget_tokens and start < len(turns):
        end = min(start + TRIM_STEP, len(turns))
        total -= sum(costs[start:end])
        start = end
    start = min(start, max(0, len(turns) - MIN_TURNS))
    while 0 < start < len(turns) and turns[start].role != "user":
        start += 1  # a question goes with its answer
    kept = [(turn.role, turn_text(turn)) for turn in turns[start:]]
    if start and conversation.shown and not any(turn.shown for turn in turns[start:]):
        kept.insert(0, ("assistant", shown_list(conversation.shown)))
    return _alternating(kept)


def _alternating(kept: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """Neighbours of one role joined, a `user` message first: several servers refuse anything else."""
    messages: list[dict[str, Any]] = []
    for role, text in kept:
        if messages and messages[-1]["role"] == role:
            messages[-1]["content"] += f"\n{text}"
        else:
            if not messages and role != "user":
                messages.append({"role": "user", "content": "Hello"})
            messages.append({"role": role, "content": text})
    return messages


def observation(result: ActionResult) -> str:
    """What a model that may go on is told of a result: ids, cleaned titles and facts, nothing that a merchant wrote."""
    match result:
        case ProductsFound(results=results):
            return "\n".join([_found(results), *map(_fact_line, results.products)])
        case ProductShown(product=product, aspect=aspect, quotes=quotes):
            told = f"The listing {'tells' if quotes else 'does not tell'} about {aspect}." if aspect else ""
            return "\n".join(filter(None, [_fact_line(product), told]))
        case ProductsCompared(products=products):
            return "\n".join(["Compared:", *map(_fact_line, products)])
        case QuestionAsked(question=question):
            return question
        case _:
            assert_never(result)


def _found(results: SearchResults) -> str:
    if results.hits:
        return f"{'None fits every word; the closest of ' if results.relaxed else ''}{results.total} products:"
    hints = [f"{each.total} without {each.field} {each.value!r}" for each in results.relaxations[:3]]
    return "; ".join(["No products", *hints]) + "."


def _fact_line(product: Product) -> str:
    facts = [str(product.price) if product.price else "price not stated"]
    if product.rating is not None:
        facts.append(f"rated {product.rating:g} of 5")
    return f"- {clean_title(product.title)} (ID: {product.id}) — {', '.join([*facts, product.availability.value])}"


def _so_far(observed: Sequence[Observed]) -> str:
    done = [f"{each.call.key}\n{each.observation.text}" for each in observed]
    ending = "If the last answers the shopper, choose it again, unchanged; else choose the next, by ID."
    return "\n".join(["[Chosen so far in this turn, with what came of it:", *done, f"{ending}]"])


def build_messages(request: DecisionRequest, *, budget_tokens: int = HISTORY_TOKENS) -> list[dict[str, Any]]:
    """System prompt, history, and the message with what else the decision needs; always exactly one system message."""
    parts = [request.user_message]
    if request.viewing:
        parts.append(f"[The shopper is on the page of the product with the ID: {request.viewing}]")
    if request.observed:
        parts.append(_so_far(request.observed))
    if request.feedback:
        parts.append(f"[Your last choice could not be used. {request.feedback} Choose again.]")
    history = history_messages(request.conversation, budget_tokens=budget_tokens)
    last = "\n".join(parts)
    if history and history[-1]["role"] == "user":
        last = f"{history.pop()['content']}\n{last}"
    return [
        {"role": "system", "content": system_prompt(request.vocabulary)},
        *history,
        {"role": "user", "content": last},
    ]
