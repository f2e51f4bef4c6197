"""Whether an action is the wished one, and with the wished arguments. Pure: labelled rows in, marks out.

A row: {"id", "utterance", "history", "kind", "lang", "expect": {…}, "debatable"?}. `expect` for a search may hold
`must` (words; `a|b` is either), `typed_as`, `brand`, `color`, `size`, `min_price`, `max_price`, `min_rating`, `sort`,
`exclude`; for details `product_id`.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from search_client.analysis import stem

PRICE_TOLERANCE = 0.011  # 29.99 for 30 is what the shopper meant
_FACTS = ("brand", "color", "size")
_NUMBERS = ("min_price", "max_price", "min_rating")


@dataclass(frozen=True, slots=True)
class Mark:
    """One scored decision."""

    row_id: str
    want: str
    got: str
    wrong: tuple[str, ...]
    """Names of what is wrong; empty: all right. `action` alone where the action is another."""
    groups: tuple[str, ...]


def folded(value: Any) -> str:
    """One line of plain lower-case letters of everything in `value`."""
    if isinstance(value, Mapping):
        return " ".join(folded(inner) for inner in value.values())
    if isinstance(value, (list, tuple)):
        return " ".join(folded(inner) for inner in value)
    letters = unicodedata.normalize("NFKD", "" if value is None else str(value)).casefold()
    return "".join(char for char in letters if not unicodedata.combining(char))


def says(phrase: str, text: str) -> bool:
    """Whether every word of one of the `|` alternatives stands in `text`, plural and spacing aside."""
    joined = text.replace(" ", "")
    for alternative in folded(phrase).split("|"):
        stems = [_root(word) for word in alternative.split()]
        if stems and all(root in text or root in joined for root in stems):
            return True
    return False


def _root(word: str) -> str:
    root = stem(word)
    return root[:-1] if len(root) > 3 and root.endswith(("y", "i")) else root


def wrong_arguments(got: Mapping[str, Any], expect: Mapping[str, Any]) -> Iterator[str]:
    """Names of the arguments of an action of the right kind that are not the wished ones."""
    if got.get("kind") == "details":
        if "product_id" in expect and folded(got.get("product_id")) != folded(expect["product_id"]):
            yield "product_id"
        return
    said = folded({name: value for name, value in got.items() if name not in ("kind", "exclude")})
    typed = expect.get("typed_as", {})
    for word in expect.get("must", ()):
        if not (says(word, said) or (word in typed and says(typed[word], said))):
            yield f"must:{word}"
    yield from (name for name in _FACTS if name in expect and not says(str(expect[name]), said))
    yield from (name for name in _NUMBERS if name in expect and not _near(got.get(name), expect[name]))
    if "sort" in expect and got.get("sort") != expect["sort"]:
        yield "sort"
    unwanted = folded(got.get("exclude"))
    for phrase in expect.get("exclude", ()):
        if not any(_root(word) in unwanted for word in folded(phrase).split() if len(word) > 2):
            yield f"exclude:{phrase}"


def _near(got: Any, want: Any) -> bool:
    try:
        return math.isclose(float(got), float(want), abs_tol=PRICE_TOLERANCE * max(1.0, abs(float(want))))
    except (TypeError, ValueError):
        return False


def mark(row: Mapping[str, Any], got: Mapping[str, Any]) -> Mark:
    """`got` beside what `row` wishes."""
    kind = str(got.get("kind"))
    wrong = tuple(wrong_arguments(got, row["expect"])) if kind == row["kind"] else ("action",)
    source = re.split(r"-\d", str(row["id"]))[0]
    groups = ("all", f"kind:{row['kind']}", f"lang:{row['lang']}", f"source:{source}")
    return Mark(str(row["id"]), row["kind"], kind, wrong, groups)


@dataclass(frozen=True, slots=True)
class Share:
    """Of a group: how many rows, the right action, the right action with the right arguments."""

    rows: int
    action: float
    whole: float


def shares(marks: Iterable[Mark]) -> dict[str, Share]:
    """Group → share; `all` first, then kinds, languages and sources by size."""
    rows, action, whole = Counter[str](), Counter[str](), Counter[str]()
    for one in marks:
        for group in one.groups:
            rows[group] += 1
            action[group] += one.wrong != ("action",)
            whole[group] += not one.wrong
    order = sorted(rows, key=lambda group: (group != "all", group.partition(":")[0], -rows[group], group))
    return {group: Share(rows[group], action[group] / rows[group], whole[group] / rows[group]) for group in order}


def confusion(marks: Iterable[Mark]) -> Counter[tuple[str, str]]:
    """(wished, got) → count."""
    return Counter((one.want, one.got) for one in marks)


def pass_all(runs: Iterable[Iterable[Mark]]) -> float:
    """pass^k: the share of rows that were wholly right in every run."""
    right: dict[str, bool] = {}
    for run in runs:
        for one in run:
            right[one.row_id] = right.get(one.row_id, True) and not one.wrong
    return sum(right.values()) / len(right) if right else 0.0
