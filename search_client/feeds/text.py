"""Text of a feed made plain: entities resolved, HTML read as text, nothing invisible left."""

from __future__ import annotations

import html
import re
import unicodedata

from search_client.feeds.wordlist import listed

# Controls but tab and line breaks, lone surrogates, zero width, direction overrides, tags: none is seen by a reader,
# several carry hidden instructions. The joiners U+200C and U+200D stay: Persian and emoji need them.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff0-\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)\b[^<>]*>|<!--|<![^<>]*>|<\?[^<>]*>")
_BREAKS = frozenset(
    listed("p|br|div|ul|ol|table|tr|h1|h2|h3|h4|h5|h6|section|article|header|footer|blockquote|hr|dl|dt|dd")
)
_UNSHOWN = ("script", "style", "template", "noscript", "head", "iframe", "object", "svg")
_BLANKS = re.compile(r"[^\S\n]+")
_NEWLINES = re.compile(r" ?\n ?")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_MOJIBAKE = re.compile(
    "[ÃÂ][\x80-\xbf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]"
)


def plain_line(text: str) -> str:
    """The text as one line: a title, a name, a value."""
    if _is_plain(text):
        return " ".join(text.split())
    return " ".join(plain_text(text).split())


def plain_text(text: str) -> str:
    """The text without markup, entities (escaped once or twice) and invisible characters, its paragraphs kept."""
    if _is_plain(text):
        return " ".join(text.split())
    if "&" in text:
        text = _unescape(text)
    if "<" in text:
        text = _without_tags(text)
        text = _unescape(text) if "&" in text else text
    if not text.isascii():
        text = _INVISIBLE.sub("", text)
        text = text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)
    elif not text.isprintable():
        text = _INVISIBLE.sub("", text)
    return _tidy(text)


def _is_plain(text: str) -> bool:
    """Whether there is nothing to do but blanks: most texts, at a fifth of the cost."""
    return text.isascii() and text.isprintable() and not ("&" in text or "<" in text or "\\" in text)


def looks_encoded_twice(text: str) -> bool:
    """Whether UTF-8 was once read as Windows-1252: `fÃ¼r` for `für`."""
    return not text.isascii() and bool(_MOJIBAKE.search(text))


def code(text: str) -> str:
    """An id or code, verbatim but for blanks around it and invisible characters."""
    text = text.strip()
    if not text.isascii() or not text.isprintable():
        text = " ".join(_INVISIBLE.sub("", text).split())
    return text


def _unescape(text: str) -> str:
    for _ in range(3):
        if not _ENTITY.search(text):
            break
        text = html.unescape(text)
    return text


def _tidy(text: str) -> str:
    if "\n" not in text and "\r" not in text and "\\n" not in text:
        return _BLANKS.sub(" ", text).strip()
    text = text.replace("\\r\\n", "\n").replace("\\n", "\n").replace("\r\n", "\n").replace("\r", "\n")
    text = _NEWLINES.sub("\n", _BLANKS.sub(" ", text))
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip()


def _without_tags(text: str) -> str:
    """Linear in its input: every tag ends before the next `<`, an unshown element is skipped by one search."""
    parts: list[str] = []
    at = 0
    lower = text.lower()
    lost: set[str] = set()
    while found := _TAG.search(text, at):
        parts.append(text[at : found.start()])
        at = found.end()
        name = (found[2] or "").lower()
        if found[0].startswith("<!--"):
            end = text.find("-->", at)
            at = len(text) if end < 0 else end + 3
        elif name in _UNSHOWN and not found[1] and name not in lost:
            end = lower.find(f"</{name}", at)
            if end < 0:
                lost.add(name)
            else:
                at = end
        elif name == "li" and not found[1]:
            parts.append("\n- ")
        elif name in _BREAKS:
            parts.append("\n")
        elif name in ("td", "th", "option", "button"):
            parts.append(" ")
    parts.append(text[at:])
    return "".join(parts)
