"""What a file is: markup, JSON or a table; whose format; and how its records are read. Found from its beginning."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from search_client.errors import FeedError
from search_client.feeds import (
    acp,
    google,
    magento,
    plain,
    ratings,
    saleor,
    schema_org,
    shopify,
    synonyms,
    vendure,
    woocommerce,
    woocommerce_columns,
)
from search_client.feeds.columns import Binder, Columns, check_mapping, shown_names
from search_client.feeds.draft import FeedFormat, Json, Record
from search_client.feeds.encoding import Encoding, detect_encoding, open_text
from search_client.feeds.json_records import Place, locate, read_json
from search_client.feeds.names import normal
from search_client.feeds.native import is_native
from search_client.feeds.options import FeedOptions
from search_client.feeds.source import Part
from search_client.feeds.table import Dialect, Misfit, delimiter_name, detect_dialect, read_table
from search_client.feeds.wordlist import listed
from search_client.feeds.xml_records import XmlReader

READERS: dict[str, Callable[[Binder, datetime], FeedFormat]] = {
    "shopify": shopify.ShopifyFormat,
    "woocommerce": woocommerce.WooCommerceFormat,
    "google": google.GoogleFormat,
    "acp": acp.AcpFormat,
    "magento": magento.MagentoFormat,
    "vendure": vendure.VendureFormat,
    "schema.org": schema_org.SchemaOrgFormat,
    "saleor": plain.PlainFormat,
    "plain": plain.PlainFormat,
}
TABLES: dict[str, Columns] = {
    "shopify": shopify.COLUMNS,
    "woocommerce": woocommerce_columns.COLUMNS,
    "google": google.COLUMNS,
    "acp": acp.COLUMNS,
    "magento": magento.COLUMNS,
    "vendure": vendure.COLUMNS,
    "schema.org": schema_org.COLUMNS,
    "saleor": synonyms.COLUMNS,
    "plain": synonyms.COLUMNS,
    "reviews": ratings.COLUMNS,
}
FORMATS = (*READERS, "native")
"""What `FeedOptions.format` may say."""
_SAMPLE = 50
_CORE = frozenset(
    listed("id|title|price|description|brand|category|image|images|variants|sku|gtin|url|quantity|availability")
)
_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_LINKED_DATA = re.compile(r"<script[^<>]*application/ld\+json[^<>]*>(.*?)</script\s*>", re.IGNORECASE | re.DOTALL)
_COMMENTED = re.compile(
    r"/\*\s*<!\[CDATA\[\s*\*/|/\*\s*\]\]>\s*\*/|//\s*<!\[CDATA\[|//\s*\]\]>|<!\[CDATA\[|\]\]>|<!--|-->"
)
_GOOGLE = frozenset(listed("url|image|price|availability|condition|google_category|type|gtin|group|brand"))
_WOO = frozenset(
    listed("sku|published|visibility|short_description|in_stock|price|parent|attribute_name1|attribute_value1")
)


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

    def reader(self, now: datetime) -> FeedFormat:
        """The format's reader, fresh for one pass."""
        return READERS[self.format](self.binder, now)


def open_part(part: Part, options: FeedOptions) -> Opened:
    """Finds out what a file is. Raises `FeedError` where it is no feed that can be read."""
    if options.format is not None and options.format not in FORMATS:
        raise FeedError(f"Unknown format {options.format!r}. Formats: {', '.join(FORMATS)}.")
    encoding = detect_encoding(part, options.encoding)
    head = _head(part, encoding)
    if not head:
        raise FeedError(f"{part.name!r} is empty.")
    if _HTML.match(head):
        opened = _open_page(part, encoding, options)
    elif head[0] == "<":
        opened = _open_xml(part, encoding, options)
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


def _binder(name: str, options: FeedOptions) -> Binder:
    return Binder(TABLES[name], options.mapping, synonyms.NESTED if name == "plain" else frozenset())


def _fields_of(name: str) -> Iterable[str]:
    return synonyms.FIELDS if name == "plain" else TABLES[name]


