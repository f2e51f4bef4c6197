"""The guard: a text in, a verdict out. It lowers the rate of attacks; the typed action space is what bounds them."""

from __future__ import annotations

import logging
import re
from functools import cache, lru_cache
from pathlib import Path

from shopping_agent.guard.canonical import fold
from shopping_agent.guard.learned import load_learned
from shopping_agent.guard.lexicon import load_lexicon
from shopping_agent.guard.phrases import Phrases, compile_phrases
from shopping_agent.guard.rules import load_rule_set
from shopping_agent.guard.structure import find_marks, load_marks
from shopping_agent.guard.verdict import UNDECIDED, Decision, Reason, Verdict
from shopping_agent.guard.views import LEET, View, views

MAX_SCREENED_CHARS = 20_000
"""What is longer is screened at both ends; messages are bounded far below."""
MAX_REMEMBERED_CHARS = 2_000
MAX_WEIGHED_CHARS = 4_000  # where examples are concerned; the rules read on
REFUSE_AT, UNSURE_AT = 1.0, 0.5
REFUSE_LOGIT, UNSURE_LOGIT, LONE_LOGIT = 3.5, 3.0, 5.0
"""What examples must say to refuse beside what a rule suspects, to be unsure, and to refuse alone. Lower ones
refused too many hard honest texts: `python -m tests.evals guard`."""
SUSPECTED_AT = 0.3
MENTIONED = 0.9
"""The score of an attack that is only quoted and talked about: a second look, no refusal."""

_QUOTED = re.compile(r"[\"“„«‘`][^\"”“»’`\n]{3,300}[\"”“»’`]|(?<!\w)'[^'\n]{3,300}'(?!\w)")
_WORD = re.compile(r"[^\W_]+")
_log = logging.getLogger(__name__)


class Guard:
    """Screens what comes in. Holds no state between texts; threads may share it."""

    def __init__(self, phrases: Phrases | None = None) -> None:
        phrases = phrases or Phrases()
        # A broken table must stop the start, not every message.
        self._rules, self._lexicon, self._marks = load_rule_set(), load_lexicon(), load_marks()
        self._learned = load_learned()
        self._refused = compile_phrases(phrases.refused)
        self._allowed = compile_phrases(phrases.allowed)
        self._screen("make every table now: the first shopper should not wait for them")
        self._is_refused = lru_cache(maxsize=512)(self._refuses)

    @classmethod
    def from_file(cls, path: Path) -> Guard:
        """A guard with a merchant's phrases.

        Raises:
            PhraseFileError: the file cannot be read.
        """
        return cls(Phrases.read(path))

    def is_refused(self, text: str) -> bool:
        """Whether the verdict is to refuse; remembered, since a conversation is read anew each turn."""
        return self._is_refused(text) if len(text) <= MAX_REMEMBERED_CHARS else self._refuses(text)

    def _refuses(self, text: str) -> bool:
        return self.screen(text).decision is Decision.REFUSE

    def screen(self, text: str) -> Verdict:
        """The verdict on a shopper's message. Never raises: a guard that fails is unsure, and says so in the log."""
        try:
            return self._screen(text)
        except Exception:  # the one border where any fault of ours must neither block a shopper nor pass for "safe"
            _log.exception("guard failed on a text of %d characters; counted as unsure", len(text))
            return UNDECIDED

    def _screen(self, text: str) -> Verdict:
        if len(text) > MAX_SCREENED_CHARS:
            text = text[: MAX_SCREENED_CHARS // 2] + "\n" + text[-MAX_SCREENED_CHARS // 2 :]
        reasons = self._reasons(text)
        reasons += self._by_examples(text, reasons)
        if _score(reasons) >= REFUSE_AT and self._is_only_quoted(text):
            reasons = [Reason("only quoted", "plain", MENTIONED - _score(reasons)), *reasons]
        strongest = tuple(sorted(reasons, key=lambda reason: -abs(reason.points)))
        return Verdict(_decide(_score(reasons)), _score(reasons), strongest)

    def _by_examples(self, text: str, reasons: list[Reason]) -> list[Reason]:
        """What the rules left open and the examples know: raises the score to where it is refused, or unsure."""
        score = _score(reasons)
        if score >= REFUSE_AT:
            return []
        if len(text) > MAX_WEIGHED_CHARS:
            text = text[: MAX_WEIGHED_CHARS // 2] + "\n" + text[-MAX_WEIGHED_CHARS // 2 :]
        logit = self._learned.weigh(self._lexicon.tag(fold(text)), {reason.rule for reason in reasons})
        enough = REFUSE_LOGIT if score >= SUSPECTED_AT else LONE_LOGIT
        least = REFUSE_AT if logit >= enough else UNSURE_AT if logit >= UNSURE_LOGIT else score
        return [Reason("like the examples", "plain", round(least - score, 3))] if least > score else []

    def _reasons(self, text: str) -> list[Reason]:
        """Everything found, each once, with the first reading that showed it."""
        reasons = {name: Reason(name, "plain", points) for name, points in find_marks(text, self._marks)}
        read: set[str] = set()
        for view in views(text):
            words = set(_WORD.findall(view.text))
            if view.name != "plain" and not self._may_matter(words - read):
                continue
            read |= words
            found = [reason for reason in self._read(view) if reason.rule not in reasons]
            reasons.update({reason.rule: reason for reason in found})
            for reason in _disguise(view, seen=bool(found)):
                reasons.setdefault(reason.rule, reason)
        return list(reasons.values())

    def _is_only_quoted(self, text: str) -> bool:
        """Whether the text talks about an attack: all of it stands in quotes, and what stands around says so."""
        around = _QUOTED.sub(" ", text)
        if around == text:
            return False
        mention = self._lexicon.bits["mention"]
        talked_of = any(word.mask & mention for word in self._lexicon.tag(fold(around)))
        return talked_of and _score(self._reasons(around)) < UNSURE_AT

    def _may_matter(self, new_words: set[str]) -> bool:
        """Whether a reading is worth the time: it shows words not seen before, and known to the lexicon."""
        return bool(new_words) and (self._refused is not None or any(map(self._lexicon.knows, new_words)))

    def _read(self, view: View) -> list[Reason]:
        folded = self._allowed.sub(" ; ", view.text) if self._allowed else view.text
        found = [Reason(rule.name, view.name, rule.points) for rule in self._rules.find(self._lexicon.tag(folded))]
        if self._refused and (self._refused.search(folded) or self._refused.search(folded.translate(LEET))):
            found.append(Reason("merchant's phrase", view.name, 1.0))
        return found


def _score(reasons: list[Reason]) -> float:
    return round(sum(reason.points for reason in reasons), 3)


def _disguise(view: View, *, seen: bool) -> list[Reason]:
    """What a disguise adds to what was found only under it."""
    if view.name == "invisible":
        return [Reason("invisible text", view.name, 1.0)]
    if not seen or view.name == "plain":
        return []
    return [Reason("disguised", view.name, 0.6 if view.hidden else 0.3)]


def _decide(score: float) -> Decision:
    if score >= REFUSE_AT:
        return Decision.REFUSE
    return Decision.UNSURE if score >= UNSURE_AT else Decision.ALLOW


@cache
def default_guard() -> Guard:
    return Guard()


def is_suspicious(text: str) -> bool:
    """Whether the guard as shipped refuses the text."""
    return default_guard().screen(text).decision is Decision.REFUSE
