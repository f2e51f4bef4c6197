"""What a file is: markup, JSON or a table; whose format; and how its records are read. Found from its beginning."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice

from search_client.errors import FeedError
from search_client.feeds.columns import Binder, Columns, check_mapping
from search_client.feeds.draft import FeedFormat, Json, Record
from search_client.feeds.encoding import Encoding, detect_encoding, open_text
from search_client.feeds.json_records import locate, read_json
from search_client.feeds.names import normal
from search_client.feeds.native import is_native
from search_client.feeds.options import FeedOptions
from search_client.feeds.plain import PlainFormat
from search_client.feeds.shopify import ShopifyFormat
from search_client.feeds.source import Part
from search_client.feeds.synonyms import COLUMNS, FIELDS, NESTED
from search_client.feeds.table import Dialect, Misfit, delimiter_name, detect_dialect, read_table
from search_client.feeds.wordlist import listed
from search_client.feeds.xml_records import XmlReader

FORMATS: dict[str, type[ShopifyFormat] | type[PlainFormat]] = {
    "shopify": ShopifyFormat,
    "plain": PlainFormat,
}
NAMES = (*FORMATS, "native")
_SAMPLE = 50
_CORE = frozenset(
    listed("id|title|price|description|brand|category|image|images|variants|sku|gtin|url|quantity|availability")
)
_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)


@dataclass(slots=True)
class Opened:
    """A file whose format is known: its records can be read again and again."""

    part: Part
    encoding: Encoding
    format: str
    why: str
    records: Callable[[], Iterable[Record | Misfit]]
    binder: Binder
    dialect: Dialect | None = None
    xml: XmlReader | None = None
    evidence: list[tuple[str, str]] = field(default_factory=list)

    def reader(self) -> FeedFormat:
        """The format's reader, fresh for one pass."""
        return FORMATS[self.format](self.binder)


def open_part(part: Part, options: FeedOptions) -> Opened:
    """Finds out what a file is. Raises `FeedError` where it is no feed that can be read."""
    encoding = detect_encoding(part, options.encoding)
    head = _head(part, encoding)
    if not head:
        raise FeedError(f"{part.name!r} is empty.")
    if head[0] == "<":
        opened = _open_xml(part, encoding, head, options)
    elif head[0] in "{[":
        opened = _open_json(part, encoding, options)
    else:
        opened = _open_table(part, encoding, options)
    opened.evidence[:0] = [("format", opened.why), ("encoding", encoding.evidence)]
    return opened


def _head(part: Part, encoding: Encoding) -> str:
    try:
        with closing(open_text(part, encoding)) as text:
            return text.read(1 << 16).lstrip(" \t\r\n\ufeff\0")
    except UnicodeError as error:
        raise FeedError(
            f"{part.name!r} is not {encoding.name}: {error}. Say how it was saved with --encoding."
        ) from error


def _binder(columns: Columns, options: FeedOptions, nested: frozenset[str] = frozenset()) -> Binder:
    return Binder(columns, options.mapping, nested)


def _plain_binder(options: FeedOptions) -> Binder:
    return _binder(COLUMNS, options, NESTED)


def _open_table(part: Part, encoding: Encoding, options: FeedOptions) -> Opened:
    binders = [Binder(kind.columns) for kind in FORMATS.values()]
    binders.append(Binder({}, options.mapping))
    dialect = detect_dialect(
        part,
        encoding,
        told=options.delimiter,
        score=lambda row: max(binder.count(row) for binder in binders),
        limits=options.limits,
    )
    name, why = (options.format, "told") if options.format else table_format(dialect.header)
    kind = _kind(name)
    binder = _plain_binder(options) if name == "plain" else _binder(kind.columns, options)
    check_mapping(options.mapping, FIELDS if name == "plain" else kind.columns, dialect.header)
    if not options.mapping and not binder.count(dialect.header):
        raise FeedError(
            f"No column of {part.name!r} is known: {', '.join(dialect.header[:40])}. "
            "Say what they are, for example --map id=... --map title=... --map price=..."
        )
    opened = Opened(
        part, encoding, name, why, lambda: read_table(part, encoding, dialect, options.limits), binder, dialect
    )
    opened.evidence.append(("delimiter", f"{delimiter_name(dialect.delimiter)}: {dialect.evidence}"))
    if _is_reviews(dialect.header):
        raise FeedError(f"{part.name!r} holds reviews, not products.")
    return opened


def _is_reviews(header: Iterable[str]) -> bool:
    names = {normal(name) for name in header}
    reviews = names & {"review", "reviewer", "review text", "review title", "rating code", "nickname", "reviewer name"}
    return len(reviews) >= 2 and not names & {"price", "regular price", "variant price"}


def _kind(name: str) -> type[ShopifyFormat] | type[PlainFormat]:
    if name not in FORMATS:
        raise FeedError(f"Unknown format {name!r}. Formats: {', '.join(NAMES)}.")
    return FORMATS[name]


def table_format(header: Iterable[str]) -> tuple[str, str]:
    """The format whose columns these are, and the columns that tell it."""
    names = {normal(name) for name in header}
    if names & {"handle", "url handle"} and (
        shown := names
        & {"option1 name", "variant price", "body html", "variant sku", "variant id", "product image url"}
    ):
        return "shopify", f"columns {', '.join(sorted(shown))}"
    return "plain", "no known format's columns: guessed by their names"


def _open_json(part: Part, encoding: Encoding, options: FeedOptions) -> Opened:
    binder = _plain_binder(options)
    place = locate(part, encoding, score=lambda record: product_points(binder, record))

    def records() -> Iterator[Record | Misfit]:
        return read_json(part, encoding, place, options.limits)

    sample = _sample(records())
    name, why = (options.format, "told") if options.format else json_format([record.data for record in sample])
    if name != "native":
        _kind(name)
        check_mapping(options.mapping, FIELDS, list(dict.fromkeys(key for record in sample for key in record.data)))
    opened = Opened(part, encoding, name, f"{why}; JSON, {place}", records, _plain_binder(options))
    if place.elsewhere:
        opened.evidence.append(("not read", f"other lists of records at {', '.join(place.elsewhere)}"))
    return opened


def _sample(records: Iterable[Record | Misfit]) -> list[Record]:
    return [record for record in islice(records, _SAMPLE) if isinstance(record, Record)]


def product_points(binder: Binder, record: dict[str, Json]) -> int:
    """How much an object looks like a product: the number of our main fields it fills; 0 without a name."""
    found = {pair[0] for name in record if (pair := binder.field_of(name))}
    return len(found & _CORE) if "title" in found else 0


def json_format(sample: list[dict[str, Json]]) -> tuple[str, str]:
    """The format whose records these are, and why."""
    if sample and is_native(sample):
        return "native", "fields and money of our own format"
    return "plain", "fields guessed by their names"


def _open_xml(part: Part, encoding: Encoding, head: str, options: FeedOptions) -> Opened:
    if _HTML.match(head):
        raise FeedError(f"{part.name!r} is a web page, not a feed: was a login page downloaded?")
    reader = XmlReader(part, encoding, options.limits)
    name, why = (options.format, "told") if options.format else ("plain", "XML items")
    kind = _kind(name)
    binder = _plain_binder(options) if name == "plain" else _binder(kind.columns, options)
    return Opened(part, encoding, name, why, lambda: reader, binder, xml=reader)
