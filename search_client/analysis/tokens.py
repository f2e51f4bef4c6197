"""Text cut into chunks, and each chunk into the terms it can be found by."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from search_client.analysis.fold import fold, transcribed
from search_client.analysis.stem import stem
from search_client.analysis.units import merge_measures

Reading = tuple[str, ...]

MAX_TERM_CHARS = 60
# Scripts written without spaces: found by pairs of letters. Han, kana, hangul, Thai, Lao, Khmer, Burmese.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"  # noqa: E501
_SPACED = rf"[^\W_{_UNSPACED}]"
_CHUNK = re.compile(
    rf"[{_UNSPACED}]+"
    r"|(?<![^\W_])[a-z](?:\+\+|#)(?![^\W_])"  # c++, c#
    rf"|{_SPACED}+%?(?:[-./&'+:]{_SPACED}+%?)*(?:=[\d.]+)?"
)
_DIGIT = re.compile(r"\d")
_JOINER = re.compile(r"[-./&'+:]")
_POSSESSIVE = re.compile(r"'s?$|'s(?=[-./&+:])")
_LETTERS_DIGITS = re.compile(r"[^\W\d_]+|\d+")
_DECIMAL = re.compile(r"\d+\.\d+[a-z%]*")
_SYMBOLS = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff]")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of text without spaces, and the ways to read it.

    `readings` are alternatives, the plain one first; each is a conjunction of terms. `T-Shirt` reads as
    `(("t", "shirt"), ("tshirt",))`: a document that holds it carries all three terms, a query is met by either reading.
    """

    text: str
    """Folded, measures merged: `27in`."""
    readings: tuple[Reading, ...]
    loose: Reading = ()
    """Terms a document is also found by, though a query that says this much does not ask for them: `27` of `27in`."""

    @property
    def terms(self) -> Reading:
        """The plain reading."""
        return self.readings[0]

    @property
    def all_terms(self) -> Reading:
        """Everything a document that holds the chunk is found by, without repetition, plain terms first."""
        return tuple(dict.fromkeys([term for reading in self.readings for term in reading] + list(self.loose)))

    @property
    def is_code(self) -> bool:
        """Whether it holds a digit: a number, size, model or part number, which no typo correction may touch."""
        return any(char.isdigit() for char in self.text)


def chunks(text: str) -> list[Chunk]:
    """`text` cut into chunks, in order. Any text is safe; control and punctuation characters only separate."""
    found: list[Chunk] = []
    for piece in _pieces(text):
        found.extend(_unspaced(piece) if _is_unspaced(piece) else [_chunk(piece)])
    return found


def terms_in(text: str) -> str:
    """All terms of all chunks of `text`, separated by blanks."""
    return " ".join(map(_terms_of_piece, _pieces(text)))


@functools.lru_cache(maxsize=50_000)
def _terms_of_piece(piece: str) -> str:
    found = _unspaced(piece) if _is_unspaced(piece) else [_read(piece)]
    return " ".join(" ".join(chunk.all_terms) for chunk in found)


def _pieces(text: str) -> list[str]:
    folded = merge_measures(fold(text), keep_typed=True)
    pieces: list[str] = _CHUNK.findall(folded)
    if text.isascii():
        return pieces
    spelled = {fold(word): other for word in re.findall(r"\w+", text) if (other := transcribed(word))}
    pieces = [f"{piece}\x00{spelled[piece]}" if piece in spelled else piece for piece in pieces]
    return pieces + _SYMBOLS.findall(text)


def _is_unspaced(piece: str) -> bool:
    return piece[0] > "\u0dff" and re.match(f"[{_UNSPACED}]", piece) is not None


def _unspaced(run: str) -> list[Chunk]:
    """Pairs of letters; a document is also found by single letters."""
    if len(run) == 1:
        return [Chunk(run, ((run,),))]
    pairs = tuple(run[at : at + 2] for at in range(len(run) - 1))
    return [Chunk(run, (pairs,), tuple(run))]


def _read(piece: str) -> Chunk:
    piece, _, other = piece.partition("\x00")
    piece, _, number = piece.partition("=")
    piece = _POSSESSIVE.sub("", piece) or piece
    if len(piece) > MAX_TERM_CHARS:
        piece = piece[:MAX_TERM_CHARS]
    if number or _DECIMAL.fullmatch(piece):
        return Chunk(piece, ((piece,),), (number,) if number else ())
    parts = [part for part in _JOINER.split(piece) if part]
    if len(parts) < 2:
        return _single(piece, other)
    plain = tuple(stem(part) for part in parts)
    readings = [plain, (stem("".join(parts)),)]
    if _DIGIT.search(piece):
        readings += _partly_joined(parts)
    return Chunk(piece, tuple(dict.fromkeys(readings)))


_chunk = functools.lru_cache(maxsize=50_000)(_read)


def _single(piece: str, other: str) -> Chunk:
    readings: list[Reading] = [(stem(piece),)]
    if other:
        readings.append((stem(other),))
    runs = _LETTERS_DIGITS.findall(piece)
    split = _split_code(runs) if len(runs) > 1 else ()
    if split:
        readings.append(split)
    return Chunk(piece, tuple(readings))


def _split_code(runs: list[str]) -> Reading:
    """`p40pro` as `p40` + `pro`, `m8x20` as `m8` + `20`; nothing for `a52s`, whose tail is part of the model."""
    pieces: list[str] = []
    for run in runs:
        if run.isdigit() and pieces and pieces[-1].isalpha() and len(pieces[-1]) <= 3:
            pieces[-1] += run
        else:
            pieces.append(run)
    pieces = [
        piece[1:] if piece.startswith("x") and piece[1:].isdigit() and at else piece for at, piece in enumerate(pieces)
    ]
    return tuple(map(stem, pieces)) if len(pieces) > 1 and all(len(piece) > 1 for piece in pieces) else ()


def _partly_joined(parts: list[str]) -> list[Reading]:
    """Neighbours of a part number written together: `TOR.0815-40` also as `tor0815` `40` and `tor` `081540`."""
    if len(parts) > 4:
        return []
    return [(*parts[:at], parts[at] + parts[at + 1], *parts[at + 2 :]) for at in range(len(parts) - 1)]
