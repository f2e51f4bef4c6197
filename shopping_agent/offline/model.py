"""The model that needs no key: reads the message with the catalog's own words and decides in about a millisecond."""

from __future__ import annotations

import time

from search_client.analysis import TypoCorrector
from search_client.models import Vocabulary
from shopping_agent.model import Decision, DecisionRequest
from shopping_agent.offline.ground import ground
from shopping_agent.offline.knowledge import Knowledge
from shopping_agent.offline.lexicon import load_lexicon
from shopping_agent.offline.policy import decide, instead
from shopping_agent.usage import Usage


class OfflineActionModel:
    """An `ActionModel` made of rules and the catalog's vocabulary. Thread-safe: what it keeps is only a cache."""

    name = "offline"

    def __init__(self) -> None:
        self._lexicon = load_lexicon()
        nouns = frozenset(word for language in self._lexicon.languages.values() for word in language.nouns)
        self._nouns = nouns
        cues = {code: self._cues_of(code) for code in self._lexicon.languages}
        self._cues = frozenset().union(*cues.values())
        self._spellers = {code: TypoCorrector((word, 1) for word in sorted(words)) for code, words in cues.items()}
        self._known: tuple[Vocabulary, Knowledge] | None = None

    def decide(self, request: DecisionRequest) -> Decision:
        """One action; never raises, asks nobody."""
        started = time.perf_counter()
        known = self._knowledge(request.vocabulary)
        action, later = decide(request, known)
        if request.feedback is not None:
            action = instead(action, request.conversation, known)
        return Decision(action, self.name, later=later, usage=Usage(model_ms=(time.perf_counter() - started) * 1000))

    def _cues_of(self, code: str) -> frozenset[str]:
        """The words of a language that are known as they are: of its phrases, and the everyday ones."""
        language = self._lexicon.languages[code]
        lists = (
            language.function,
            language.people,
            language.generic,
            language.modifiers,
            *(language.departments, language.aspects, language.ordinals),
        )
        everyday = frozenset(word for words in lists for word in words)
        return everyday | self._lexicon.book.words_of(code)

    def close(self) -> None:
        """Nothing to release."""

    def _knowledge(self, vocabulary: Vocabulary) -> Knowledge:
        """What reading rests on, built once a vocabulary."""
        kept = self._known
        if kept is None or kept[0] is not vocabulary:
            grounded = ground(vocabulary, nouns=self._nouns)
            kept = (vocabulary, Knowledge(self._lexicon, self._spellers, grounded, self._cues, self._nouns))
            self._known = kept
        return kept[1]
