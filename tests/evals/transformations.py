"""The same message as other hands and mouths would send it: pure and seeded, for measuring how robust a decision is."""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Callable, Mapping

_POLITE = {
    "en": ("Excuse me, could you please help me? ", " Thank you so much in advance!"),
    "de": ("Entschuldigung, können Sie mir bitte helfen? ", " Vielen Dank im Voraus!"),
    "fr": ("Excusez-moi, pouvez-vous m'aider s'il vous plaît ? ", " Merci beaucoup d'avance !"),
    "es": ("Disculpe, ¿me puede ayudar por favor? ", " ¡Muchas gracias de antemano!"),
    "zh": ("您好，麻烦您一下，", "，非常感谢！"),
}
_FILLERS = {
    "en": ("um", "uh", "like", "you know", "well"),
    "de": ("äh", "ähm", "also", "halt"),
    "fr": ("euh", "alors", "bon"),
    "es": ("eh", "pues", "este"),
    "zh": ("嗯", "那个"),
}
_EMOJI = "😀🙏👍✨🛒❤️"


def _random(text: str) -> random.Random:
    return random.Random(zlib.crc32(text.encode()))


def capitals(text: str, _language: str) -> str:
    return text.upper()


def unpunctuated(text: str, _language: str) -> str:
    """Without marks that end or part sentences; those within numbers and words stay."""
    return re.sub(r"(?<!\d)[.,;:!?¿¡…。！？，]+|[.,;:!?…。！？，]+(?!\d)", " ", text)


def with_emoji(text: str, _language: str) -> str:
    return f"{text} {_random(text).choice(_EMOJI)}{_random(text).choice(_EMOJI)}"


def polite_before(text: str, language: str) -> str:
    return _POLITE[language][0] + text


def polite_after(text: str, language: str) -> str:
    return text + _POLITE[language][1]


def one_typo(text: str, _language: str) -> str:
    """One letter lost, doubled, replaced or swapped in one word of at least four letters."""
    chance = _random(text)
    words = list(re.finditer(r"[^\W\d_]{4,}", text))
    latin = [word for word in words if word[0].isascii()]
    if not latin:
        return text
    word = chance.choice(latin)
    letters, at = word[0], chance.randrange(1, len(word[0]) - 1)
    slips = (
        letters[:at] + letters[at + 1 :],
        letters[:at] + letters[at] + letters[at:],
        letters[:at] + chance.choice("abcdefghijklmnoprstuvwyz") + letters[at + 1 :],
        letters[:at] + letters[at + 1] + letters[at] + letters[at + 2 :],
    )
    return text[: word.start()] + chance.choice(slips) + text[word.end() :]


def spoken(text: str, language: str) -> str:
    """As a voice transcript: lower case, no marks, fillers here and there."""
    chance = _random(text)
    plain = unpunctuated(text, language).lower()
    if language == "zh":
        return chance.choice(_FILLERS["zh"]) + plain
    out = [chance.choice(_FILLERS[language])]
    for word in plain.split():
        out.append(word)
        if chance.random() < 0.15:
            out.append(chance.choice(_FILLERS[language]))
    return " ".join(out)


TRANSFORMATIONS: Mapping[str, Callable[[str, str], str]] = {
    "capitals": capitals,
    "unpunctuated": unpunctuated,
    "emoji": with_emoji,
    "polite_before": polite_before,
    "polite_after": polite_after,
    "one_typo": one_typo,
    "spoken": spoken,
}
