"""XML feeds read item by item, without entities, and with the faults that shops' own templates make put right.

Expat runs without namespaces, so an undeclared prefix is no error; bare `&` and HTML's named entities are mended in the
text before it parses. A document type is passed over, the files it names are never fetched; entities that it declares
are refused: with them go entity bombs and other files.
"""

from __future__ import annotations

import html.entities
import re
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from xml.parsers import expat

from search_client.errors import FeedError
from search_client.feeds.draft import Json, Record
from search_client.feeds.encoding import Encoding, open_text
from search_client.feeds.options import FeedLimits
from search_client.feeds.source import Part
from search_client.feeds.wordlist import listed

ITEMS = frozenset(listed("item|entry|product|offer|produkt|produit|producto|artikel|article|shopitem"))
GOOGLE = "http://base.google.com/ns/1.0"
_CHUNK = 1 << 16
_LONGEST_TOKEN = 64
_AMPERSAND = re.compile(r"&(?:#(?:\d{1,7}|x[0-9a-fA-F]{1,6});|([A-Za-z][A-Za-z0-9]{0,31});)?")
_LESS = re.compile(r"<(?![A-Za-z_/!?:])")
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_BUILT_IN = frozenset(("amp", "lt", "gt", "quot", "apos"))
_CDATA = ("<![CDATA[", "]]>")
_COMMENT = ("<!--", "-->")
_MAX_CATEGORIES = 100_000
_MAX_CATEGORY_CHARS = 200
_MAX_LEVELS = 20
_MARKUP = frozenset(
    listed(
        "p|br|b|i|u|a|em|strong|span|small|sub|sup|font|div|ul|ol|li|dl|dt|dd|table|tbody|thead|tr|td|th|h1|h2|h3|h4|h5|h6|pre|center|section"
    )
)


class XmlReader:
    """Reads one XML file. `repairs` tells, once a pass is over, what was put right: reason, line, value."""

    def __init__(self, part: Part, encoding: Encoding, limits: FeedLimits) -> None:
        self._part = part
        self._encoding = encoding
        self._limits = limits
        self.repairs: list[tuple[str, int, str]] = []
        self.document_type = ""
        """The type that the file declares, known once its first item was read."""
        self.google = False
        """Whether elements carry Google's names, as far as the file was read."""

    def __iter__(self) -> Iterator[Record]:
        """Every item. Raises `FeedError` where the file is not well-formed even so, or declares entities."""
        self.repairs = []
        found: deque[Record] = deque()
        handler = _Handler(found, self._limits, self._part.name, self.repairs)
        mender = _Mender(self.repairs)
        with closing(open_text(self._part, self._encoding)) as text:
            while chunk := text.read(_CHUNK):
                handler.feed(mender.mend(chunk))
                self.document_type, self.google = handler.document_type, handler.google
                while found:
                    yield found.popleft()
        handler.feed(mender.rest(), final=True)
        yield from found


