"""Small words and numbers of a feed, in the spellings and languages merchants use: stock, yes, no, dates, ratings."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation

from search_client.feeds.wordlist import listed
from search_client.models import Availability

_YES = frozenset(
    listed(
        "1|true|yes|y|t|on|x|ja|j|oui|si|sí|vrai|wahr|verdadero|vero|sim|tak|да|是|はい|✓|✔|published|publish|"
        "active|enabled|enable|visible|live|online|public|available|aktiv|sichtbar|veröffentlicht|actif|publié|"
        "activo|activado|publicado|attivo|pubblicato|actief|gepubliceerd|ativo|habilitado"
    )
)
_NO = frozenset(
    listed(
        "0|-1|false|no|n|f|off|nein|non|faux|falsch|falso|não|nao|nie|нет|否|いいえ|draft|archived|unpublished|"
        "inactive|disabled|disable|hidden|private|pending|trash|deleted|discontinued|inaktiv|entwurf|versteckt|"
        "inactif|brouillon|inactivo|desactivado|borrador|oculto|disattivato|bozza|nascosto|inactief|concept|"
        "unlisted|offline"
    )
)
_STOCK: dict[Availability, str] = {
    Availability.IN_STOCK: (
        "in stock|instock|available|in store only|instoreonly|online only|onlineonly|limited availability|"
        "limitedavailability|low stock|few left|available for order|available now|ready to ship|on hand|lieferbar|"
        "sofort lieferbar|auf lager|vorrätig|verfügbar|lagernd|am lager|sofort verfügbar|en stock|disponible|"
        "en existencia|hay existencias|con existencias|en inventario|disponibile|in magazzino|op voorraad|"
        "leverbaar|em estoque|disponível|em stock|på lager|i lager|finns i lager|varastossa|w magazynie|dostępny|"
        "na stanie|skladem|na sklade|raktáron|în stoc|in stoc|stokta|stokta var|в наличии|есть в наличии|"
        "в наявності|有货|有貨|现货|在庫あり|재고 있음|متوفر|متاح|במלאי|available immediately|stock|"
        "reserved for in store|yes in stock|unlimited|infinite|∞|available for sale|stokta mevcut|mevcut|skladom"
    ),
    Availability.OUT_OF_STOCK: (
        "out of stock|outofstock|sold out|soldout|unavailable|not available|discontinued|no stock|oos|not in stock|"
        "temporarily out of stock|currently unavailable|out|sold|ausverkauft|nicht verfügbar|nicht lieferbar|"
        "nicht vorrätig|nicht auf lager|vergriffen|rupture de stock|en rupture|rupture|épuisé|indisponible|agotado|"
        "sin existencias|no disponible|fuera de stock|sin stock|esaurito|non disponibile|esgotado|indisponível|"
        "sem estoque|fora de estoque|uitverkocht|niet op voorraad|niet leverbaar|slutsåld|slut i lager|"
        "ikke på lager|utsolgt|udsolgt|loppu|brak|brak w magazynie|niedostępny|wyprzedany|vyprodáno|není skladem|"
        "elfogyott|nincs raktáron|stoc epuizat|indisponibil|tükendi|stokta yok|нет в наличии|распродано|缺货|缺貨|"
        "无货|售罄|在庫なし|在庫切れ|売り切れ|품절|غير متوفر|نفذت الكمية|غير متاح|אזל מהמלאי"
    ),
    Availability.PREORDER: (
        "preorder|pre order|presale|pre sale|coming soon|vorbestellbar|vorbestellung|précommande|en précommande|"
        "preventa|reserva|preordine|prenotabile|pré venda|pre venda|voorbestelling|предзаказ|予約|预订|预售"
    ),
    Availability.BACKORDER: (
        "backorder|back order|onbackorder|on backorder|on back order|backordered|made to order|madetoorder|"
        "available on backorder|available on request|special order|on order|nachbestellbar|lieferrückstand|"
        "auf bestellung|sur commande|en réapprovisionnement|bajo pedido|su ordinazione|ordinabile|op bestelling|"
        "in nabestelling|na zamówienie|под заказ|sob encomenda|notify"
    ),
}
_AVAILABILITY = {word: state for state, words in _STOCK.items() for word in words.split("|")}
_SCHEMA = re.compile(r"^https?://(?:www\.)?schema\.org/", re.IGNORECASE)
_LEFT = re.compile(r"(?:only )?(\d{1,9})\s*(?:left|in stock|pcs|units?|available|stück|items?)?\s*(?:in stock|left)?")
_COUNTED = re.compile(r"\s*[(:\-–]?\s*\d{1,9}\s*(?:pcs|units?|left|stück|available)?\)?$")
_RATING = re.compile(
    r"(?P<value>\d{1,3}(?:[.,]\d+)?)\s*(?:(?:/|out of|von|sur|de|su|van|of)\s*(?P<most>\d{1,3})|(?P<percent>%))?"
    r"\s*(?:stars?|sterne?|étoiles?|estrellas)?",
    re.IGNORECASE,
)
_DATE = re.compile(r"(\d{1,2})([./-])(\d{1,2})[./-](\d{4}|\d{2})(?:[, ]\s*\d{1,2}:\d{2}.*)?$")
_OFFSET = re.compile(r"([+-]\d{2})(\d{2})$")


def yes(text: object, *, default: bool) -> bool:
    """Whether a word says yes; `default` for an empty or unknown one."""
    word = str(text).strip().casefold()
    return True if word in _YES else False if word in _NO else default


def availability(text: object) -> Availability | None:
    """What a word for stock means, in any common spelling; None: unknown word. A number counts pieces."""
    word = _SCHEMA.sub("", str(text).strip()).casefold().replace("_", " ").replace("-", " ").strip(" .!✓✔")
    if state := _AVAILABILITY.get(word):
        return state
    if word in ("1", "true", "yes", "y", "ja", "oui", "si", "sí", "sim", "да", "tak", "t"):
        return Availability.IN_STOCK
    if word in ("0", "false", "no", "n", "nein", "non", "não", "нет", "nie", "f"):
        return Availability.OUT_OF_STOCK
    if found := _LEFT.fullmatch(word):
        return Availability.IN_STOCK if int(found[1]) > 0 else Availability.OUT_OF_STOCK
    return _AVAILABILITY.get(_COUNTED.sub("", word)) if word else None


def quantity(value: object) -> int | None:
    """A whole number of pieces; None: it is none. `12.0` counts, `100 ML` does not."""
    if isinstance(value, bool):
        return None
    try:
        number = Decimal(str(value).strip().replace("\u00a0", "")[:20] or "x")
    except InvalidOperation:
        return None
    return int(number) if number.is_finite() and abs(number) < 10**12 else None


def rating(value: object) -> tuple[Decimal, Decimal | None] | None:
    """A rating and the scale it names: `4.6/5` gives (4.6, 5), `92%` gives (92, 100); None: it is none."""
    found = _RATING.fullmatch(str(value).strip()[:60])
    if found is None:
        return None
    most = Decimal(100) if found["percent"] else Decimal(found["most"]) if found["most"] else None
    return Decimal(found["value"].replace(",", ".")), most


def moment(text: str) -> datetime | None:
    """An ISO 8601 date or time, in UTC where it names no zone; None: it is none."""
    text = _OFFSET.sub(r"\1:\2", text.strip().replace("/", "-") if text[:4].isdigit() else text.strip())
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def moments(text: str) -> tuple[datetime, ...]:
    """Every moment that a date may mean, `3/4/26` two; empty: it is no date."""
    if at := moment(text):
        return (at,)
    found = _DATE.match(text.strip())
    if found is None:
        return ()
    first, second, year = int(found[1]), int(found[3]), int(found[4])
    pairs = [(first, second)] if found[2] == "." else [(second, first), (first, second)]
    year += 2000 if year < 100 else 0
    return tuple(
        datetime(year, month, day, tzinfo=UTC) for day, month in dict.fromkeys(pairs) if _is_day(year, month, day)
    )


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def iso_date(text: str) -> str | None:
    """The text as ISO 8601 where it is a date that can be read in one way, else None."""
    found = moment(text) if text else None
    if found is None:
        return None
    return found.date().isoformat() if len(text.strip()) <= 10 else found.isoformat()
