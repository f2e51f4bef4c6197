"""Sentences run together, as voice transcripts and hasty thumbs leave them: cut where a new question or wish begins."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from shopping_agent.offline.lexicon import Language
from shopping_agent.offline.words import Clause

MIN_BEFORE = 3  # words before a question that can be a sentence of their own: “this is better do you have …”
_VERBS = frozenset("do does did can could would will is are".split())  # noqa: SIM905
_SUBJECTS = frozenset("you it they this that these there i we u".split())  # noqa: SIM905


def cut_run_on(clause: Clause, language: Language) -> Iterator[Clause]:
    """The clause in pieces; whole where no question begins within, or its first words ask already."""
    words = [token.norm for token in clause.tokens]
    start = 0
    for place in range(MIN_BEFORE, len(words) - 1):
        begins = words[place] in _VERBS and words[place + 1] in _SUBJECTS and place - start >= MIN_BEFORE
        begins = begins and "know" not in words[place + 2 : place + 3]  # “I would, you know, like …”
        if begins and not _asks_already(words[start:place], language):
            yield Clause(clause.tokens[start:place])
            start = place
    yield from _wishes(Clause(clause.tokens[start:], asked=clause.asked), language)


def _wishes(clause: Clause, language: Language) -> Iterator[Clause]:
    """“a lamp under 50 and a monitor under 300” in two; what comes “with a strap and a lock” is one."""
    words = [token.norm for token in clause.tokens]
    places = [
        place
        for place in range(1, len(words) - 2)
        if words[place] in language.conjunctions
        and words[place + 1] in language.articles
        and language.holding.isdisjoint(words[:place])
    ]
    bounds = [0, *places, len(words)]
    for index, (start, end) in enumerate(pairwise(bounds)):
        yield Clause(clause.tokens[start:end], asked=clause.asked and end == len(words), joined=index > 0)


def _asks_already(words: list[str], language: Language) -> bool:
    """Whether the words hold a question or a conjunction that the verb belongs to: “what kind do you”, “if it is”."""
    asking = language.interrogative | {"if", "whether", "that", "because", "so", "than", "as", "and", "or"}
    return any(word in asking for word in words[:-1]) or words[-1] in asking or words[0] in language.auxiliary
