"""Currencies as merchants write them: codes, signs, local names."""

from __future__ import annotations

from search_client.feeds.wordlist import listed

CODES = frozenset(
    listed(
        "AED|AFN|ALL|AMD|ANG|AOA|ARS|AUD|AWG|AZN|BAM|BBD|BDT|BGN|BHD|BIF|BMD|BND|BOB|BRL|BSD|BTN|BWP|BYN|BZD|CAD|"
        "CDF|CHF|CLP|CNY|COP|CRC|CUP|CVE|CZK|DJF|DKK|DOP|DZD|EGP|ERN|ETB|EUR|FJD|FKP|GBP|GEL|GHS|GIP|GMD|GNF|GTQ|"
        "GYD|HKD|HNL|HTG|HUF|IDR|ILS|INR|IQD|IRR|ISK|JMD|JOD|JPY|KES|KGS|KHR|KMF|KPW|KRW|KWD|KYD|KZT|LAK|LBP|LKR|"
        "LRD|LSL|LYD|MAD|MDL|MGA|MKD|MMK|MNT|MOP|MRU|MUR|MVR|MWK|MXN|MYR|MZN|NAD|NGN|NIO|NOK|NPR|NZD|OMR|PAB|PEN|"
        "PGK|PHP|PKR|PLN|PYG|QAR|RON|RSD|RUB|RWF|SAR|SBD|SCR|SDG|SEK|SGD|SHP|SLE|SOS|SRD|SSP|STN|SVC|SYP|SZL|THB|"
        "TJS|TMT|TND|TOP|TRY|TTD|TWD|TZS|UAH|UGX|USD|UYU|UZS|VES|VND|VUV|WST|XAF|XCD|XCG|XOF|XPF|YER|ZAR|ZMW|ZWG"
    )
)
DOLLARS = (
    "USD",
    "CAD",
    "AUD",
    "NZD",
    "SGD",
    "HKD",
    "TWD",
    "MXN",
    "CLP",
    "COP",
    "ARS",
    "UYU",
    "BZD",
    "JMD",
    "TTD",
    "FJD",
)
CROWNS = ("SEK", "NOK", "DKK", "ISK", "CZK")
_SIGNS: dict[str, tuple[str, ...]] = {
    "$": DOLLARS,
    "us$": ("USD",),
    "u.s.$": ("USD",),
    "ca$": ("CAD",),
    "c$": ("CAD",),
    "a$": ("AUD",),
    "au$": ("AUD",),
    "nz$": ("NZD",),
    "s$": ("SGD",),
    "hk$": ("HKD",),
    "nt$": ("TWD",),
    "mx$": ("MXN",),
    "r$": ("BRL",),
    "€": ("EUR",),
    "euro": ("EUR",),
    "euros": ("EUR",),
    "£": ("GBP", "EGP"),
    "¥": ("JPY", "CNY"),
    "￥": ("JPY", "CNY"),
    "円": ("JPY",),
    "元": ("CNY", "TWD"),
    "₹": ("INR",),
    "rs": ("INR", "PKR", "LKR", "NPR", "MUR"),
    "rs.": ("INR", "PKR", "LKR", "NPR", "MUR"),
    "₩": ("KRW",),
    "원": ("KRW",),
    "rur": ("RUB",),
    "₽": ("RUB",),
    "руб": ("RUB",),
    "руб.": ("RUB",),
    "₴": ("UAH",),
    "грн": ("UAH",),
    "₺": ("TRY",),
    "tl": ("TRY",),
    "₪": ("ILS",),
    "฿": ("THB",),
    "₫": ("VND",),
    "đ": ("VND",),
    "₱": ("PHP",),
    "₦": ("NGN",),
    "zł": ("PLN",),
    "zl": ("PLN",),
    "kč": ("CZK",),
    "ft": ("HUF",),
    "lei": ("RON", "MDL"),
    "лв": ("BGN",),
    "лв.": ("BGN",),
    "kr": CROWNS,
    "kr.": CROWNS,
    "fr": ("CHF",),
    "fr.": ("CHF",),
    "sfr": ("CHF",),
    "sfr.": ("CHF",),
    "rm": ("MYR",),
    "rp": ("IDR",),
    "rp.": ("IDR",),
    "r": ("ZAR",),
    "d.h.": ("AED", "MAD"),
    "dhs": ("AED", "MAD"),
    "dh": ("AED", "MAD"),
    "د.إ": ("AED",),
    "درهم": ("AED", "MAD"),
    "ر.س": ("SAR",),
    "ريال": ("SAR", "QAR", "OMR"),
    "sr": ("SAR",),
    "s/": ("PEN",),
    "s/.": ("PEN",),
    "ksh": ("KES",),
}


def candidates(text: str) -> tuple[str, ...]:
    """The currencies that a code or sign may mean, likeliest first; empty: it is none."""
    word = text.strip()
    if word.upper() in CODES:
        return (word.upper(),)
    return _SIGNS.get(word.casefold(), ())


def choose(text: str, hint: str | None) -> str | None:
    """The currency of a code or sign; `hint` settles a shared sign. None: it is none."""
    found = candidates(text)
    if not found:
        return None
    return hint if hint in found else found[0]