def _open_table(part: Part, encoding: Encoding, options: FeedOptions) -> Opened:
    binders = [Binder(columns) for columns in TABLES.values()]
    binders.append(Binder({}, options.mapping))
    dialect = detect_dialect(
        part,
        encoding,
        told=options.delimiter,
        score=lambda row: max(binder.count(row) for binder in binders),
        limits=options.limits,
    )
    name, why = (options.format, "told") if options.format else table_format(dialect.header)
    if name == "native":
        raise FeedError(f"{part.name!r} is a table; the native format is one JSON object a line.")
    binder = _binder(name, options)
    check_mapping(options.mapping, _fields_of(name), dialect.header)
    binder.present = frozenset(pair[0] for column in dialect.header if (pair := binder.field_of(column)))
    binder.group_is_sku = _group_column_is_sku(binder, dialect.header)
    if not binder.count(dialect.header):
        raise FeedError(
            f"No column of {part.name!r} is known: {shown_names(dialect.header)}. "
            "Say what they are, for example --map id=... --map title=... --map price=..."
        )
    opened = Opened(
        part, encoding, name, why, lambda: read_table(part, encoding, dialect, options.limits), binder, dialect
    )
    opened.evidence.append(("delimiter", f"{delimiter_name(dialect.delimiter)}: {dialect.evidence}"))
    return opened


def _group_column_is_sku(binder: Binder, header: Iterable[str]) -> bool:
    found = [(pair[1], column) for column in header if (pair := binder.field_of(column)) and pair[0] == "group"]
    return bool(found) and "sku" in normal(min(found)[1]).split()


def table_format(header: Iterable[str]) -> tuple[str, str]:
    """The format whose columns these are, and the columns that tell it."""
    header = list(header)
    names = {normal(name) for name in header}
    for name, signs in _SIGNS.items():
        if all(names & group for group in signs):
            shown = sorted(set().union(*(names & group for group in signs)))
            return name, f"columns {', '.join(shown[:6])}"
    if ratings.is_reviews(header):
        return "reviews", "columns of reviews, no price"
    found = _found("woocommerce", header)
    if {"type", "title"} <= found and len(found & _WOO) >= 4:
        return "woocommerce", f"columns {', '.join(sorted(found & _WOO))}"
    if _is_google(header):
        return "google", "columns of Google's product data"
    return "plain", "no known format's columns: guessed by their names"


_SIGNS: dict[str, tuple[frozenset[str], ...]] = {
    "shopify": (
        frozenset(("handle", "url handle")),
        frozenset(
            listed("option1 name|variant price|body html|variant sku|variant id|product image url|compare at price")
        ),
    ),
    "vendure": (frozenset(("name",)), frozenset(("facets",)), frozenset(("option groups", "option values", "assets"))),
    "magento": (
        frozenset(("sku",)),
        frozenset(
            listed(
                "attribute set code|attribute set|product websites|store view code|additional attributes|"
                "configurable variations|product online"
            )
        ),
    ),
    "acp": (frozenset(("title",)), acp.FLAT_SIGNS),
}


def _found(name: str, header: Iterable[str]) -> set[str]:
    binder = Binder(TABLES[name])
    return {pair[0] for column in header if (pair := binder.field_of(column))}


def _is_google(header: Iterable[str]) -> bool:
    header = list(header)
    found = _found("google", header)
    proof = {normal(name) for name in header} & {"image link", "google product category", "item group id", "bildlink"}
    return {"id", "title"} <= found and len(found & _GOOGLE) >= 3 and bool(proof)


def _open_json(part: Part, encoding: Encoding, options: FeedOptions) -> Opened:
    binder = _binder("plain", options)
    place = locate(part, encoding, score=lambda record: product_points(binder, record))
    return _opened_json(part, encoding, place, options)


def _opened_json(part: Part, encoding: Encoding, place: Place, options: FeedOptions) -> Opened:
    def records() -> Iterator[Record | Misfit]:
        return read_json(part, encoding, place, options.limits)

    sample = [record.data for record in islice(records(), _SAMPLE) if isinstance(record, Record)]
    name, why = (options.format, "told") if options.format else json_format(sample)
    if name != "native":
        check_mapping(options.mapping, _fields_of(name), list(dict.fromkeys(key for data in sample for key in data)))
    binder = _binder("plain" if name == "native" else name, options)
    read = (lambda: _joined(records())) if name == "saleor" else records
    opened = Opened(part, encoding, name, f"{why}; JSON, {place}", read, binder)
    if place.elsewhere:
        opened.evidence.append(("not read", f"other lists of records at {shown_names(place.elsewhere)}"))
    return opened


