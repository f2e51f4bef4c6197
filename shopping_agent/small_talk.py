"""Messages that ask for nothing: no product is looked up for a greeting, whatever a small model thinks."""

from __future__ import annotations

import re

_GREETINGS = """
    hi hello hey hiya howdy yo hola buenas bonjour salut coucou hallo moin servus ciao salve olá oi merhaba
    привет здравствуйте 你好 您好 嗨 こんにちは 안녕하세요 good morning afternoon evening day buenos días dias
    tardes noches guten tag morgen abend bonsoir thanks thank you thx ty cheers gracias muchas merci danke
    schön schon vielen dank obrigado obrigada grazie 谢谢 ありがとう bye goodbye adiós adios tschüss au revoir
    see there so much very everyone all ok okay
"""
_WORDS = frozenset(_GREETINGS.split())
# Words that only go with a greeting are none on their own: “good”, “day”, “all”.
_COMMON = """
    good morning afternoon evening day there so much very everyone all you ok okay see schon au
"""
_CARRIERS = frozenset(_COMMON.split())


def is_small_talk(message: str) -> bool:
    """Whether the whole message is a greeting, thanks or a goodbye."""
    words = re.findall(r"[^\W\d_]+", message.casefold())
    return 0 < len(words) <= 6 and _WORDS.issuperset(words) and not _CARRIERS.issuperset(words)
