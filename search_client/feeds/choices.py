"""What variants are chosen by: names and values out of objects, lists, cells and numbered columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from search_client.feeds.columns import Fields, as_fact, as_list, as_text
from search_client.feeds.draft import Json
from search_client.feeds.names import label

_NAMES = ("option_display_name", "name", "title", "key", "label", "attribute", "attributeName", "code", "option_name")
_VALUES = ("value", "values", "text", "val", "option", "options", "optionValues", "label", "attributeValue", "name")
_LIST_SEPARATORS = ("|", ";", "\n")
_DEFAULT = "Default Title"
_MAX_NUMBERED = 6


@dataclass(slots=True)
class Choices:
    """The options a product lists; names for variants that refer to them by id or place."""

    listed: list[tuple[str, list[str]]] = field(default_factory=list)
    by_id: dict[str, str] = field(default_factory=dict)

    def name_of(self, option: str) -> str:
        """The product's name for `Option 2`, where it has one."""
        number = option.removeprefix("Option ")
        known = number.isdigit() and number != option and 0 < int(number) <= len(self.listed)
        return self.listed[int(number) - 1][0] if known else option


def choices_of(values: list[Json]) -> Choices:
    """What a product's own list of options says."""
    found = Choices()
    for value in values:
        for name, inner in named_values(value, len(found.listed)):
            texts = [text for each in as_list(inner) if (text := _text(each))]
            if texts and texts != [_DEFAULT]:
                found.listed.append((label(name), texts))
            if isinstance(value, dict) and (number := as_text(value.get("id"))):
                found.by_id[number] = label(name)
    return found


def chosen(values: list[Json], product: Choices) -> Iterator[tuple[str, str]]:
    """The values that a variant stands for."""
    place = 0
    for value in values:
        number = as_text(value.get("option_id") or value.get("optionId")) if isinstance(value, dict) else ""
        for name, inner in named_values(value, place):
            place += 1
            text = _text(inner[0] if isinstance(inner, list) and inner else inner)
            if text and text != _DEFAULT:
                yield product.by_id.get(number) or product.name_of(label(name)), text


def named_values(value: Json, place: int) -> Iterator[tuple[str, Json]]:
    """Names and values out of `{"Size": "M"}`, `{"name": "Size", "value": "M"}` or `Size: M | Color: Red`."""
    if isinstance(value, dict):
        yield from _of_object(value, place)
    elif isinstance(value, str) and ":" in value:
        for part in split_list(value):
            name, colon, text = part.partition(":")
            if colon and 0 < len(name) <= 60 and "//" not in part[: len(name) + 3]:
                yield name.strip(), text.strip()


def _of_object(value: dict[str, Json], place: int) -> Iterator[tuple[str, Json]]:
    outer = next((value[key] for key in ("option", "group", "attribute") if isinstance(value.get(key), dict)), None)
    name = _text(outer) if isinstance(outer, dict) else ""
    used = ""
    if not name:
        used = next((key for key in _NAMES if as_text(value.get(key))), "")
        name = as_text(value.get(used)) if used else ""
    inner = next((value[key] for key in _VALUES if key in value and key != used and value[key] is not outer), None)
    if name and inner is not None:
        yield name, inner
    elif "name" in value and inner is None:
        return
    elif inner is not None and ("id" in value or "option_id" in value or "value" in value):
        yield f"Option {place + 1}", inner
    elif not used or inner is None:
        yield from value.items()


def _text(value: Json) -> str:
    if isinstance(value, dict):
        return next((text for key in ("value", "label", "name", "title") if (text := as_text(value.get(key)))), "")
    return as_fact(value)


def own_options(entry: dict[str, Json], fields: Fields) -> Iterator[tuple[str, str]]:
    """A variant's options where they stand beside its price: `color`, `size`, `option1`."""
    for name in ("color", "size", "material"):
        if text := fields.text(name):
            yield label(name), text
    for number in (1, 2, 3):
        text = as_text(entry.get(f"option{number}"))
        if text and text != _DEFAULT:
            yield f"Option {number}", text


def numbered_options(fields: Fields, above: dict[int, str]) -> Iterator[tuple[str, list[str]]]:
    """Options in pairs of columns, `Option 1 Name` and `Option 1 Value`; a cell may list several values.

    `above` holds the names of the row above, which rows of variants often leave out.
    """
    if not _NUMBERED.isdisjoint(fields.values):
        yield from _numbered(fields, above)


_NUMBERED = frozenset(f"option_{part}{number}" for part in ("name", "value") for number in range(1, _MAX_NUMBERED))


def _numbered(fields: Fields, above: dict[int, str]) -> Iterator[tuple[str, list[str]]]:
    if fields.text("title"):
        above.clear()
    for number in range(1, _MAX_NUMBERED):
        name, value = fields.text(f"option_name{number}"), fields.text(f"option_value{number}")
        if name:
            above[number] = name
        if value and value != _DEFAULT and (name := above.get(number, "")):
            yield label(name), split_list(value)


def split_list(text: str) -> list[str]:
    """A cell's entries. A comma parts them only where no other separator does and none is a decimal comma."""
    for separator in _LIST_SEPARATORS:
        if separator in text:
            return [part.strip() for part in text.split(separator) if part.strip()]
    parts = text.split(", ") if ", " in text else text.split(",")
    if any(len(part.strip()) > 60 for part in parts):
        return [text]
    return [part.strip() for part in parts if part.strip()]
