"""Payloads that hide in another notation: found by shape, decoded, bounded in number and size."""

from __future__ import annotations

import base64
import binascii
import html
import re
import urllib.parse
from collections.abc import Callable, Iterator

MAX_PAYLOADS = 8
MAX_PAYLOAD_CHARS = 4_000
MAX_ENCODED_CHARS = 8_000

_SIGNS = ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
_MORSE = dict(
    zip(
        _SIGNS.split(),
        "abcdefghijklmnopqrstuvwxyz",
        strict=True,
    )
)


def _printable(raw: bytes) -> str:
    """The bytes as text, or nothing where they are not mostly letters, digits and plain signs."""
    for encoding in ("utf-8", "utf-16-le"):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        readable = sum(c.isalnum() or c in " \n.,:;'!?-_+/=" for c in text)
        if len(text) >= 4 and readable >= 0.8 * len(text):
            return text
    return ""


def _base64(found: str) -> str:
    body = re.sub(r"\s", "", found).rstrip("=").translate(str.maketrans("-_", "+/"))
    body = body[: len(body) - (len(body) % 4 == 1)]
    return _printable(base64.b64decode(body + "=" * (-len(body) % 4)))


def _base32(found: str) -> str:
    body = found.rstrip("=")
    body = body[: len(body) - {1: 1, 3: 1, 6: 1}.get(len(body) % 8, 0)]
    return _printable(base64.b32decode(body + "=" * (-len(body) % 8)))


def _ascii85(found: str) -> str:
    return _printable(base64.a85decode(found, adobe=True))


def _base85(found: str) -> str:
    return _printable(base64.b85decode(found[: len(found) // 5 * 5])) if not found.isalnum() else ""


def _hex(found: str) -> str:
    digits = re.sub(r"0x|\\x|[^0-9a-fA-F]", "", found)
    return _printable(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def _binary(found: str) -> str:
    return _printable(bytes(int(byte, 2) for byte in re.findall("[01]{8}", found)))


def _numbers(found: str) -> str:
    codes = [int(number) for number in re.findall(r"\d+", found)]
    return _printable(bytes(codes)) if all(32 <= code < 127 for code in codes) else ""


def _alphabet_places(found: str) -> str:
    words = re.split(r"\s+[/|]?\s*|/", found)
    places = [[int(number) for number in re.findall(r"\d+", word)] for word in words]
    if any(not 1 <= place <= 26 for word in places for place in word):
        return ""
    return " ".join("".join(chr(96 + place) for place in word) for word in places)


def _morse(found: str) -> str:
    text = found.translate(str.maketrans("·•−–—_", "..----"))
    words = re.split(r"\s*[/|]\s*|\s{3,}", text)
    return " ".join("".join(_MORSE.get(sign, "") for sign in word.split()) for word in words)


def _percent(found: str) -> str:
    return urllib.parse.unquote_plus(found)


def _escapes(found: str) -> str:
    return re.sub(
        r"\\(?:u\{?([0-9a-fA-F]{4,6})\}?|x([0-9a-fA-F]{2})|U([0-9a-fA-F]{8}))",
        lambda escape: chr(min(int(escape[1] or escape[2] or escape[3], 16), 0x10FFFF)),
        found,
    )


def _entities(found: str) -> str:
    return html.unescape(found)


_SHAPES: tuple[tuple[str, str, re.Pattern[str], Callable[[str], str]], ...] = (
    ("base64", "", re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}"), _base64),
    ("base32", "", re.compile(r"\b[A-Z2-7]{16,}={0,6}"), _base32),
    ("ascii85", "<~", re.compile(r"<~[!-u\s]{8,4000}~>"), _ascii85),
    ("base85", "", re.compile(r"[0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{20,}"), _base85),
    ("hex", "", re.compile(r"(?:(?:0x|\\x)?[0-9a-fA-F]{2}[\s:,;-]{0,2}){8,}"), _hex),
    ("binary", "", re.compile(r"(?:[01]{8}[\s,]{0,2}){4,}"), _binary),
    ("character codes", "", re.compile(r"\d{2,3}(?:[\s,;]{1,2}\d{2,3}){7,}"), _numbers),
    ("alphabet places", "", re.compile(r"\d{1,2}(?:[\s,/|-]{1,3}\d{1,2}){7,}"), _alphabet_places),
    ("morse", "", re.compile(r"(?:[.·•_−–—-]{1,6}[\s/|]{1,3}){6,}"), _morse),
    ("url", "%", re.compile(r"(?:\w{0,20}(?:%[0-9A-Fa-f]{2}){1,9}[\w.~+-]{0,40}){2,}"), _percent),
    (
        "escapes",
        "\\",
        re.compile(r"(?:\S?\\(?:u\{?[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8})\}?\s?){3,}"),
        _escapes,
    ),
    ("entities", "&", re.compile(r"(?:[^&\n]{0,20}&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-z]{2,8});){3,}"), _entities),
)


def decode_payloads(text: str) -> Iterator[tuple[str, str]]:
    """(notation, decoded text) of each payload found, at most MAX_PAYLOADS."""
    left = MAX_PAYLOADS
    for notation, need, shape, decode in _SHAPES:
        if need not in text:
            continue
        for match in shape.finditer(text):
            found = match[0][:MAX_ENCODED_CHARS]
            if left == 0:
                return
            try:
                decoded = decode(found)[:MAX_PAYLOAD_CHARS]
            except (ValueError, binascii.Error):
                continue
            if decoded and decoded != found:
                left -= 1
                yield notation, decoded


def hidden_text(text: str) -> str:
    """ASCII smuggled in tag characters or variation selectors; empty where there is none."""
    if text.isascii():
        return ""
    tags = "".join(chr(ord(c) - 0xE0000) for c in text if 0xE0020 <= ord(c) < 0xE007F)
    selectors = bytes(
        code - 0xFE00 if code < 0xFE10 else code - 0xE0100 + 16
        for code in map(ord, text)
        if 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF
    )
    smuggled = _printable(selectors) if len(selectors) >= 8 else ""
    # England's flag and its kin spell five or six tag letters.
    return (tags if len(tags) > 6 else "") + smuggled
