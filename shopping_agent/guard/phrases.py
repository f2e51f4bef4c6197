"""A merchant's own words: phrases to refuse, and phrases that always pass."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from pathlib import Path

from shopping_agent.guard.canonical import fold
from shopping_agent.guard.lexicon import CJK

_COMMENT = re.compile(r"(?:^|\s)#.*")
_log = logging.getLogger(__name__)
_CJK_CHAR = re.compile(f"[{CJK}]")


class PhraseFileError(ValueError):
    """A phrase file that cannot be read; raised at start, never for a message."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """Phrases are met as whole words, whatever their case, accents or punctuation."""

    refused: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Phrases:
        """One phrase a line; `!` before it lets it pass, `#` starts a comment, empty lines are skipped."""
        lines = [_COMMENT.sub("", line).strip() for line in text.removeprefix("\ufeff").splitlines()]
        phrases = [line for line in lines if _words(line)]
        _log.info("guard phrases: %d read, %d lines without a word skipped", len(phrases), len(lines) - len(phrases))
        return cls(
            refused=tuple(phrase for phrase in phrases if not phrase.startswith("!")),
            allowed=tuple(phrase.removeprefix("!").strip() for phrase in phrases if phrase.startswith("!")),
        )

    @classmethod
    def read(cls, path: Path) -> Phrases:
        """The phrases of a file.

        Raises:
            PhraseFileError: the file is missing, a folder, or not UTF-8.
        """
        try:
            return cls.parse(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise PhraseFileError(
                f"cannot read the guard's phrase file {str(path)!r}: {error}; give a UTF-8 text file, one phrase a line"
            ) from error


def _words(phrase: str) -> list[str]:
    return re.findall(r"[^\W_]+", fold(phrase))


def compile_phrases(phrases: tuple[str, ...]) -> re.Pattern[str] | None:
    """A pattern over folded text that meets any of the phrases as whole words; None for no phrases."""
    shapes = [_shape(words) for words in map(_words, phrases) if words]
    return re.compile("|".join(shapes)) if shapes else None


def _shape(words: list[str]) -> str:
    body = r"[\W_]{1,3}".join(map(re.escape, words))
    # Scripts without spaces have no word borders to ask for.
    return body if _CJK_CHAR.search(body) else rf"(?<![^\W_]){body}(?![^\W_])"
