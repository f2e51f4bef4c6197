"""What a model may say: one plain question to the shopper, or nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shopping_agent.guard.canonical import fold, is_invisible
from shopping_agent.guard.screen import default_guard
from shopping_agent.guard.verdict import Decision
from shopping_agent.guard.views import views

MAX_QUESTION_CHARS = 200
LEAK_WORDS = 5
"""A run of so many words of a secret text is a leak."""
_PLAIN = re.compile(r"[^\d<>{}\[\]\\|`*_#=~^@$€£¥₹₽₺%&]+")
_LINK = re.compile(r"https?:|www\.|://|\b\w+\.(?:com|net|org|io|example|shop|co|de|fr)\b", re.I)
_PROMISE = re.compile(
    r"\b(?:discounts?|refund\w*|coupons?|vouchers?|promo\w*|cash ?back|for free|free of charge|half price|percent"
    r"|dollars?|euros?|(?:your|the|an|this) orders?|order(?:ed|ing)? (?:it|this|that|them)|checkout|place an order"
    r"|price match|guarante\w*|compensation|rabatt\w*|gutschein\w*|kostenlos|erstatt\w*|remise\w*|rembours\w*"
    r"|gratuit\w*|descuento\w*|reembolso\w*|gratis|sconto|sconti|rimborso\w*)\b",
    re.I,
)


def check_question(question: str, *, secrets: Sequence[str] = ()) -> str | None:
    """The model's question as it may be shown, or None where our own question is shown instead.

    Args:
        question: what the model wrote.
        secrets: texts that must not leak, such as the system prompt and the action schema.
    """
    text = " ".join("".join(c if c in "\n\t" or not is_invisible(c) else "" for c in question).split())
    if not text or len(text) > MAX_QUESTION_CHARS or not text.endswith(("?", "？", "؟")):
        return None
    if not _PLAIN.fullmatch(text) or _LINK.search(text) or _PROMISE.search(text):
        return None
    if default_guard().screen(text).decision is Decision.REFUSE or _leaks(text, secrets):
        return None
    return text


def _leaks(text: str, secrets: Sequence[str] = ()) -> bool:
    runs = {run for secret in secrets for run in _runs(secret)}
    return any(run in runs for view in views(text) for run in _runs(view.text))


def _runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[^\W_]+", fold(text))
    return {tuple(words[i : i + LEAK_WORDS]) for i in range(len(words) - LEAK_WORDS + 1)}
