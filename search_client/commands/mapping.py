"""`--map`: which column of a merchant's file fills which field, said in the command or kept in a file."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from search_client.errors import SettingsError

Pair = tuple[str, str]
"""Our field and the file's own column."""

_MAX_CHARS = 1 << 20


def read_mapping(told: Sequence[str]) -> tuple[Pair, ...]:
    """The pairs of all `--map`s, each `FIELD=COLUMN` or the path of a file of them. Raises `SettingsError`."""
    return tuple(pair for text in told for pair in _pairs(text))


def _pairs(text: str) -> Iterator[Pair]:
    field, sign, column = text.partition("=")
    if sign and field and column:
        yield field, column
    elif not sign and Path(text).is_file():
        yield from _pairs_of_file(Path(text))
    else:
        raise SettingsError(f"--map {text!r} is not FIELD=COLUMN, such as title=Bezeichnung, nor a file of such lines.")


def _pairs_of_file(path: Path) -> Iterator[Pair]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(_MAX_CHARS)
    except (OSError, UnicodeError) as error:
        raise SettingsError(f"--map {str(path)!r} cannot be read: {error}.") from error
    yield from _of_json(text, path) if text.lstrip().startswith("{") else _of_lines(text, path)


def _of_json(text: str, path: Path) -> Iterator[Pair]:
    """`{"title": "Bezeichnung", "images": ["Bild 1", "Bild 2"]}`."""
    try:
        for field, told in json.loads(text).items():
            for column in told if isinstance(told, list) else [told]:
                if not isinstance(column, str):
                    raise SettingsError(f"--map {str(path)!r}: {field!r} names {column!r}, which is no column.")
                yield field, column
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"--map {str(path)!r} is no JSON object of fields and columns: {error}.") from error


def _of_lines(text: str, path: Path) -> Iterator[Pair]:
    """A pair a line, `title=Bezeichnung` or `title,Bezeichnung`; `#` comments and a header `field,column` pass."""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        sign = next((char for char in line if char in "=,;\t"), None)
        cells = next(csv.reader([line], delimiter=sign, skipinitialspace=True)) if sign else []
        if sign == "=":
            cells = line.split("=", 1)
        found = [cell.strip() for cell in cells]
        if len(found) != 2 or not all(found):
            raise SettingsError(f"--map {str(path)!r}, line {number}: {line[:80]!r} is not FIELD=COLUMN.")
        if tuple(map(str.lower, found)) != ("field", "column"):
            yield found[0], found[1]
