"""A message as words: folded for comparison, split into clauses, each word knowing where it was typed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from search_client.analysis import fold

MAX_TOKENS = 240  # a wish is said in the first two hundred words; bounds the worst case of every later step

_HAN = "\u3400-\u9fff"
_TOKEN = re.compile(
    rf"""(?P<url>https?://\S+|www\.\S+)
    |(?P<han>[{_HAN}]+)
    |(?P<money>[$€£¥₹₩])
    |(?P<word>\#?(?:\d+(?:[.,]\d+)*(?:/\d+)?|[^\W\d_{_HAN}]|\d)(?:[^\W_{_HAN}]|(?<=\d)[.,](?=\d)|[-'’`´/&](?=[^\W_{_HAN}]))*[+%°″"”]?)
    |(?P<stop>[.!?…;:。！？；\n]|--+|-->)
    |(?P<comma>[,，、|()\[\]]|\s[-–—]\s)""",
    re.VERBOSE,
)
_RANGE = re.compile(r"\d+(?:\.\d+)?-\d+(?:\.\d+)?")  # `$15-25` is two numbers
_EMOTICON = re.compile(r"(?<!\w)[:;=8xX][-o'^]?[)(DPpXxO/\\|3*]+(?!\w)|(?<!\w)<3(?!\w)|\^\^")
_STRETCHED = re.compile(r"([^\W\d])\1{2,}")


def unstretched(word: str) -> str:
    """`helloooo` as `hello`: a letter written three times or more is meant once."""
    return _STRETCHED.sub(r"\1", word)


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number, currency sign or run of Han characters."""

    text: str
    """As typed."""
    norm: str
    """Folded, for comparison."""
    after_comma: bool = False
    """Whether a comma, bracket or dash stands before it."""

    @property
    def is_han(self) -> bool:
        return "\u3400" <= self.norm[:1] <= "\u9fff"


@dataclass(frozen=True, slots=True)
class Clause:
    """What stands between two full stops, line ends or question marks."""

    tokens: tuple[Token, ...]
    asked: bool = False
    """Whether a question mark ends it."""
    joined: bool = False
    """Whether an “and” joins it to the one before: “a lamp … and a monitor …”."""


def _cut(match: re.Match[str], following: str) -> bool:
    """Whether a stop ends the clause: a dot within `amazon.com` or a colon within `4:30` does not."""
    return match["stop"] not in (".", ":") or not following or following.isspace() or not following.isalnum()


def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of `text` in order, none empty; pictures and signs that are no words are left out."""
    done: list[Clause] = []
    tokens: list[Token] = []
    comma, count = False, 0
    for match in _TOKEN.finditer(_EMOTICON.sub(" ", text)):
        kind = match.lastgroup
        if kind == "stop" and _cut(match, text[match.end() : match.end() + 1]):
            if tokens:
                done.append(Clause(tuple(tokens), asked=match[0] in "?？"))
                tokens = []
            elif match[0] in "?？" and done:
                done[-1] = Clause(done[-1].tokens, asked=True)
        elif kind == "comma":
            comma = True
        elif kind in ("word", "han", "money", "url"):
            norm = "http" if kind == "url" else fold(match[0]).strip('#"')
            if norm:
                parts = norm.split("-") if _RANGE.fullmatch(norm) else [norm]
                texts = parts if len(parts) > 1 else [match[0]]
                tokens.extend(
                    Token(text, part, comma and bool(tokens)) for text, part in zip(texts, parts, strict=True)
                )
                count += len(parts)
            comma = False
        if count >= MAX_TOKENS:
            break
    if tokens:
        done.append(Clause(tuple(tokens)))
    return tuple(done)