class _Mender:
    """Makes markup out of near-markup, chunk by chunk; CDATA sections and comments stay as they are."""

    def __init__(self, repairs: list[tuple[str, int, str]]) -> None:
        self._repairs = repairs
        self._held = ""
        self._closing = ""
        self._line = 1

    def mend(self, chunk: str) -> str:
        """The chunk as markup; what may be the beginning of a cut token waits for the next one."""
        text = self._held + (_ILLEGAL.sub("", chunk) if _ILLEGAL.search(chunk) else chunk)
        done, parts = 0, []
        while done < len(text):
            part, done, whole = self._inside(text, done) if self._closing else self._outside(text, done)
            parts.append(part)
            if not whole:
                break
        self._held = text[done:]
        return "".join(parts)

    def rest(self) -> str:
        """What waited."""
        text, self._held = self._held, ""
        return text if self._closing else self._markup(text)

    def _inside(self, text: str, at: int) -> tuple[str, int, bool]:
        """Up to the end of a CDATA section or comment, as it is."""
        end = text.find(self._closing, at)
        whole = end >= 0
        end = end + len(self._closing) if whole else max(at, len(text) - len(self._closing) + 1)
        self._closing = "" if whole else self._closing
        self._line += text.count("\n", at, end)
        return text[at:end], end, whole

    def _outside(self, text: str, at: int) -> tuple[str, int, bool]:
        """Up to the beginning of a CDATA section or comment, mended."""
        starts = [(found, kind) for kind in (_CDATA, _COMMENT) if (found := text.find(kind[0], at)) >= 0]
        if starts:
            end, kind = min(starts)
            self._closing = kind[1]
            return self._markup(text[at:end]) + kind[0], end + len(kind[0]), True
        open_ended = max(text.rfind("&", at), text.rfind("<", at))
        end = open_ended if open_ended > len(text) - _LONGEST_TOKEN else len(text)
        return self._markup(text[at:end]), end, False

    def _markup(self, text: str) -> str:
        if "&" in text:
            text = _AMPERSAND.sub(self._entity, text)
        self._line += text.count("\n")
        return _LESS.sub("&lt;", text)

    def _entity(self, found: re.Match[str]) -> str:
        name = found[1]
        if name in _BUILT_IN or (name is None and len(found[0]) > 1):
            return found[0]
        if name is not None and (char := html.entities.html5.get(f"{name};")):
            return "".join(f"&#{ord(each)};" for each in char)
        line = self._line + found.string.count("\n", 0, found.start())
        self._repairs.append(
            ("a bare '&' was read as text", line, found.string[max(0, found.start() - 20) : found.end() + 20])
        )
        return f"&amp;{found[0][1:]}"


