"""Our own sentences, in the shopper's language. Written in the lexicons; each passes the rule for what may be said."""

from __future__ import annotations

from shopping_agent.actions import Clarify
from shopping_agent.offline.lexicon import Lexicon


class Replies:
    """Makes the question for a reason; English where a language has none."""

    def __init__(self, lexicon: Lexicon, language: str) -> None:
        self._own = lexicon.languages[language].replies
        self._english = lexicon.languages["en"].replies

    def __call__(self, reason: str, *, about: str | None = None, candidates: tuple[str, ...] = ()) -> Clarify:
        """The question for `reason`, with real values or products to choose from."""
        text = self._own.get(reason) or self._english.get(reason) or self._english["gibberish"]
        return Clarify(question=text, about=about, candidates=list(candidates))
