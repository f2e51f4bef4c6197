"""Delimited text: delimiter and header found out, rows read with the line they begin on, shifted rows caught."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TextIO

from search_client.errors import FeedError
from search_client.feeds.draft import Json, Record
from search_client.feeds.encoding import Encoding, open_text
from search_client.feeds.options import FeedLimits
from search_client.feeds.source import Part

DELIMITERS = (",", ";", "\t", "|")
_SAMPLE_LINES = 2_000
_MAX_ROW_LINES = 5_000
_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}


@dataclass(frozen=True, slots=True)
class Dialect:
    """How the rows of a file are written."""

    delimiter: str
    header: tuple[str, ...]
    header_line: int
    evidence: str
    escaped: bool = False
    """A backslash before a quote keeps it."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """A row that cannot be told apart into the header's columns."""

    line: int
    reason: str
    value: str


def detect_dialect(
    part: Part,
    encoding: Encoding,
    *,
    told: str | None,
    score: Callable[[list[str]], int],
    limits: FeedLimits,
) -> Dialect:
    """The delimiter and header of a file; `score` counts the names of a row that are known column names."""
    csv.field_size_limit(max(csv.field_size_limit(), limits.max_field_chars))  # one setting for the whole process
    with closing(open_text(part, encoding)) as text:
        lines = list(itertools.islice(_lines(text, limits), _SAMPLE_LINES))
    skip = 0
    if lines and (separator := lines[0].strip().removeprefix("\ufeff").strip('"')).lower().startswith("sep="):
        told, skip = told or separator[4:5] or "\t", 1
    best: tuple[int, int, Dialect] | None = None
    for delimiter in (told,) if told else DELIMITERS:
        for index, row, line in _first_rows(lines[skip : skip + 60], delimiter):
            known, width = score(row), len([name for name in row if name.strip()])
            rank = (known * 10 - index * 11, width)
            if best is None or rank > best[:2]:
                why = "told" if told and not skip else "'sep=' line" if skip else f"{known} known of {width} columns"
                best = (*rank, Dialect(delimiter, _header(row), line + skip, why))
    if best is None:
        raise FeedError(f"{part.name!r} is empty.")
    dialect = best[2]
    if any('\\"' in line for line in lines) and _is_escaped(lines[dialect.header_line :], dialect):
        dialect = replace(dialect, escaped=True, evidence=f"{dialect.evidence}; a backslash keeps a quote")
    if len(dialect.header) > limits.max_columns:
        raise FeedError(f"{part.name!r} has {len(dialect.header):,} columns; at most {limits.max_columns:,} are read.")
    if len(dialect.header) < 2:
        raise FeedError(
            f"{part.name!r} reads as one column {dialect.header[0][:80]!r}: no delimiter among comma, semicolon, tab "
            "and pipe splits it. Say which one it uses with --delimiter."
        )
    return dialect


def _is_escaped(lines: list[str], dialect: Dialect) -> bool:
    """Whether rows fit the header only where a backslash before a quote keeps it."""
    width = len(dialect.header)
    misfits = [
        sum(len(row) != width for row in csv.reader(lines, delimiter=dialect.delimiter, escapechar=escape) if row)
        for escape in (None, "\\")
    ]
    return misfits[1] < misfits[0]


def delimiter_name(delimiter: str) -> str:
    """The delimiter as a word."""
    return _NAMES.get(delimiter, repr(delimiter))


def read_table(part: Part, encoding: Encoding, dialect: Dialect, limits: FeedLimits) -> Iterator[Record | Misfit]:
    """Every filled row after the header, and every row that does not fit it."""
    header, width = dialect.header, len(dialect.header)
    repeated = len(set(header)) < width
    with closing(open_text(part, encoding)) as text:
        for line, cells, problem in _Rows(text, dialect, limits):
            repaired = ""
            if not problem and len(cells) > width and (whole := _with_whole_address(cells, width, dialect.delimiter)):
                cells, repaired = whole, "an address parted at an unquoted comma was put together"
            if problem or (len(cells) > width and any(cell.strip() for cell in cells[width:])):
                reason = problem or "the row has more fields than the header"
                yield Misfit(line, reason, f"{len(cells)} fields, header {width}: " + ",".join(cells)[:150])
                continue
            if not any(map(str.strip, cells)):
                continue
            data = (_merged if repeated else _filled)(header, cells)
            yield Record(line, data, header[len(cells) :] if len(cells) < width else (), repaired)


