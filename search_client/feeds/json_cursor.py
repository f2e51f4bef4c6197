"""A place in JSON text that moves from value to value, whatever the size of the file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import NoReturn, TextIO, cast

from search_client.errors import FeedError
from search_client.feeds.draft import Json
from search_client.feeds.options import FeedLimits

_CHUNK = 1 << 18
BLANK = " \t\r\n\ufeff\0"
_MAX_INT_DIGITS = 40
_MAX_DEPTH = 5


def _integer(text: str) -> int | str:
    return int(text) if len(text) <= _MAX_INT_DIGITS else text


def _decimal(text: str) -> Decimal | str:
    """The number, exact; as text where writing it out would fill the memory (`1e999999`)."""
    found = Decimal(text)
    return found if abs(found.adjusted()) <= _MAX_INT_DIGITS else text


DECODER = json.JSONDecoder(parse_float=_decimal, parse_int=_integer, parse_constant=lambda _: None, strict=False)


def nesting(value: Json) -> int:
    """How deep lists and objects are nested."""
    depth, level = 0, [value]
    while level:
        depth += 1
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, dict | list)
        ]
    return depth


def partial_tree(cursor: Cursor, depth: int) -> Json:
    """The tree as far as the prefix goes: what is cut off is left out."""
    char = cursor.peek()
    if depth >= _MAX_DEPTH or char not in "[{" or not char:
        return cursor.value()
    result: Json = [] if char == "[" else {}
    try:
        for name, _, value in cursor.members(depth) if isinstance(result, dict) else cursor.entries(depth):
            if isinstance(result, dict):
                result[name] = value
            elif isinstance(result, list):
                result.append(value)
    except EndOfPrefix:
        cursor.cut = True
    return result


class EndOfPrefix(Exception):
    """The part of the file that is looked at first ended within a value."""


class Cursor:
    """A place in JSON text that moves from value to value; holds one record and a chunk, never the file."""

    def __init__(self, text: TextIO, limits: FeedLimits, name: str, *, most: int | None = None) -> None:
        self._text = text
        self._limits = limits
        self._name = name
        self._left = most
        self._position = 0
        self._end = False
        self.buffer = ""
        self.cut = False
        """The prefix ended within a value: what was read of it is all there is."""
        self.line = 1
        """Line of the value that comes next, once `peek` was called."""
        self._grow()

    def peek(self, also: str = "") -> str:
        """The next character that is not blank, not taken yet; empty at the end."""
        blank = BLANK + also
        while True:
            start = self._position
            while start < len(self.buffer) and self.buffer[start] in blank:
                start += 1
            self._move(start)
            if start < len(self.buffer):
                return self.buffer[start]
            if not self._grow():
                return ""

    def take(self, expected: str) -> None:
        """Moves past `expected`. Raises `FeedError` where something else stands."""
        found = self.peek()
        if found != expected:
            self._fail(f"expected {expected!r}, found {found!r}" if found else "the file ends too early")
        self._move(self._position + 1)

    def value(self, *, within_line: bool = False) -> Json:
        """The next whole value; `within_line`: an error on its first line is final, more text will not mend it."""
        if not self.peek():
            self._fail("the file ends too early")
        while True:
            try:
                value, end = DECODER.raw_decode(self.buffer, self._position)
            except RecursionError:
                self._fail(f"nested deeper than {self._limits.max_nesting} levels")
            except ValueError as error:
                break_at = self.buffer.find("\n", self._position) if within_line else -1
                if getattr(error, "pos", -1) > break_at and self._grow_to_fit():
                    continue
                self._fail(getattr(error, "msg", str(error)))
            # A number at the end of the buffer may go on in the next chunk.
            if end == len(self.buffer) and not self._end and self._grow():
                continue
            self._move(end)
            if nesting(value) > self._limits.max_nesting:
                self._fail(f"nested deeper than {self._limits.max_nesting} levels")
            return cast(Json, value)

    def entries(self, depth: int | None = None) -> Iterator[tuple[str, int, Json]]:
        """The values of the list that comes next, each with its line; with `depth` as partial trees."""
        self.take("[")
        if self.peek() != "]":
            while True:
                self.peek()
                line = self.line
                yield "", line, self.value() if depth is None else partial_tree(self, depth + 1)
                self._stop_if_cut()
                if self.peek() != ",":
                    break
                self.take(",")
                if self.peek() == "]":
                    break
        self.take("]")

    def members(self, depth: int | None = None) -> Iterator[tuple[str, int, Json]]:
        """The members of the object that comes next, each with its name and line."""
        for name in self.names():
            self.peek()
            line = self.line
            yield name, line, self.value() if depth is None else partial_tree(self, depth + 1)

    def descend(self, wanted: str) -> None:
        """Moves into the object that comes next, to the value of `wanted`."""
        for name in self.names():
            if name == wanted:
                return
            skip_value(self)
        self._fail(f"{wanted!r} is missing")

    def rest_of_line(self) -> str:
        """Takes what is left of the line."""
        while (end := self.buffer.find("\n", self._position)) < 0 and self._grow():
            pass
        end = len(self.buffer) if end < 0 else end
        text = self.buffer[self._position : end]
        self._move(end)
        return text

    def finish(self) -> None:
        """Raises `FeedError` where more follows."""
        if self.peek():
            self._fail("text follows after the end")

    def names(self) -> Iterator[str]:
        self.take("{")
        if self.peek() != "}":
            while True:
                if self.peek() != '"':
                    self._fail("expected a name in double quotes")
                name = self.value()
                self.take(":")
                yield str(name)
                self._stop_if_cut()
                if self.peek() != ",":
                    break
                self.take(",")
                if self.peek() == "}":
                    break
        self.take("}")

    def _stop_if_cut(self) -> None:
        if self.cut:
            raise EndOfPrefix

    def _move(self, position: int) -> None:
        self.line += self.buffer.count("\n", self._position, position)
        self._position = position

    def _grow(self, chars: int = _CHUNK) -> bool:
        if self._end:
            if self._left == 0:
                raise EndOfPrefix
            return False
        chars = chars if self._left is None else min(chars, self._left)
        chunk = self._text.read(chars) if chars else ""
        if self._left is not None:
            self._left -= len(chunk)
        self._end = not chunk
        if self._end and self._left == 0:
            raise EndOfPrefix
        self.buffer = self.buffer[self._position :] + chunk
        self._position = 0
        return bool(chunk)

    def _grow_to_fit(self) -> bool:
        """Reads as much again as is there, so that a long value costs a few attempts, not one a chunk."""
        held = len(self.buffer) - self._position
        if held > self._limits.max_record_chars:
            self._fail(f"a record is longer than {self._limits.max_record_chars:,} characters, or the JSON is broken")
        return self._grow(max(_CHUNK, held))

    def _fail(self, what: str) -> NoReturn:
        raise FeedError(f"{self._name!r}, line {self.line}: {what}. Nothing was imported.")


def skip_value(cursor: Cursor) -> None:
    """Moves past a value of any size."""
    char = cursor.peek()
    if char == "[":
        for _ in cursor.entries():
            pass
    elif char == "{":
        for name in cursor.names():
            del name
            cursor.value()
    else:
        cursor.value()
