"""Text of two writing directions: none may turn what stands around it, and none hides what it says.

Source: Unicode Standard Annex 9, explicit directional embeddings, overrides and isolates.
"""

from __future__ import annotations

import re

_START, _END = "\u2068", "\u2069"  # first strong isolate … pop directional isolate: what `<bdi>` does, within a text
_TURNING = dict.fromkeys([*range(0x202A, 0x202F), 0x2066, 0x2067])  # embeddings, overrides, forced isolates
_ISOLATES = dict.fromkeys([0x2068, 0x2069])
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")


def shown(value: object) -> object:
    """A value as a template may show it: a text is laid out as its letters are, whoever wrote it."""
    return upright(value) if type(value) is str and not value.isascii() else value


def upright(text: str) -> str:
    """`text` without what would show it in another order; of isolates only whole pairs stay."""
    text = text.translate(_TURNING)
    return text if text.count(_START) == text.count(_END) == 0 else _paired(text)


def _paired(text: str) -> str:
    kept, opened = list(text), list[int]()
    for place, char in enumerate(text):
        if char == _START:
            opened.append(place)
        elif char == _END and opened:
            opened.pop()
        elif char == _END:
            kept[place] = ""
    for place in opened:
        kept[place] = ""
    return "".join(kept)


def isolated(text: str) -> str:
    """`text` set apart from the sentence it is put into, unless its parts are: these run as the sentence does."""
    text = upright(text)
    return text if _START in text else f"{_START}{text}{_END}"


def plain(text: str) -> str:
    """`text` without any of it, to be sent on."""
    return text.translate(_TURNING | _ISOLATES)


def runs_right_to_left(text: str) -> bool:
    """Whether any letter of it does."""
    return _RIGHT_TO_LEFT.search(text) is not None