def _with_whole_address(cells: list[str], width: int, delimiter: str) -> list[str] | None:
    """The row with its one address that holds the delimiter put together; None where that is not certain."""
    more = len(cells) - width
    found: list[list[str]] = []
    for index in range(len(cells) - more):
        rest = cells[index + 1 : index + 1 + more]
        if cells[index].startswith(("http://", "https://")) and all(map(_is_rest_of_address, rest)):
            whole = delimiter.join(cells[index : index + 1 + more])
            found.append([*cells[:index], whole, *cells[index + 1 + more :]])
    return found[0] if len(found) == 1 else None


def _is_rest_of_address(cell: str) -> bool:
    return any(sign in cell for sign in "&=/%") and not cell.startswith("http") and " " not in cell


def _filled(header: tuple[str, ...], cells: list[str]) -> dict[str, Json]:
    return {name: cell for name, cell in zip(header, cells, strict=False) if cell}


def _merged(header: tuple[str, ...], cells: list[str]) -> dict[str, Json]:
    """Cells of columns with one name become a list."""
    data: dict[str, list[Json]] = {}
    for name, cell in zip(header, cells, strict=False):
        if cell.strip():
            data.setdefault(name, []).append(cell)
    return {name: values if len(values) > 1 else values[0] for name, values in data.items()}


def _header(row: list[str]) -> tuple[str, ...]:
    return tuple(
        " ".join(name.replace("\ufeff", "").split()) or f"column {i}" for i, name in enumerate(_trimmed(row), 1)
    )


def _trimmed(row: list[str]) -> list[str]:
    while len(row) > 1 and not row[-1].strip():
        row = row[:-1]
    return row


def _first_rows(lines: list[str], delimiter: str) -> Iterator[tuple[int, list[str], int]]:
    """The first filled rows with their place among the filled ones and their line: the header is one of them."""
    reader = csv.reader(lines, delimiter=delimiter)
    count = 0
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield count, row, reader.line_num
                count += 1
            if count >= 6:
                return
    except csv.Error:
        return


def _lines(text: TextIO, limits: FeedLimits) -> Iterator[str]:
    """Physical lines, bounded; NUL characters, which no text has, are dropped."""
    most = limits.max_record_chars
    while line := text.readline(most):
        if len(line) >= most and not line.endswith(("\n", "\r")):
            raise FeedError(f"A line is longer than {most:,} characters: this is no table, or a quote is not closed.")
        yield line.replace("\0", "") if "\0" in line else line


class _Rows:
    """Rows with the line each begins on. A quote that is never closed costs its own line, not the rest of the file."""

    def __init__(self, text: TextIO, dialect: Dialect, limits: FeedLimits) -> None:
        self._lines = _lines(text, limits)
        self._pushed: list[str] = []
        self._taken: list[str] = []
        self._dialect = dialect
        self._line = dialect.header_line
        for _ in range(dialect.header_line):
            next(self._lines, "")
        self._reader = self._new_reader()

    def __iter__(self) -> Iterator[tuple[int, list[str], str]]:
        """Line, cells and what is wrong with the row (empty: nothing)."""
        while True:
            first, problem = self._line + 1, ""
            self._taken.clear()
            try:
                row = next(self._reader)
            except StopIteration:
                if not self._taken:
                    return
                row, problem = [], "the row cannot be read"
            except csv.Error as error:
                row, problem = [], f"the row cannot be read ({error})"
            if len(self._taken) > 1 and (problem or self._swallowed(row)):
                row, problem = self._resynced(), "a quote is not closed"
            if problem:
                self._reader = self._new_reader()
            self._line += len(self._taken)
            yield first, row, problem

    def _new_reader(self) -> Iterator[list[str]]:
        escape = "\\" if self._dialect.escaped else None
        return csv.reader(self._feed(), delimiter=self._dialect.delimiter, escapechar=escape)

    def _feed(self) -> Iterator[str]:
        """Lines given back first, then new ones; it ends early within a row of absurdly many lines."""
        while len(self._taken) < _MAX_ROW_LINES:
            line = self._pushed.pop() if self._pushed else next(self._lines, None)
            if line is None:
                return
            self._taken.append(line)
            yield line

    def _swallowed(self, row: list[str]) -> bool:
        """Whether a row of several lines holds rows of its own behind a quote that is not closed."""
        if self._dialect.escaped or sum(line.count('"') for line in self._taken) % 2 == 0:
            return False
        width = len(self._dialect.header)
        return len(row) != width or any(line.count(self._dialect.delimiter) >= width - 1 for line in self._taken[1:])

    def _resynced(self) -> list[str]:
        """Keeps the first line for this row and gives the others back."""
        first = self._taken[0]
        self._pushed.extend(reversed(self._taken[1:]))
        self._taken[1:] = []
        return next(csv.reader([first], delimiter=self._dialect.delimiter, quoting=csv.QUOTE_NONE), [])
