"""One text as it is meant to be read by a machine: folded case, no marks, nothing invisible. Never shown to anybody."""

from __future__ import annotations

import unicodedata

MAX_FOLDED_CHARS = 24_000
"""Some characters fold to eighteen; what is longer after folding than any message may be is cut."""

_LETTERS = str.maketrans(
    {
        **dict(zip("ıİłŁøØđĐðÐħĦŧŦŋŊ", "iillooddddhhttnn", strict=True)),
        "’": "'",
        "‘": "'",
        "ʼ": "'",
        "´": "'",
        "`": "'",
        "æ": "ae",
        "Æ": "ae",
        "œ": "oe",
        "Œ": "oe",
    }
)

_CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])

_PAIRS = (
    ("авсԁеёғһіїјкӏмнопрԛѕтуүѵхʏьԝзгпѡ", "abcdeefhiijklmhonpqstyyvxybw3rnw"),
    ("αβϲδεηικλμνοπρστυχγωζξθϳ", "abcdenikluvonpotuxywzeoj"),
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɡɩɐǝɔɟƃɥᴉɾʞɯɹʇʌʍʎⱯꓭꓚꓓꓰꓝ", "abcdefghijklmnoprstuvwyzagiaecfghijkmrtvwyabcdef"),
    ("ꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ghijklmnoprstuvwxyz"),
    ("օսոցհյքզԁաւո", "oungjjpqdwun"),
    ("ᎪᏴᏟᎠᎬᎶᎻᎥᎫᏦᏞᎷᏃᎤᏢᎡᏚᎢᏙᎳᎩ", "abcdeghijklmzoprstvwy"),
    ("ɓƈɖɗɛƒɠɦɨƙłɱŋƥʠʂƭʋⱳƴƶ", "bcddefghiklmnpqstvwyz"),
)
CONFUSABLE: dict[int, int] = {
    ord(shape): ord(letter) for shapes, letters in _PAIRS for shape, letter in zip(shapes, letters, strict=True)
}
"""Letters of other alphabets to the Latin letters they look like."""
for _start in (0x1F1E6, 0x1F130, 0x1F150, 0x1F170):
    CONFUSABLE.update({_start + i: ord("a") + i for i in range(26)})


def is_invisible(char: str) -> bool:
    """Whether a character draws nothing of its own: marks, joiners, direction and variation signs, blank letters."""
    return unicodedata.category(char) in _UNSEEN or char in "\u115f\u1160\u3164\uffa0\u2800\u17b4\u17b5"


_UNSEEN = frozenset({"Mn", "Mc", "Me", "Cf", "Cc", "Co", "Cn"})


def fold(text: str) -> str:
    """The text for matching: compatibility letters, no accents, no invisible characters, lower case.

    Marks go before the normalisation too: its reordering is quadratic in a run of them (20,000 took 0.3 s).
    """
    if text.isascii():
        return text.lower().translate(_CONTROLS)
    bare = "".join(c for c in text.translate(_LETTERS) if c in "\n\t\r" or not is_invisible(c))
    wide = unicodedata.normalize("NFKD", bare)[:MAX_FOLDED_CHARS]
    return unicodedata.normalize(
        "NFC", "".join(c for c in wide if unicodedata.category(c) not in ("Mn", "Mc"))
    ).casefold()


def unmask(folded: str) -> str:
    """The folded text with letters of other alphabets read as the Latin letters they look like."""
    return folded.translate(CONFUSABLE)
