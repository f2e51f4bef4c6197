"""Which language a message is in: the one most of whose everyday words it uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from shopping_agent.conversation import Conversation
from shopping_agent.offline.lexicon import Lexicon, load_lexicon
from shopping_agent.offline.words import clauses

MAX_TURNS = 6  # who changes the language does so for good


def detect(words: Iterable[str], lexicon: Lexicon, *, before: str = "en") -> str:
    """Code of the language; `before` (that of the earlier turns) where the words do not tell."""
    votes: Counter[str] = Counter()
    breaths = frozenset().union(*(language.breaths for language in lexicon.languages.values()))
    for word in words:
        if word in breaths:
            continue
        if "\u3400" <= word[:1] <= "\u9fff":
            votes["zh"] += 2
            continue
        for code, language in lexicon.languages.items():
            if word in language.function or word in language.short:
                votes[code] += 2
            elif word in language.things or code in lexicon.book.languages_of(word):
                votes[code] += 1
    if not votes:
        return before
    best = max(votes.values())
    leaders = [code for code, count in votes.items() if count == best]
    return before if before in leaders else leaders[0]


def spoken(conversation: Conversation, message: str) -> str:
    """Code of the language a message is in; where it does not tell, that of the shopper's turns before it."""
    lexicon, code = load_lexicon(), "en"
    for text in (*(turn.text for turn in conversation.turns[-MAX_TURNS:] if turn.role == "user"), message):
        code = detect((token.norm for clause in clauses(text) for token in clause.tokens), lexicon, before=code)
    return code
