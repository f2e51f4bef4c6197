"""What “the second one”, an id, a name or “the cheapest of these” points at: resolved by code against what was shown.

Never by a model: a model may repeat the shopper's words, this module finds the product or says why it cannot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from search_client.analysis import fold
from shopping_agent.actions import Action, GetProductDetails
from shopping_agent.conversation import Conversation, FactsOf, ShownProduct
from shopping_agent.errors import ActionError
from shopping_agent.offline.lexicon import Lexicon, load_lexicon
from shopping_agent.superlatives import MEASURES, extremes, of_kind, priced_at

_WORD = re.compile(r"[^\W_]+(?:[-'.][^\W_]+)*")
_WRAPPING = "<>[](){}'\"`“”‘’*#. \t\n"
MIN_FUZZY_LENGTH = 5
MAX_COUNTED = 4
# One word with a digit that is no number: the id of a product that was not shown, never a word for one that was.
_ID_SHAPED = re.compile(r"(?=\S*\d)(?=\S*[^\W\d])\S+")


@dataclass(frozen=True, slots=True)
class Found:
    """One product, or several that were meant together."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several products fit equally well."""

    candidates: tuple[ShownProduct, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """Nothing fits; `reason` says why and what is possible, for a model or a log."""

    reason: str


Reference = Found | Ambiguous | Missing


def find(
    text: str,
    conversation: Conversation,
    *,
    viewing: str | None = None,
    facts_of: FactsOf | None = None,
    kind: frozenset[str] = frozenset(),
) -> Reference:
    """What `text` points at: an id, a position, a superlative, a name, a stated fact, or a pronoun for what is in view.

    Facts (“the blue one”, “the lightest”) are looked up by `facts_of` where no title tells. `kind` are the words that
    were looked for: the cheapest of a list of phones is no case.
    """
    lexicon = load_lexicon()
    known = conversation.ever_shown
    exact = _by_id(text, known.values())
    if exact:
        return Found(exact)
    words = [fold(word) for word in _WORD.findall(text)]
    lists = [turn.shown for turn in reversed(conversation.turns) if turn.shown]
    current = lists[0] if lists else ()
    return (
        _by_position(words, lists, lexicon)
        or _by_superlative(words, lists, lexicon, facts_of, kind=kind)
        or _by_price(words, lists)
        or _by_words(words, lists, lexicon, facts_of)
        or _in_view(words, current, viewing, lexicon)
    )


def _by_id(text: str, shown: Iterable[ShownProduct]) -> tuple[str, ...]:
    """Ids that stand in the text as words of their own, in the order of the text."""
    folded = f" {text.casefold().strip(_WRAPPING)} "
    places = []
    for product in shown:
        own = re.escape(product.id.casefold())
        if not product.id.isdecimal() and (match := re.search(rf"(?<![\w-]){own}(?![\w-])", folded)):
            places.append((match.start(), product.id))
        elif product.id.isdecimal() and re.search(rf"\b(?:id|product|sku)\W{{0,3}}{own}(?!\w)", folded):
            places.append((folded.index(product.id), product.id))
    return tuple(product_id for _, product_id in sorted(places))


def _positions(words: Sequence[str], lexicon: Lexicon) -> list[int]:
    """Positions named by the words: ordinals, “number 2”, a bare number, “the first two”."""
    found: list[int] = []
    counters = frozenset(word for language in lexicon.languages.values() for word in language.counters)
    for place, word in enumerate(words):
        ordinal = next((o for language in lexicon.languages.values() if (o := language.ordinals.get(word))), None)
        if ordinal is not None:
            following = words[place + 1] if place + 1 < len(words) else ""
            count = next((n for language in lexicon.languages.values() if (n := language.numbers.get(following))), 1)
            count = int(following) if following.isdecimal() and len(following) == 1 else count
            before = next((n for own in lexicon.languages.values() if (n := own.numbers.get(words[place - 1]))), 1)
            count = before if place and count == 1 and 1 < before <= MAX_COUNTED else count  # “les deux premiers”
            found.extend(range(ordinal, ordinal + count) if ordinal > 0 else range(-count, 0))
        elif len(words) == 1 or (place and words[place - 1] in counters):
            found.extend(_number(word, lexicon))
    bare = [int(word) for word in words if word.isdecimal() and len(word) < 3]
    return list(dict.fromkeys(found or (bare if len(bare) > 1 else [])))  # “1 or 2?”


def _number(word: str, lexicon: Lexicon) -> list[int]:
    """The number a word writes in digits or letters; none for any other word."""
    if word.isdecimal():
        return [int(word)]
    return [number for language in lexicon.languages.values() if (number := language.numbers.get(word))][:1]


def _by_position(words: Sequence[str], lists: Sequence[tuple[ShownProduct, ...]], lexicon: Lexicon) -> Reference | None:
    positions = _positions(words, lexicon)
    if not positions or not lists:
        return None
    for place, shown in enumerate(lists):
        if _opened(shown, lists[place + 1 :]):
            continue  # “and the first?” after the second was opened means the list again
        picked = [_at(shown, position) for position in positions]
        if all(picked):
            return Found(tuple(dict.fromkeys(product.id for product in picked if product)))
        if len(shown) > 1:
            break
    listed = ", ".join(f"{product.position}: {product.id}" for product in lists[0])
    return Missing(f"There is no product number {positions[0]} here; shown were {listed}.")


def _opened(shown: Sequence[ShownProduct], earlier: Sequence[tuple[ShownProduct, ...]]) -> bool:
    """Whether the only product shown stood in a list before."""
    return len(shown) == 1 and any(
        len(listed) > 1 and any(product.id == shown[0].id for product in listed) for listed in earlier
    )


def _at(shown: Sequence[ShownProduct], position: int) -> ShownProduct | None:
    if position < 0:
        return shown[position] if -position <= len(shown) else None
    return next((product for product in shown if product.position == position), None)


def _by_superlative(
    words: Sequence[str],
    lists: Sequence[tuple[ShownProduct, ...]],
    lexicon: Lexicon,
    facts_of: FactsOf | None,
    *,
    kind: frozenset[str],
) -> Reference | None:
    listed = (shown for place, shown in enumerate(lists) if not _opened(shown, lists[place + 1 :]))
    several = of_kind(next(listed, ()), kind, lexicon)
    acts = {match.act for match in lexicon.book.find(words)} if several else set()
    for act, (topic, lowest) in MEASURES.items():
        if act in acts:
            best = extremes(several, topic, lowest=lowest, facts_of=facts_of)
            told = Missing(f"The {topic} of the shown products is not known; shown were {_listed(several)}.")
            return told if not best else Found((best[0].id,)) if len(best) == 1 else Ambiguous(best)
    if "pick:cheapest" in acts:
        return _extreme(several, "price", lowest=True)
    if "pick:dearest" in acts:
        return _extreme(several, "price", lowest=False)
    if "pick:best" in acts:
        return _extreme(several, "rating", lowest=False)
    return None


def _by_price(words: Sequence[str], lists: Sequence[tuple[ShownProduct, ...]]) -> Reference | None:
    """“the one for 54”, “the $54.95 one”: a number that is the price of just one product of the last list."""
    told = priced_at(words, lists[0] if lists else ())
    return Found((told[0].id,)) if len(told) == 1 else None


def _extreme(shown: Sequence[ShownProduct], fact: str, *, lowest: bool) -> Reference:
    values = [(product.price if fact == "price" else product.rating, product) for product in shown]
    stated = [(value, product) for value, product in values if value is not None]
    if not stated:
        return Missing(f"The {fact} of the shown products is not known; shown were {_listed(shown)}.")
    edge = min(value for value, _ in stated) if lowest else max(value for value, _ in stated)
    best = tuple(product for value, product in stated if value == edge)
    return Found((best[0].id,)) if len(best) == 1 else Ambiguous(best)


def _listed(shown: Sequence[ShownProduct]) -> str:
    return ", ".join(f"{product.position}: {product.id} ({product.title})" for product in shown)


def _alike(word: str, title: frozenset[str]) -> float:
    """How well a word stands in a title: 1 as it is or in the other number, 0.8 within one slip, else 0."""
    if word in title or (word.endswith("s") and word[:-1] in title) or f"{word}s" in title or f"{word}es" in title:
        return 1.0
    if len(word) >= MIN_FUZZY_LENGTH and any(
        OSA.distance(word, other, score_cutoff=1) <= 1 for other in title if len(other) >= MIN_FUZZY_LENGTH
    ):
        return 0.8
    return 0.0


def _title_words(product: ShownProduct, lexicon: Lexicon) -> frozenset[str]:
    words = frozenset(fold(word) for word in _WORD.findall(product.title))
    colors = {
        color for language in lexicon.languages.values() for word in words if (color := language.colors.get(word))
    }
    return words | colors


def _by_words(
    words: Sequence[str], lists: Sequence[tuple[ShownProduct, ...]], lexicon: Lexicon, facts_of: FactsOf | None
) -> Reference | None:
    """The products whose titles, else whose records, share most with the words; the last list that shares anything."""
    telling = [word for word in words if not _is_everyday(word, lexicon)]
    colors = [color for word in words if (color := _color(word, lexicon))]
    asked = [*(word for word in telling if not _color(word, lexicon)), *colors]
    if not asked:
        return None
    for shown in lists:
        titled = {product: _title_words(product, lexicon) for product in shown}
        found = _best(asked, titled)
        if found is None or (isinstance(found, Ambiguous) and facts_of):
            among = found.candidates if found else shown
            stated = {product: titled[product] | _facts(product, facts_of, lexicon) for product in among}
            found = _best(asked, stated) or found
        if found is not None:
            return found
    return None


def _best(asked: Sequence[str], described: Mapping[ShownProduct, frozenset[str]]) -> Found | Ambiguous | None:
    scores = [(sum(_alike(word, known) for word in asked), product) for product, known in described.items()]
    best = max((score for score, _ in scores), default=0.0)
    if best <= 0:
        return None
    top = tuple(product for score, product in scores if score > best - 0.1)
    return Found((top[0].id,)) if len(top) == 1 else Ambiguous(top)


def _facts(product: ShownProduct, facts_of: FactsOf | None, lexicon: Lexicon) -> frozenset[str]:
    """Folded words of what the record states: brand, options, attribute values; colours by their English names too."""
    record = facts_of(product.id) if facts_of else None
    if record is None:
        return frozenset()
    options = [value for _, values in record.options for value in values]
    said = [record.brand or "", *record.category[-1:], *options, *(value for _, value in record.attributes)]
    words = frozenset(fold(word) for text in said for word in _WORD.findall(text))
    return words | {color for word in words if (color := _color(word, lexicon))}


def _color(word: str, lexicon: Lexicon) -> str | None:
    for language in lexicon.languages.values():
        if word in language.colors:
            return language.colors[word]
        for ending in ("e", "en", "er", "es", "em"):
            if language.code == "de" and word.endswith(ending) and word[: -len(ending)] in language.colors:
                return language.colors[word[: -len(ending)]]
    return None


def _is_everyday(word: str, lexicon: Lexicon) -> bool:
    return (
        any(
            word in language.function
            or word in language.generic
            or word in language.interrogative
            or word in language.short
            for language in lexicon.languages.values()
        )
        or len(word) < 2
    )


def _in_view(words: Sequence[str], current: Sequence[ShownProduct], viewing: str | None, lexicon: Lexicon) -> Reference:
    """What a pronoun, or no reference at all, means: the page the shopper is on, or the only product shown."""
    if viewing:
        return Found((viewing,))
    if len(current) == 1:
        return Found((current[0].id,))
    if not current:
        return Missing("No product was shown in this conversation yet.")
    plural = any(word in language.plural for language in lexicon.languages.values() for word in words)
    if plural and len(current) <= 4:
        return Found(tuple(product.id for product in current))
    return Ambiguous(tuple(current))


def resolve_id(
    reference: str,
    conversation: Conversation,
    *,
    viewing: str | None = None,
    facts_of: FactsOf | None = None,
    told: Iterable[str] = (),
) -> str:
    """The product id that `reference` (an id, a position, a name, “cheapest”) means.

    An id never shown passes through: the catalog decides. `told`: ids that the model was told of in this turn.
    Raises `ActionError` stating what was shown.
    """
    cleaned = reference.strip(_WRAPPING)
    if not cleaned and viewing:
        return viewing
    known = {product_id.casefold(): product_id for product_id in (*told, *conversation.ever_shown)}
    if cleaned.casefold() in known:
        # A model is told to answer with ids: `5` is the product with that id before it is the fifth one shown.
        return known[cleaned.casefold()]
    shown = conversation.shown
    if not shown or _ID_SHAPED.fullmatch(cleaned):
        return cleaned or reference
    found = find(cleaned, conversation, viewing=viewing, facts_of=facts_of)
    if isinstance(found, Found):
        return found.ids[0]
    if isinstance(found, Missing):
        raise ActionError(found.reason)
    if len(found.candidates) < len(shown):
        raise ActionError(f"{reference!r} fits several of the shown products: {_listed(found.candidates)}.")
    return cleaned


def resolve(
    action: Action,
    conversation: Conversation,
    *,
    viewing: str | None = None,
    facts_of: FactsOf | None = None,
    told: Iterable[str] = (),
) -> Action:
    """The same action with every reference replaced by a product id. Raises `ActionError`."""
    if not isinstance(action, GetProductDetails):
        return action
    told = tuple(told)
    ids = [
        resolve_id(ref, conversation, viewing=viewing, facts_of=facts_of, told=told)
        for ref in (action.product_id, *action.compare_with)
    ]
    return action.model_copy(update={"product_id": ids[0], "compare_with": [i for i in ids[1:] if i != ids[0]]})
