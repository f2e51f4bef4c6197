"""JSON and JSON lines, read record by record whatever the size of the file.

The place of the records is found from the beginning of the file (`locate`): the root itself, a list under some key, an
object keyed by id, or one object a line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import NoReturn, TextIO, cast

from search_client.errors import FeedError
from search_client.feeds.draft import Json, Record
from search_client.feeds.encoding import Encoding, open_text
from search_client.feeds.names import normal
from search_client.feeds.options import FeedLimits
from search_client.feeds.source import Part
from search_client.feeds.table import Misfit

_PREFIX_CHARS = 1 << 19
_MAX_DEPTH = 5
_CHUNK = 1 << 18
_BLANK = " \t\r\n\ufeff\0"
_MAX_INT_DIGITS = 40
_CATALOGS = frozenset(
    (
        "products",
        "items",
        "entries",
        "results",
        "data",
        "records",
        "catalog",
        "offers",
        "goods",
        "graph",
        "item list element",
    )
)


def _integer(text: str) -> int | str:
    return int(text) if len(text) <= _MAX_INT_DIGITS else text


def _decimal(text: str) -> Decimal | str:
    """The number, exact; as text where writing it out would fill the memory (`1e999999`)."""
    found = Decimal(text)
    return found if abs(found.adjusted()) <= _MAX_INT_DIGITS else text


_DECODER = json.JSONDecoder(parse_float=_decimal, parse_int=_integer, parse_constant=lambda _: None, strict=False)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the records of a JSON file are."""

    kind: str
    """`list` at `path`, `object` at `path` with one record a key, `one` record that is the root, `lines`."""
    path: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    """Other lists of records, which are not read."""

    def __str__(self) -> str:
        if self.kind == "lines":
            return "one object a line"
        where = ".".join(self.path) or "the root"
        return {
            "list": f"list at {where}",
            "object": f"object keyed by id at {where}",
            "one": f"one object at {where}",
        }[self.kind]


def locate(part: Part, encoding: Encoding, *, score: Callable[[dict[str, Json]], int]) -> Place:
    """Where the records are; `score` says how much an object looks like a product. Raises `FeedError`."""
    with closing(open_text(part, encoding)) as text:
        try:
            tree = _beginning(_Cursor(text, FeedLimits(), part.name, most=_PREFIX_CHARS))
        except _EndOfPrefix:
            tree = None
    if isinstance(tree, Place):
        return tree
    if not isinstance(tree, dict):
        _no_records(part.name)
    found = sorted(_candidates(tree, (), score), key=lambda each: -each[0])
    if not found or found[0][0] <= 0:
        if score(tree) <= 0:
            _no_records(part.name)
        return Place("one")
    best = found[0][1]
    others = [place.path for points, place in found[1:] if points > 0 and place.kind != "one"]
    elsewhere = tuple(".".join(path) for path in others if path[: len(best.path)] != best.path)
    return Place(best.kind, best.path, elsewhere)


def _beginning(cursor: _Cursor) -> Json | Place:
    """What stands at the beginning: the place where it is plain, else the tree as far as it was read."""
    start = cursor.peek()
    if start == "{" and _is_lines(cursor.buffer):
        return Place("lines")
    if start != "[":
        return _partial(cursor, 0)
    try:
        entries = list(islice(cursor.entries(), 5))
    except _EndOfPrefix:
        return Place("list")
    return Place("list") if not entries or any(isinstance(value, dict) for _, _, value in entries) else None


def _no_records(name: str) -> NoReturn:
    raise FeedError(
        f"No products found in {name!r}. Expected a list of objects, an object that holds one (such as "
        '{"products": [...]}), an object keyed by product id, one product, or one object a line.'
    )


def _is_lines(buffer: str) -> bool:
    """Whether the first line is a whole object and more follows."""
    try:
        _, end = _DECODER.raw_decode(buffer, len(buffer) - len(buffer.lstrip(_BLANK)))
    except (ValueError, RecursionError):
        first, _, rest = buffer.lstrip(_BLANK).partition("\n")
        return first.rstrip().endswith("}") and rest.lstrip(_BLANK).startswith("{")
    return buffer[end:].lstrip(_BLANK + ",").startswith("{")


