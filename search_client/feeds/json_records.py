"""JSON and JSON lines, read record by record whatever the size of the file.

The place of the records is found from the beginning of the file (`locate`): the root itself, a list under some key, an
object keyed by id, or one object a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import NoReturn

from search_client.errors import FeedError
from search_client.feeds.draft import Json, Record
from search_client.feeds.encoding import Encoding, open_text
from search_client.feeds.json_cursor import BLANK, DECODER, Cursor, EndOfPrefix, partial_tree
from search_client.feeds.names import normal
from search_client.feeds.options import FeedLimits
from search_client.feeds.source import Part
from search_client.feeds.table import Misfit

_PREFIX_CHARS = 1 << 19
_MAX_DEPTH = 5
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
            tree = _beginning(Cursor(text, FeedLimits(), part.name, most=_PREFIX_CHARS))
        except EndOfPrefix:
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


def _beginning(cursor: Cursor) -> Json | Place:
    """What stands at the beginning: the place where it is plain, else the tree as far as it was read."""
    start = cursor.peek()
    if start == "{" and _is_lines(cursor.buffer):
        return Place("lines")
    if start != "[":
        return partial_tree(cursor, 0)
    try:
        entries = list(islice(cursor.entries(), 5))
    except EndOfPrefix:
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
        _, end = DECODER.raw_decode(buffer, len(buffer) - len(buffer.lstrip(BLANK)))
    except (ValueError, RecursionError):
        first, _, rest = buffer.lstrip(BLANK).partition("\n")
        return first.rstrip().endswith("}") and rest.lstrip(BLANK).startswith("{")
    return buffer[end:].lstrip(BLANK + ",").startswith("{")


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
        cursor = Cursor(text, limits, part.name)
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


def _read_lines(cursor: Cursor, limits: FeedLimits) -> Iterator[Record | Misfit]:
    """Objects one after the other. A line that is no JSON costs itself, not the file."""
    while cursor.peek(also=","):
        line = cursor.line
        try:
            value = cursor.value(within_line=True)
        except FeedError as error:
            bad = cursor.rest_of_line()
            yield Misfit(line, "the line is no JSON", f"{bad[:120]} ({error})")
            continue
        for entry in value if isinstance(value, list) else [value]:
            yield _record(entry, line, "")