def _joined(records: Iterable[Record | Misfit]) -> Iterator[Record | Misfit]:
    """The products of a database's fixtures; what is no record is passed on first."""
    misfits: list[Misfit] = []

    def fitting() -> Iterator[Record]:
        for record in records:
            if isinstance(record, Record):
                yield record
            elif len(misfits) < _SAMPLE:
                misfits.append(record)

    yield from saleor.joined(fitting())
    yield from misfits


def product_points(binder: Binder, record: dict[str, Json]) -> int:
    """How much an object looks like a product: the number of our main fields it fills; 0 without a name."""
    if "@type" in record and not schema_org.is_product(record):
        return 0
    found = {pair[0] for name in record if (pair := binder.field_of(name))}
    return len(found & _CORE) + 3 * ("@type" in record) if "title" in found else 0


def json_format(sample: list[dict[str, Json]]) -> tuple[str, str]:
    """The format whose records these are, and why."""
    if sample and is_native(sample):
        return "native", "fields and money of our own format"
    if saleor.is_saleor(sample):
        return "saleor", "fixtures of Saleor's database"
    if any(next(schema_org.products_in(data, 0), None) is not None for data in sample):
        return "schema.org", "objects of the type Product"
    if any(_is_nested_acp(data) for data in sample):
        return "acp", "variants with amounts in minor units"
    if any({normal(name) for name in data} & acp.FLAT_SIGNS for data in sample):
        return "acp", "fields of the protocol's product feed"
    if any("item group id" in map(normal, data) or _is_google(data) for data in sample):
        return "google", "fields of Google's product data"
    return "plain", "fields guessed by their names"


def _is_nested_acp(data: dict[str, Json]) -> bool:
    variants = data.get("variants")
    for variant in variants if isinstance(variants, list) else []:
        if not isinstance(variant, dict):
            continue
        if "variant_options" in variant or "barcodes" in variant:
            return True
        price = variant.get("price")
        whole = isinstance(price, dict) and isinstance(price.get("amount"), int)
        if whole and isinstance(variant.get("availability"), dict):
            return True
    return False


def _open_xml(part: Part, encoding: Encoding, options: FeedOptions) -> Opened:
    reader = XmlReader(part, encoding, options.limits)
    sample = list(islice(reader, _SAMPLE))
    if not sample:
        raise FeedError(f"{part.name!r} holds no <item>, <entry> or <product> elements: no products.")
    names = list(dict.fromkeys(name for record in sample for name in record.data))
    known = {"id", "title"} <= _found("google", names)
    googles = known and (reader.google or _is_google(names))
    guess = ("google", "items with Google's elements") if googles else ("plain", "XML items")
    name, why = (options.format, "told") if options.format else guess
    if name == "native":
        raise FeedError(f"{part.name!r} is XML; the native format is one JSON object a line.")
    check_mapping(options.mapping, _fields_of(name), names)
    opened = Opened(part, encoding, name, why, lambda: reader, _binder(name, options), xml=reader)
    if reader.document_type:
        opened.evidence.append(
            ("document type", f"{reader.document_type[:80]!r}: passed over, nothing it names is fetched")
        )
    return opened


def _open_page(part: Part, encoding: Encoding, options: FeedOptions) -> Opened:
    """A web page that carries its products as JSON-LD."""
    with closing(open_text(part, encoding)) as text:
        page = text.read(options.limits.max_record_chars)
    blocks = [_COMMENTED.sub("", block).strip() for block in _LINKED_DATA.findall(page)]
    if not blocks:
        raise FeedError(f"{part.name!r} is a web page without product data (JSON-LD), not a feed: is it a login page?")
    data = "\n".join(" ".join(block.splitlines()) for block in blocks).encode("utf-8", "replace")
    inner = Part(part.name, part.size, lambda: io.BytesIO(data), part.read)
    return _opened_json(inner, Encoding("utf-8", encoding.evidence), Place("lines"), options)
