"""Random requests for every route: forms, queries, bodies of any kind, ids that are known and ids that are not."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from werkzeug.routing import Rule

FIELDS = (
    "message", "say", "conversation", "key", "replaces", "viewing", "drop", "add", "set", "rating", "reason", "words",
    "title", "id", "product", "variant", "quantity", "next", "language", "theme", "min_price", "max_price", "sort",
    "brands", "categories", "colors", "sizes", "attributes.Material", "exclude", "q", "keywords", "currency",
    "min_rating", "in_stock", "on_sale", "limit", "offset", "days", "before", "all", "compare", "answer",
)  # fmt: skip
_PIECES = (
    "-1", "0", "1", "3", "99999999999999999999", "1e999", "NaN", "-0.0", "٣", "../../etc/passwd", "' OR 1=1 --",
    "{{7*7}}", "%00", "%", "\ufffe", "\x00", "x" * 3000, "[" * 500, "null", "true", "", " ", "lamp", "tee", "mug1",
    "up", "down", "de", "dark", "USD", "price_asc", "color:Red", "max_price", "Lighting", "a lamp under 50",
    "\u202ereversed", "\r\nX-Evil: 1",
)  # fmt: skip
_TYPES = (
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "text/plain",
    "/",
)
_NAMES = ("Accept-Language", "Authorization", "Cookie", "X-Forwarded-For", "Range", "If-None-Match", "X-Shopper")
_ALPHABET = "".join(map(chr, (*range(1, 127), 0x202E, 0x200B, 0x4E2D, 0x1F600, 0xFFFD))) + "<>\"'%&;"
_ACCEPTED = ("text/html", "text/event-stream", "*/*", "application/json", "x", ";q=2,,", "text/html;q=nan")


@dataclass(slots=True)
class Known:
    """What exists: a part of the requests reaches further than a refusal."""

    values: dict[str, str] = field(default_factory=dict)
    """By the name of a field or of a part of a path."""


def random_value(chance: random.Random) -> str:
    """Text of any kind: controls, markup, other scripts, numbers beyond reason."""
    if chance.random() < 0.6:
        return chance.choice(_PIECES)
    return "".join(chance.choices(_ALPHABET, k=chance.randrange(40)))


def random_path(rule: Rule, build: Callable[[dict[str, str]], str], chance: random.Random, known: Known) -> str:
    """A path of the rule; its parts exist or do not."""
    return build({name: _part(name, chance, known) for name in rule.arguments})


def _part(name: str, chance: random.Random, known: Known) -> str:
    exists = known.values.get(name)
    return exists if exists and chance.random() < 0.7 else random_value(chance) or "x"


def random_fields(chance: random.Random, known: Known) -> dict[str, str]:
    """Fields of any form, now and then with a value that exists."""
    names = chance.sample(FIELDS, chance.randrange(1, 6))
    fields = {name: random_value(chance) for name in names}
    return fields | {name: value for name, value in known.values.items() if name in FIELDS and chance.random() < 0.2}


def random_body(chance: random.Random, known: Known) -> dict[str, Any]:
    """What a POST carries, as arguments of the test client."""
    fields = random_fields(chance, known)
    kind = chance.random()
    if kind < 0.7:
        return {"data": fields}
    if kind < 0.8:
        return {"data": json.dumps(fields), "content_type": "application/json"}
    raw = chance.randbytes(chance.choice((0, 7, 300, 20_000)))
    return {"data": (b"message=" if chance.random() < 0.5 else b"--x\r\n") + raw, "content_type": chance.choice(_TYPES)}


def random_headers(chance: random.Random) -> dict[str, str]:
    """Headers a page's script sends, and some that nobody sends."""
    headers = {"Accept": chance.choice(_ACCEPTED), "X-Part": chance.choice("01")}
    if chance.random() < 0.2:
        name = chance.choice(
            ("Accept-Language", "Authorization", "Cookie", "X-Forwarded-For", "Range", "If-None-Match")
        )
        headers[name] = chance.choice(("x", "de;q=9,*", "Basic Og==", "Bearer x", "shop-session=x.y.z", "bytes=5-1"))
    return headers
