"""The tables that the fake catalog is grown from: `departments/*.toml` read into values.

A department has brands, model names and shelves. A shelf is one category. Each line of its `items` is one kind of
product:

    Trail Running Shoes | Deep lugs grip mud, roots and wet rock. | Waterproof=Yes ~ No; Drop=4 mm / 6 mm; price=80-150

Three parts: name, pitch (one true sentence or two), and notes. Notes with a capital letter are facts, in lower case
directives (`price`, `makes`, `drawing`, `tags`), with a plus an option of its own (`+Size=S, M, L +10`, ten percent on
top), with a minus one less (`-Size`). ` / ` parts alternatives, one a make; ` ~ ` parts near-twins: the same model,
told apart by this fact alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

Options = tuple[tuple[str, tuple[str, ...]], ...]
Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Brand:
    name: str
    level: int
    """Its prices in percent of the shelf's usual ones."""


@dataclass(frozen=True, slots=True)
class Item:
    """One kind of product on a shelf."""

    name: str
    pitch: str
    facts: Facts
    """Values as written: alternatives and twins still joined."""
    options: Options
    """Choices as written, a surcharge in percent behind: `256 GB +15`."""
    price_minor: tuple[int, int]
    """Lowest and highest usual price, in cents."""
    makes: int
    drawing: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shelf:
    """One category: the deepest level of its path and everything on it."""

    first_id: int
    path: tuple[str, ...]
    brands: tuple[Brand, ...]
    models: tuple[str, ...]
    title: str
    """Pattern of {brand}, {model}, {name} and, for books and records, any fact."""
    facts: Facts
    items: tuple[Item, ...]


def split(text: str, mark: str = ",") -> tuple[str, ...]:
    """The non-empty parts between marks, trimmed."""
    return tuple(part.strip() for part in text.split(mark) if part.strip())


@cache
def shelves() -> tuple[Shelf, ...]:
    """Every shelf of every department, by first id."""
    folder = files(__package__).joinpath("departments")
    tables = [
        tomllib.loads(path.read_text(encoding="utf-8")) for path in folder.iterdir() if path.name.endswith(".toml")
    ]
    found = [shelf for table in tables for shelf in _department(table)]
    return tuple(sorted(found, key=lambda shelf: shelf.first_id))


@cache
def table(name: str) -> Mapping[str, Any]:
    """One of the small tables beside this file: `colors`, `phrases`."""
    return tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def _department(table: Mapping[str, Any]) -> Iterator[Shelf]:
    for number, row in enumerate(table["shelf"]):
        merged = {"title": "{brand} {model} {name}", "brands": table["brands"], "models": table["models"], **row}
        yield Shelf(
            first_id=table["first_id"] + 50 * number,
            path=(table["name"], *split(row["path"], ">")),
            brands=tuple(_brand(text) for text in split(merged["brands"])),
            models=tuple(merged["models"].split()),
            title=merged["title"],
            facts=tuple(row.get("facts", {}).items()),
            items=tuple(_item(line, row) for line in row["items"].strip().splitlines()),
        )


def _brand(text: str) -> Brand:
    name, _, level = text.partition(":")
    return Brand(name=name, level=int(level or 100))


def _item(line: str, row: Mapping[str, Any]) -> Item:
    name, pitch, notes = (*split(line, "|"), "")[:3]
    pairs = [tuple(part.strip() for part in note.partition("=")[::2]) for note in split(notes, ";")]
    directives = {key: value for key, value in pairs if key[0].islower()}
    options: dict[str, str] = {**row.get("options", {}), **{key[1:]: text for key, text in pairs if key[0] == "+"}}
    dropped = {key[1:] for key, _ in pairs if key[0] == "-"}
    low, high = split(directives.get("price", row["price"]), "-")
    return Item(
        name=name,
        pitch=pitch,
        facts=tuple((key, value) for key, value in pairs if key[0].isupper()),
        options=tuple((key, split(text)) for key, text in options.items() if key not in dropped),
        price_minor=(round(float(low) * 100), round(float(high) * 100)),
        makes=int(directives.get("makes", row.get("makes", 2))),
        drawing=directives.get("drawing", row["drawing"]),
        tags=(*split(row.get("tags", "")), *split(directives.get("tags", ""))),
    )
