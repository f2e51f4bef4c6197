"""JSON as models write it: cut off, with unescaped quotes, single quotes, trailing commas, Python words."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

MAX_CHARS = 8_000  # a whole action is under 1,000
MAX_DEPTH = 12

_SPACE = re.compile(r"(?:\s+|//[^\n]*)*")
_WORD = re.compile(r"[^\s,:{}\[\]\"']+")
_AFTER_VALUE = re.compile(r"\s*(?:$|[}\]]|:|,\s*(?:$|[\"'{\[}\]\d-]|true|false|null|None|[A-Za-z_]+\s*:))")
_CLOSERS = {'"': '"', "'": "'", "“": "”"}
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None, "undefined": None}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(frozen=True, slots=True)
class Parsed:
    """One value read from text."""

    value: Any
    end: int
    """Index just behind it."""
    mended: bool = False
    """True: it was not JSON as it stood."""
    lost: bool = False
    """True: it was cut where something is missing (within a string, behind a comma or a key)."""


class _Cut(Exception):
    """Nothing that can be read stands here."""


def parse_at(text: str, start: int = 0) -> Parsed | None:
    """The value that begins at `start`; None where none does. Never raises, linear in the length of the text."""
    text = text[: start + MAX_CHARS]
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        reader = _Reader(text, start)
        try:
            value = reader.value(0)
        except _Cut:
            return None
        return Parsed(value, reader.at, mended=True, lost=reader.lost)
    return Parsed(value, end)


class _Reader:
    """Recursive descent that closes what was left open."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.lost = False

    def value(self, depth: int) -> Any:
        self._skip()
        char = self.text[self.at : self.at + 1]
        if char == "" or depth > MAX_DEPTH:
            # Nothing deeper is an action of ours: the rest is given up, so that no level reads it again.
            self.at = len(self.text)
            self.lost = True
            raise _Cut
        if char == "{":
            return self._object(depth)
        if char == "[":
            return self._array(depth)
        if char in _CLOSERS:
            return self._string(_CLOSERS[char])
        return self._word()

    def _skip(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def _next_is(self, chars: str) -> str:
        """The next character if it is one of `chars`, taken; else `""`."""
        self._skip()
        char = self.text[self.at : self.at + 1]
        if char and char in chars:
            self.at += 1
            return char
        return ""

    def _object(self, depth: int) -> dict[str, Any]:
        self.at += 1
        found: dict[str, Any] = {}
        while not self._next_is("}"):
            before = self.at
            if self._ended():
                return found
            try:
                key = str(self.value(depth + 1))
                if not self._next_is(":="):
                    self.lost = True
                    continue
                found[key] = self.value(depth + 1)
            except _Cut:
                return found
            comma = self._next_is(",")
            if self._ended():
                self.lost = self.lost or bool(comma)
                return found
            if self.at == before:
                raise _Cut
        return found

    def _array(self, depth: int) -> list[Any]:
        self.at += 1
        found: list[Any] = []
        while not self._next_is("]"):
            if self._ended() or self.text[self.at : self.at + 1] == "}":
                return found
            before = self.at
            try:
                found.append(self.value(depth + 1))
            except _Cut:
                return found
            comma = self._next_is(",")
            if self._ended():
                self.lost = self.lost or bool(comma)
                return found
            if self.at == before:
                raise _Cut
        return found

    def _ended(self) -> bool:
        self._skip()
        return self.at >= len(self.text)

    def _string(self, closer: str) -> str:
        self.at += 1
        parts: list[str] = []
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if char == "\\":
                parts.append(self._escape())
            elif char == closer and _AFTER_VALUE.match(self.text, self.at):
                return "".join(parts)
            else:
                # A quote with more text behind it is an inch mark or an apostrophe that was not escaped.
                parts.append(char)
        self.lost = True
        return "".join(parts)

    def _escape(self) -> str:
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if char == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", digits := self.text[self.at : self.at + 4]):
            self.at += 4
            return chr(int(digits, 16))
        return _ESCAPES.get(char, char)

    def _word(self) -> Any:
        match = _WORD.match(self.text, self.at)
        if match is None:
            raise _Cut
        self.at = match.end()
        word = match[0]
        if word in _WORDS:
            return _WORDS[word]
        try:
            return json.loads(word)
        except ValueError:
            return word