class _Handler:
    """Turns expat's events into records; names keep their prefix only where it is not Google's."""

    def __init__(
        self, found: deque[Record], limits: FeedLimits, name: str, repairs: list[tuple[str, int, str]]
    ) -> None:
        self._found = found
        self._limits = limits
        self._name = name
        self._repairs = repairs
        self._prefixes: dict[str, str] = {"g": GOOGLE}
        self._declared: set[str] = {"xml", "xmlns"}
        self._told: set[str] = set()
        self._depth = 0
        self._item_depth = 0
        self._line = 0
        self._data: dict[str, Json] = {}
        self._path: list[str] = []
        self._texts: list[list[str]] = []
        self._named: list[tuple[str, str] | None] = []
        """Of each open element the name and unit it carries: `<param name="Width" unit="cm">20</param>`."""
        self._chars = 0
        self._categories = _Categories()
        self.document_type = ""
        self.google = False
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._stop
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.EntityDeclHandler = self._entity

    def feed(self, text: str, *, final: bool = False) -> None:
        try:
            self._parser.Parse(_without_declared_encoding(text).encode("utf-8"), final)
        except expat.ExpatError as error:
            raise FeedError(
                f"{self._name!r}, line {error.lineno}: not well-formed XML ({expat.ErrorString(error.code)}). "
                "Nothing was imported."
            ) from error

    def _doctype(self, name: str, *_: object) -> None:
        self.document_type = name

    def _entity(self, *_: object) -> None:
        raise FeedError(
            f"{self._name!r} declares entities in its document type, which can pull in other files or swell "
            "without end: not allowed. Remove the <!DOCTYPE ...> and import again."
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > self._limits.max_nesting:
            raise FeedError(f"{self._name!r}: nested deeper than {self._limits.max_nesting} levels.")
        for key, value in attributes.items():
            if key.startswith("xmlns:"):
                self._declared.add(key[6:])
                self._prefixes[key[6:]] = value.strip()
            elif key == "xmlns" and _is_googles(value):
                self.google = True
        local = self._local(name)
        if not self._item_depth:
            self._categories.begin(local, attributes)
            if local.lower() in ITEMS:
                self._item_depth, self._data, self._path, self._chars = self._depth, {}, [], 0
                self._line = self._parser.CurrentLineNumber
                self._put_attributes("", attributes)
            return
        self._path.append(local)
        self._texts.append([])
        self._named.append(_named(attributes))
        if not self._named[-1]:
            self._put_attributes(".".join(self._path), attributes)

    def _put_attributes(self, path: str, attributes: dict[str, str]) -> None:
        for key, value in attributes.items():
            if not key.startswith("xmlns") and value:
                self._put(f"{path}.{key}" if path else key, value)

    def _stop(self, name: str) -> None:
        if self._item_depth == self._depth:
            self._categories.put_path(self._data)
            self._found.append(Record(self._line, self._data))
            self._item_depth = 0
        elif self._item_depth:
            self._stop_within(name)
        else:
            self._categories.end()
        self._depth -= 1

    def _stop_within(self, name: str) -> None:
        text, named = "".join(self._texts.pop()).strip(), self._named.pop()
        if text and named:
            self._put("params", {"name": named[0], "value": f"{text} {named[1]}".strip()})
        elif text:
            self._put(".".join(self._path), text)
            if self._texts and name.lower() in _MARKUP:  # the outer element has the words of the markup within it
                self._texts[-1].append(f"\n{text}\n")
        self._path.pop()

    def _characters(self, text: str) -> None:
        if not self._item_depth:
            self._categories.add(text)
        else:
            self._chars += len(text)
            if self._chars > self._limits.max_record_chars:
                raise FeedError(f"{self._name!r}: an item is longer than {self._limits.max_record_chars:,} characters.")
            if self._texts:
                self._texts[-1].append(text)

    def _put(self, name: str, value: Json) -> None:
        held = self._data.get(name)
        if held is None:
            self._data[name] = value
        elif isinstance(held, list):
            held.append(value)
        else:
            self._data[name] = [held, value]

    def _local(self, name: str) -> str:
        """The name without Google's prefix. A prefix that no one declared is taken for Google's, and told."""
        prefix, colon, local = name.partition(":")
        if not colon:
            return name
        if prefix not in self._declared and prefix not in self._told:
            self._told.add(prefix)
            line = self._parser.CurrentLineNumber
            self._repairs.append(("an undeclared prefix was taken for Google's", line, f"{prefix}:"))
        if not _is_googles(self._prefixes.get(prefix, GOOGLE)):
            return name
        self.google = True
        return local


def _is_googles(namespace: str) -> bool:
    return namespace.strip().rstrip("/").lower() == GOOGLE or "base.google" in namespace


def _named(attributes: dict[str, str]) -> tuple[str, str] | None:
    name = attributes.get("name", "").strip()
    return (name, attributes.get("unit", "").strip()) if name else None


class _Categories:
    """The categories that a file lists before its items, which name them by number."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._parents: dict[str, str] = {}
        self._open = ""

    def begin(self, local: str, attributes: dict[str, str]) -> None:
        """Takes the beginning of an element outside of items."""
        number = attributes.get("id", "") if local.lower() == "category" else ""
        self._open = number if len(self._names) < _MAX_CATEGORIES else ""
        if self._open:
            self._names[number] = ""
            self._parents[number] = attributes.get("parentId") or attributes.get("parent_id") or ""

    def add(self, text: str) -> None:
        """Takes text outside of items."""
        if self._open:
            self._names[self._open] = (self._names[self._open] + text)[:_MAX_CATEGORY_CHARS]

    def end(self) -> None:
        """Takes the end of an element outside of items."""
        self._open = ""

    def put_path(self, data: dict[str, Json]) -> None:
        """Puts the path of an item's category in place of its number."""
        number = data.get("categoryId") if self._names else None
        number = number[0] if isinstance(number, list) else number
        levels: list[str] = []
        while isinstance(number, str) and (name := self._names.get(number, "").strip()) and len(levels) < _MAX_LEVELS:
            levels.insert(0, name)
            number = self._parents[number]
        if levels:
            del data["categoryId"]
            data["category"] = " > ".join(levels)


_ENCODING = re.compile(r"^(\s*<\?xml[^>]*?)\sencoding\s*=\s*[\"'][^\"']*[\"']")


def _without_declared_encoding(text: str) -> str:
    """The text was decoded already: what the declaration says no longer holds."""
    return _ENCODING.sub(r"\1", text) if "<?xml" in text[:200] else text
