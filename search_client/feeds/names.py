"""Column names: written any way, read as one; which of them no shopper may see.

The private names are the one list that keeps cost, supplier, margin and notes out of the index, whatever the format.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from search_client.feeds.wordlist import listed

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?:[a-rt-z]|s[a-z]))")  # URLs is one word
_NOT_WORD = re.compile(r"[^\w]+|_+")
_DIGITS = re.compile(r"\d+")
_PREFIX = re.compile(
    r"^(?:(?:meta|tax):_?)?(?:(?:attr(?:ibute)?s?|facet|spec(?:ification)?s?)[_ .:](?:pa_|[tnb][_ ])?)?(?:pa_)?(?=\w)",
    re.IGNORECASE,
)
_UNCOMBINED = str.maketrans("ıłøđ", "ilod")  # letters that no accent can be taken from
_METAFIELD = re.compile(
    r"^(?P<label>.*?)\s*\(?(?P<path>product\.metafields\.[^)]*)\)?\s*$",
    re.IGNORECASE,
)

_PRIVATE_WORDS = frozenset(
    listed(
        "cost|costs|costprice|pricecost|unitcost|itemcost|netcost|cogs|landed|margin|margins|markup|profit|"
        "supplier|suppliers|supplierid|suppliername|suppliersku|supplierprice|wholesale|wholesaler|wholesaleprice|"
        "distributor|distributors|internalnote|internalnotes|confidential|private|secret|admin|staff|employee|"
        "commission|purchaseprice|buyprice|buyingprice|tradeprice|dealerprice|dealer|reseller|b2b|floorprice|"
        "minprice|einkauf|einkaufspreis|einkaufpreis|ekpreis|ek|lieferant|lieferanten|lieferantennummer|marge|"
        "handelsspanne|haendlerpreis|handlerpreis|grosshandel|selbstkosten|fournisseur|fournisseurs|grossiste|"
        "confidentiel|coste|costes|costo|costos|costi|proveedor|proveedores|mayorista|margen|fornitore|fornitori|"
        "margine|ingrosso|inkoop|inkoopprijs|leverancier|kostprijs|groothandel|custo|fornecedor|margem|atacado|"
        "koszt|dostawca|hurt|hurtowa|себестоимость|закупка|закупочная|поставщик|маржа|наценка|оптовая|passwd|"
        "apikey|customer|customers|reviewer|reviewers|maliyet|tedarikci|dodavatel|nakupni|nakupna|marze|marza|"
        "zakupu|inkopspris|leverantor|leverandor|leverandør|inkoop|indkobspris|innkjopspris|kostpris|dackningsbidrag|"
        "marginal|avance|toimittaja|ostohinta|kate|beszerzesi|beszallito|arres|furnizor|achizitie|marja|постачальник|"
        "собівартість|закупівельна|закупочна|оптова|التكلفة|المورد|עלות|ספק"
    )
)
_PRIVATE_PHRASES = listed(
    "purchase price|buying price|buy price|trade price|dealer price|floor price|minimum price|min price|prix achat|"
    "prix d achat|prix de revient|precio compra|precio de compra|prezzo acquisto|prezzo di acquisto|"
    "preco de compra|ek preis|price group|group price|tier price|tier prices|purchase note|hinweis zum kauf|"
    "nota de compra|note de commande|stock location|bin location|shelf location|vendor code|vendor price|"
    "vendor sku|vendor number|hidden note|private note|tax id|api key|custom label|notas internas|nota interna|"
    "note interne|notes internes|phone number|contact phone|email address|e mail address|contact email|"
    "password hash|bin picking|warehouse location|storage location|reorder point|reorder level|reorder quantity|"
    "safety stock|back office|backoffice|do not show|do not publish|not public|alis fiyati|kar marji|pret de achizitie|"
    "سعر التكلفة|سعر الشراء|سعر الجملة|هامش الربح|ملاحظات داخلية|vnitrni poznamka|interni poznamka|belso megjegyzes|"
    "uwagi wewnetrzne|notatka wewnetrzna|внутренние заметки|внутренний комментарий|служебная информация|dahili not|"
    "nota interna|interna anteckningar|intern notering"
)
# Chinese, Japanese and Korean put no blanks between words.
_PRIVATE_PARTS = listed(
    "成本|进价|進價|供应商|供應商|采购价|採購價|进货价|毛利|利润|利潤|批发价|批發價|内部备注|內部備註|内部メモ|社内|原価|仕入|"
    "卸価格|卸売|粗利|원가|매입|공급업체|공급사|공급처|도매|마진|내부 메모|내부메모"
)
_PRIVATE_ALONE = frozenset(
    listed(
        "password|email|mail|phone|internal|intern|interne|note|notes|comment|comments|remark|remarks|memo|notiz|"
        "notizen|bemerkung|bemerkungen|kommentar|nota|notas|remarque|remarques|commentaire|commentaires|warehouse|"
        "lagerplatz|bin|location|shelf|aisle|regal"
    )
)
# "Internal memory" is a fact about a phone, "internal code" is not.
_INTERNAL = re.compile(
    r"\bintern(?:al|e|er|es)? (?:labels?|group|note|notes|comments?|remarks?|memo|use|only|code|id|ref|reference|name|"
    r"sku|price|info|status|tags?|notiz(?:en)?|bemerkung(?:en)?|hinweise?|kommentare?|nummer|artikelnummer|number|data)\b"
    r"|\b(?:notes?|comments?|remarks?|memo|info|notiz(?:en)?|bemerkung(?:en)?|kommentare?) "
    r"(?:intern(?:al|e|o|a)?|priv\w+)\b"
)
_PAPER = re.compile(
    r"\b(?:print|printing|copy|page|top|bottom|left|right|roll|seam) \w* ?margins?\b"
    r"|\bmargins? (?:top|bottom|roll|cut)\b"
)
_IGNORED = re.compile(
    r"\b(?:popularity|hierarchical|highlightresult|rankinginfo|snippetresult|bundle options|associated skus?|"
    r"seo|metadata|meta (?:title|description|keywords?)|adwords|hs code|cross ?sells?|upsells?|related skus|"
    r"published scope|template suffix|fulfillment|qr code|discount percentage|tax (?:class|code|status)|taxable|"
    r"steuer(?:klasse|status)|etag|checksum|alt text|(?:image|thumbnail) label|updated|updatedat|modified|"
    r"(?:image|media|sort|product) (?:position|order)|reviews?|prices?|preis|prix|precio|prezzo|prijs|preco|"
    r"cena|msrp)\b"
    r"|^(?:total sales|units sold|menu order|(?:manage|track) (?:stock|inventory)|"
    r"inventory (?:management|policy|tracking|warning level|tracker)|low stock(?: \w+)?|on sale|is giftcard|"
    r"inventory (?:available|on hand|committed|incoming|unavailable)(?: .*)?|quantity and stock status|"
    r"required options|shipment type|purchasable|is purchasable|requires shipping|"
    r"has options|has variants|virtual|downloadable|discountable|product discountable|comment status|post name|"
    r"is featured|is on backorder|type id|field type|item type|attribute data pa \w+)$"
    r"|\bids?$"
    r"|^(?:meta|position|index|row|version|revision|tax|layout|theme|template|hash|deleted|url handle|canonical)\b$"
)


@lru_cache(maxsize=20_000)
def normal(name: str) -> str:
    """The name as words: case, accents, punctuation, underscores and camel case make no difference."""
    text = unicodedata.normalize("NFKD", _CAMEL.sub(" ", name.replace("\ufeff", "")))
    text = "".join(char for char in text if not unicodedata.combining(char)).casefold()
    text = text if text.isascii() else text.translate(_UNCOMBINED)
    return " ".join(_NOT_WORD.sub(" ", text).split())


_NORMAL_WORDS = frozenset(map(normal, _PRIVATE_WORDS))
_NORMAL_PHRASES = tuple(map(normal, _PRIVATE_PHRASES))
_NORMAL_PARTS = tuple(map(normal, _PRIVATE_PARTS))


def numbered(name: str) -> tuple[str, int] | None:
    """A normal name with its one number taken out: `attribute 2 name` gives `("attribute # name", 2)`."""
    found = _DIGITS.findall(name)
    return (_DIGITS.sub("#", name), int(found[0][:4])) if len(found) == 1 else None


@lru_cache(maxsize=20_000)
def is_private(name: str) -> bool:
    """Whether a column of this name must never be read: cost, supplier, margin, wholesale, notes, people."""
    words = normal(name)
    if words in _PRIVATE_ALONE or _INTERNAL.search(words):
        return True
    if any(f" {phrase} " in f" {words} " for phrase in _NORMAL_PHRASES):
        return True
    if not words.isascii() and any(part in words for part in _NORMAL_PARTS):
        return True
    if _PAPER.search(words):
        return False
    return any(part in _NORMAL_WORDS for part in words.split()) or words.replace(" ", "") in _NORMAL_WORDS


@lru_cache(maxsize=20_000)
def is_ignored(name: str) -> bool:
    """Whether a column is harmless but of no use to a shopper."""
    return bool(_IGNORED.search(normal(name)))


@lru_cache(maxsize=20_000)
def label(name: str) -> str:
    """The name as shown beside its value: `attr_t_product_colour` gives `Product colour`."""
    if found := _METAFIELD.match(name):
        name = found["label"] or found["path"].rsplit(".", 1)[-1]
    text = _PREFIX.sub("", name.strip())
    text = " ".join(_CAMEL.sub(" ", text).replace("_", " ").replace(".", " ").split())
    if text != name.strip():
        text = " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in text.split())
    elif text.isupper() and len(text) > 4:
        text = text.lower()
    return text[:1].upper() + text[1:]