def _candidates(
    tree: dict[str, Json], path: tuple[str, ...], score: Callable[[dict[str, Json]], int]
) -> Iterator[tuple[int, Place]]:
    """Places below `tree` with how well they look: known fields of the best of the first records, then their number."""
    own = score(tree)
    if own > 1:
        yield own * 1000, Place("one", path)
    objects = [value for value in tree.values() if isinstance(value, dict)]
    if len(objects) > 1 and len(objects) >= 0.9 * len(tree):
        each = sorted(score(value) for value in objects[:50])
        if each[len(each) // 2] > 1:
            yield max(each) * 1000 + min(len(objects), 900), Place("object", path)
    for name, value in tree.items():
        if isinstance(value, list):
            records = [_unwrapped(entry) for entry in value[:50] if isinstance(entry, dict)]
            if records and (own <= 1 or normal(name) in _CATALOGS):  # variants of one product are no catalog
                points = max(score(record) for record in records)
                yield points * 1000 + min(len(value), 900), Place("list", (*path, name))
        elif isinstance(value, dict) and len(path) < _MAX_DEPTH and own <= 1:
            yield from _candidates(value, (*path, name), score)


def _unwrapped(entry: dict[str, Json]) -> dict[str, Json]:
    """The record within GraphQL's `{"node": {...}}` and within search hits' `{"_source": {...}}`."""
    for name in ("node", "_source", "product", "item"):
        inner = entry.get(name)
        if isinstance(inner, dict) and len(entry) <= (3 if name != "_source" else 12):
            return inner
    return entry


def read_json(part: Part, encoding: Encoding, place: Place, limits: FeedLimits) -> Iterator[Record | Misfit]:
    """Every record at `place`. Raises `FeedError` with the line where the file is no JSON."""
    with closing(open_text(part, encoding)) as text:
        cursor = _Cursor(text, limits, part.name)
        if place.kind == "lines":
            yield from _read_lines(cursor, limits)
            return
        for name in place.path:
            cursor.descend(name)
        if place.kind == "one":
            line = cursor.line
            yield _record(cursor.value(), line, "")
            return
        entries = cursor.entries() if place.kind == "list" else cursor.members()
        for name, line, value in entries:
            yield _record(value, line, name)
        if not place.path:
            cursor.finish()


def _record(value: Json, line: int, name: str) -> Record | Misfit:
    if not isinstance(value, dict):
        return Misfit(line, "the record is no JSON object", str(value)[:200])
    value = _unwrapped(value)
    if name:
        value = {"\0key": name, **value}
    return Record(line, value)


def _read_lines(cursor: _Cursor, limits: FeedLimits) -> Iterator[Record | Misfit]:
    """Objects one after the other. A line that is no JSON costs itself, not the file."""
    while cursor.peek(also=","):
        line = cursor.line
        try:
            value = cursor.value(within_line=True)
        except FeedError as error:
            bad = cursor.rest_of_line()
            yield Misfit(line, "the line is no JSON", f"{bad[:120]} ({error})")
            continue
        yield _record(value, line, "")


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


def _partial(cursor: _Cursor, depth: int) -> Json:
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
    except _EndOfPrefix:
        cursor.cut = True
    return result


class _EndOfPrefix(Exception):
    """The part of the file that is looked at first ended within a value."""


class _Cursor:
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
        blank = _BLANK + also
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
                value, end = _DECODER.raw_decode(self.buffer, self._position)
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
                yield "", line, self.value() if depth is None else _partial(self, depth + 1)
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
            yield name, line, self.value() if depth is None else _partial(self, depth + 1)

    def descend(self, wanted: str) -> None:
        """Moves into the object that comes next, to the value of `wanted`."""
        for name in self.names():
            if name == wanted:
                return
            _skip(self)
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
            raise _EndOfPrefix

    def _move(self, position: int) -> None:
        self.line += self.buffer.count("\n", self._position, position)
        self._position = position

    def _grow(self, chars: int = _CHUNK) -> bool:
        if self._end:
            if self._left == 0:
                raise _EndOfPrefix
            return False
        chars = chars if self._left is None else min(chars, self._left)
        chunk = self._text.read(chars) if chars else ""
        if self._left is not None:
            self._left -= len(chunk)
        self._end = not chunk
        if self._end and self._left == 0:
            raise _EndOfPrefix
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


def _skip(cursor: _Cursor) -> None:
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
