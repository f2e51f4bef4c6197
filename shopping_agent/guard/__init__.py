"""Screening of what comes in, and of what a model may say. Lowers the rate of attacks; never the boundary itself."""

from shopping_agent.guard.phrases import PhraseFileError, Phrases
from shopping_agent.guard.product_text import flag_product_text
from shopping_agent.guard.question import check_question
from shopping_agent.guard.screen import Guard, is_suspicious
from shopping_agent.guard.verdict import Decision, Reason, Verdict

__all__ = [
    "Decision",
    "Guard",
    "PhraseFileError",
    "Phrases",
    "Reason",
    "Verdict",
    "check_question",
    "flag_product_text",
    "is_suspicious",
]
