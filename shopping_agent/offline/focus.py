"""What the conversation is about right now: the products last put before the shopper, listed or told in prose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from search_client.analysis import fold
from shopping_agent.conversation import ShownProduct, Turn
from shopping_agent.offline.lexicon import Lexicon
from shopping_agent.offline.sheet import cut_han
from shopping_agent.offline.words import Clause, clauses

_URL = re.compile(r"https?://\S+")
_PART = r"[A-Z0-9][\w'’.&:-]*"
_NAME = rf"{_PART}(?:[ ]+(?:(?:of|the|by|and|in|with|for|on|a|an|to)[ ]+){{0,2}}{_PART})*"
_NAMED = re.compile(rf"(?<!\w){_NAME}")
_EITHER = re.compile(rf"(?P<a>{_NAME})[ ,]+(?P<join>or|and|oder|und|ou|et|o|y)[ ]+(?:the |an? )?(?P<b>{_NAME})")
_NUMBERED = re.compile(r"^\s*(?:\d{1,2}[.)]|[-*•])\s+\S", re.MULTILINE)
_OR = ("or", "oder", "ou", "o")
MAX_COUNT = 8  # “we have 12 pieces a pack” counts no products on the page


@dataclass(frozen=True, slots=True)
class Focus:
    """The products in view. Those named in prose have no id."""

    products: tuple[ShownProduct, ...] = ()
    many: bool = False
    """Whether there is more than one, as far as the text tells."""
    sure: bool = False
    """Whether that is certain: “Puma and Asics” may be one title, “a red one and a blue one” is not."""
    text: str = ""
    """The words that put them there, folded, for comparing nouns."""

    def __bool__(self) -> bool:
        return bool(self.products)

    @property
    def listed(self) -> tuple[ShownProduct, ...]:
        """Those with an id."""
        return tuple(product for product in self.products if product.id)


def focus_of(turn: Turn, lexicon: Lexicon) -> Focus:
    """What an assistant turn put before the shopper; empty if nothing."""
    text = fold(turn.text)
    if turn.shown:
        several = len(turn.shown) > 1
        return Focus(turn.shown, many=several, sure=several, text=text)
    parts = clauses(_URL.sub(" ", turn.text))
    if parts and _denies(parts[0], lexicon) and not _turns(parts, lexicon):
        return Focus()
    said = [clause for clause in parts if not _denies(clause, lexicon)]
    rows = [_words(clause, lexicon) for clause in said]
    prose = "\n".join(_typed(clause) for clause in said)
    names = _names(prose, lexicon)
    described = [color for row in rows for color in _described(row, lexicon)]
    offers = any(match.act == "offer" for row in rows for match in lexicon.book.find(row))
    pictured = _URL.search(turn.text) is not None
    if not (pictured or described or offers) and (not names or "?" in turn.text):
        return Focus()
    either = _EITHER.search(prose)
    joined = bool(either and {fold(either["a"]), fold(either["b"])}.isdisjoint(lexicon.not_names))
    sure = (
        len(described) > 1
        or any(_counts_several(row, lexicon) for row in rows)
        or len(_NUMBERED.findall(prose)) > 1
        or (joined and either is not None and either["join"] in _OR)
    )
    many = sure or joined
    titles = names or described or [""]
    products = tuple(ShownProduct("", title, position) for position, title in enumerate(titles, start=1))
    return Focus(products if many else products[:1], many=many, sure=sure, text=text)


def _words(clause: Clause, lexicon: Lexicon) -> list[str]:
    return [
        piece for token in clause.tokens for piece in (cut_han(token.norm, lexicon) if token.is_han else [token.norm])
    ]


def opens_with_denial(text: str, lexicon: Lexicon) -> bool:
    """Whether a text begins by saying that something is not to be had."""
    first = next(iter(clauses(text)), None)
    return first is not None and _denies(first, lexicon)


def _denies(clause: Clause, lexicon: Lexicon) -> bool:
    """Whether the clause says that something is not to be had: it puts nothing before the shopper."""
    return any(match.act == "deny" for match in lexicon.book.find(_words(clause, lexicon)))


def _turns(parts: Sequence[Clause], lexicon: Lexicon) -> bool:
    """Whether a refusal goes on to offer something: “we don't have that, but …”."""
    words = {token.norm for clause in parts for token in clause.tokens}
    return not lexicon.turning.isdisjoint(words)


def _typed(clause: Clause) -> str:
    return "".join((", " if token.after_comma else " ") + token.text for token in clause.tokens).strip()


def _names(text: str, lexicon: Lexicon) -> list[str]:
    """Capitalised runs that look like product names; a lone capital at the start of a sentence is none."""
    found: list[str] = []
    for match in _NAMED.finditer(text):
        words = match[0].split()
        while words and fold(words[0]).split("'")[0].strip(".:-") in lexicon.not_names:
            words = words[1:]
        name = " ".join(words).rstrip(".:-")
        before = text[: match.start()].rstrip(" ")[-1:]
        lone = len(match[0].split()) == 1 and before in ("", ".", "!", "?", "\n", ":")
        if name and not name.replace(".", "").isdigit() and not lone:
            found.append(name)
    return found


def _described(words: list[str], lexicon: Lexicon) -> list[str]:
    """Colours that stand for a product: “a brown one and a grey one on the rack” holds brown and grey."""
    english = lexicon.languages["en"]
    found = []
    for place, word in enumerate(words):
        if word not in english.colors or (place + 1 < len(words) and words[place + 1] in ("and", *english.colors)):
            continue
        before = [w for w in words[max(0, place - 4) : place] if w not in english.colors and w not in english.shades]
        if set(before[-2:]) & {"a", "an", "another", "the", "this", "that", "one", "or"}:
            found.append(word)
    return found


def _counts_several(words: list[str], lexicon: Lexicon) -> bool:
    """Whether “two white chairs”, “both”, “three options” stands in the words."""
    english = lexicon.languages["en"]
    for place, word in enumerate(words):
        number = english.numbers.get(word, int(word) if word.isdecimal() and len(word) == 1 else 0)
        following = words[place + 1 : place + 4]
        if word == "both" or (
            1 < number <= MAX_COUNT and any(w in english.generic or _is_goods(w, english.nouns) for w in following)
        ):
            return True
    return False


def _is_goods(word: str, nouns: frozenset[str]) -> bool:
    return word.endswith("s") and word in nouns
