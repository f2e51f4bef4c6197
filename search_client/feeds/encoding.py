"""Bytes to text: the encoding of a file found out from all its bytes, and a reader that loses none of them."""

from __future__ import annotations

import codecs
import io
import re
from collections import Counter
from dataclasses import dataclass

from search_client.errors import FeedError
from search_client.feeds.charset import told_by_letters, words_of
from search_client.feeds.source import Part

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CHUNK = 1 << 20
_DECLARED = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})[\"']")
_STRAY = re.compile("[\udc80-\udcff]")
_MAX_WORDS = 100_000
_FALLBACK = "feeds.cp1252"


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a file's bytes are read, and why."""

    name: str
    evidence: str
    repair: bool = False
    """UTF-8 with stray bytes: those are read as Windows-1252."""


def detect_encoding(part: Part, told: str | None) -> Encoding:
    """The encoding of the whole file. Raises `FeedError` where its bytes leave it open or contradict what is told."""
    with part.open() as file:
        head = file.read(4096)
    if told:
        return Encoding(_known(told), "told")
    for bom, name in _BOMS:
        if head.startswith(bom):
            return Encoding(name, "byte order mark")
    if wide := _wide(head):
        return Encoding(wide, "every second byte is zero")
    if declared := _DECLARED.match(head):
        name = _known(declared[1].decode("ascii"))
        if name != "utf-8":
            return Encoding(name, "XML declaration")
    return _narrow(part)


def open_text(part: Part, encoding: Encoding) -> io.TextIOWrapper:
    """The file as text, line ends as they are. Bytes that fit no encoding raise `FeedError` or are repaired."""
    codecs.register_error(_FALLBACK, _as_cp1252)
    errors = _FALLBACK if encoding.repair else "strict"
    return io.TextIOWrapper(part.open(), encoding=encoding.name, errors=errors, newline="")


def _known(name: str) -> str:
    try:
        found = codecs.lookup(name).name
        "".encode(found)
    except (LookupError, TypeError, UnicodeError) as error:
        raise FeedError(f"Unknown encoding {name!r}. Try --encoding utf-8, cp1252 or utf-16.") from error
    return found


def _wide(head: bytes) -> str | None:
    sample = head[: len(head) // 2 * 2]
    if len(sample) < 8:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if odd > 0.4 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.4 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None


def _narrow(part: Part) -> Encoding:
    """UTF-8 if every byte fits, or nearly every one; else the one-byte encoding whose letters fit its words."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    ascii_only = True
    try:
        with part.open() as file:
            while chunk := file.read(_CHUNK):
                ascii_only = ascii_only and chunk.isascii()
                decoder.decode(chunk)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return _damaged_or_legacy(part)
    return Encoding("utf-8", "only ASCII" if ascii_only else "all bytes are valid UTF-8")


def _damaged_or_legacy(part: Part) -> Encoding:
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    stray = valid = 0
    words: Counter[bytes] = Counter()
    with part.open() as file:
        for _ in range(64):
            chunk = file.read(_CHUNK)
            text = decoder.decode(chunk, final=not chunk)
            found = len(_STRAY.findall(text))
            stray += found
            valid += 0 if text.isascii() else sum(char > "\x7f" for char in text) - found
            if len(words) < _MAX_WORDS:
                words.update(words_of(chunk))
            if not chunk:
                break
    if valid > 3 * stray or stray == 0:
        return Encoding("utf-8", f"valid UTF-8 but for {stray:,} stray bytes, read as Windows-1252", repair=True)
    if charset := told_by_letters(words):
        return Encoding(charset.encoding, f"not UTF-8; the letters of its words are those of {charset.language}")
    raise FeedError(
        f"{part.name!r} is not UTF-8, and its bytes fit the letters of no language in an older encoding known here. "
        "Say how it was saved, for example --encoding shift_jis, gb18030 or mac_roman."
    )


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return bytes(error.object[error.start : error.end]).decode("cp1252", "replace"), error.end
