"""WooCommerce product CSV, with its headers in eight languages: variations name their parent by SKU or id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from search_client.feeds.columns import Binder, Columns, Fields, as_text
from search_client.feeds.draft import Draft, Record
from search_client.feeds.names import is_private, label, normal
from search_client.feeds.words import availability, yes

COLUMNS: Columns = {
    "id": ("ID",),
    "type": ("Type", "Typ", "Tipo", "Rodzaj", "Тип"),
    "sku": ("SKU", "Artikelnummer", "UGS", "COD", "Artikelnr", "REF", "Sku", "Артикул"),
    "gtin": (
        "GTIN, UPC, EAN, or ISBN",
        "GTIN, UPC, EAN oder ISBN",
        "GTIN, UPC, EAN o ISBN",
        "GTIN, UPC, EAN ou ISBN",
        "GTIN, UPC, EAN of ISBN",
        "Meta: _ts_gtin",
        "Meta: _alg_ean",
        "Meta: _global_unique_id",
    ),
    "title": ("Name", "Nombre", "Nom", "Nome", "Naam", "Nazwa", "Имя", "Namn"),
    "published": (
        "Published",
        "Veröffentlicht",
        "Publicado",
        "Publié",
        "Pubblicato",
        "Gepubliceerd",
        "Opublikowano",
        "Опубликован",
        "Publicerad",
    ),
    "visibility": (
        "Visibility in catalog",
        "Sichtbarkeit im Katalog",
        "Visibilidad en el catálogo",
        "Visibilité dans le catalogue",
        "Visibilità nel catalogo",
        "Zichtbaarheid in catalogus",
        "Visibilidade no catálogo",
        "Widoczność w katalogu",
        "Видимость в каталоге",
    ),
    "short_description": (
        "Short description",
        "Kurzbeschreibung",
        "Descripción corta",
        "Description courte",
        "Breve descrizione",
        "Korte beschrijving",
        "Descrição curta",
        "Krótki opis",
        "Краткое описание",
    ),
    "description": (
        "Description",
        "Beschreibung",
        "Descripción",
        "Descrizione",
        "Beschrijving",
        "Descrição",
        "Opis",
        "Описание",
    ),
    "sale_begins": (
        "Date sale price starts",
        "Datum, an dem Angebotspreis beginnt",
        "Día en que empieza el precio rebajado",
        "Date de début de promo",
        "Data di inizio del prezzo in saldo",
        "Startdatum actieprijs",
        "Data de início do preço promocional",
    ),
    "sale_ends": (
        "Date sale price ends",
        "Datum, an dem Angebotspreis endet",
        "Día en que termina el precio rebajado",
        "Date de fin de promo",
        "Data di fine del prezzo in saldo",
        "Einddatum actieprijs",
        "Data de fim do preço promocional",
    ),
    "in_stock": (
        "In stock?",
        "Vorrätig?",
        "¿Existencias?",
        "¿En inventario?",
        "En stock ?",
        "In stock",
        "Op voorraad?",
        "Em estoque?",
        "Em stock?",
        "W magazynie?",
        "В наличии?",
    ),
    "quantity": (
        "Stock",
        "Lager",
        "Lagerbestand",
        "Inventario",
        "Magazzino",
        "Voorraad",
        "Estoque",
        "Stan magazynowy",
        "Запасы",
    ),
    "backorders": (
        "Backorders allowed?",
        "Lieferrückstände erlaubt?",
        "Lieferrückstande erlaubt?",
        "¿Permitir reservas de productos agotados?",
        "Autoriser les commandes de produits en rupture ?",
        "Abilita gli ordini arretrati?",
        "Nabestellingen toestaan?",
        "São permitidas encomendas?",
    ),
    "sale_price": (
        "Sale price",
        "Angebotspreis",
        "Precio rebajado",
        "Tarif promo",
        "Prezzo in offerta",
        "Actieprijs",
        "Preço promocional",
        "Cena promocyjna",
        "Акционная цена",
    ),
    "price": (
        "Regular price",
        "Regulärer Preis",
        "Precio normal",
        "Tarif régulier",
        "Prezzo di listino",
        "Reguliere prijs",
        "Preço normal",
        "Preço",
        "Cena regularna",
        "Базовая цена",
    ),
    "category": (
        "Categories",
        "Kategorien",
        "Categorías",
        "Catégories",
        "Categorie",
        "Categorieën",
        "Categorias",
        "Kategorie",
        "Категории",
    ),
    "tags": ("Tags", "Schlagwörter", "Etiquetas", "Étiquettes", "Tag", "Tagi", "Метки"),
    "brand": ("Brands", "Brand", "Marken", "Marke", "Marcas", "Marca", "Marques", "Marque", "Merken", "Merk", "Marki"),
    "images": ("Images", "Bilder", "Imágenes", "Immagini", "Afbeeldingen", "Imagens", "Obrazki", "Изображения"),
    "parent": (
        "Parent",
        "Übergeordnetes Produkt",
        "Superior",
        "Principal",
        "Genitore",
        "Hoofd",
        "Ascendente",
        "Nadrzędny",
        "Родительский",
    ),
    "url": ("External URL", "Externe URL", "URL externa", "URL externe", "URL esterno"),
    "attribute_name": (
        "Attribute # name",
        "Attribut # Name",
        "Nombre del atributo #",
        "Nom de l’attribut #",
        "Nom de l'attribut #",
        "Nome dell'attributo #",
        "Nome do atributo #",
        "Naam eigenschap #",
        "Nazwa atrybutu #",
        "Название атрибута #",
    ),
    "attribute_value": (
        "Attribute # value(s)",
        "Attribute # values",
        "Attribut # Wert(e)",
        "Valor(es) del atributo #",
        "Valeur(s) de l’attribut #",
        "Valeur(s) de l'attribut #",
        "Valore(i) dell'attributo #",
        "Valor(es) do atributo #",
        "Waarde(n) eigenschap #",
        "Wartość atrybutu #",
        "Значения атрибутов #",
    ),
    "attribute_visible": (
        "Attribute # visible",
        "Attribut # Sichtbar",
        "Atributo visible #",
        "Attribut # visible",
        "Attributo # visibile",
        "Atributo # visível",
        "Eigenschap # zichtbaar",
        "Visibilidad del atributo #",
    ),
    "position": ("Position", "Posición", "Posizione", "Positie", "Posição"),
}
_SHOWN = frozenset(("visible", "catalog", "search", ""))
_MEASURE = re.compile(r"\((?:mm|cm|m|in|yd|kg|g|lbs|oz)\)$")
_UNESCAPED_COMMA = re.compile(r"(?<!\\),\s*")
_MAX_ATTRIBUTES = 60
_FORMULA = ("'=", "'+", "'-", "'@")


class WooCommerceFormat:
    """Parents claim the variations that name them, wherever in the file those are."""

    name = "woocommerce"
    keeps_unknown = False

    def __init__(self, binder: Binder, now: datetime) -> None:
        self._binder = binder

    def drafts(self, record: Record) -> Iterable[Draft]:
        fields = self._binder.bind(record)
        kinds = {kind.strip().lower() for kind in fields.text("type").split(",")}
        number, sku = fields.text("id"), fields.text("sku")
        draft = Draft(record.line, id=number or sku, sku=sku, title=_text(fields, "title"))
        draft.description = [text for name in ("short_description", "description") if (text := _text(fields, name))]
        draft.category, other = _categories(_text(fields, "category"))
        draft.tags = [*other, *_listed(_text(fields, "tags"))]
        draft.brand = next(iter(_listed(fields.text("brand"))), "").rpartition(">")[2].strip()
        draft.images = fields.texts("images")
        draft.price, draft.sale_price = fields.raw("price"), fields.raw("sale_price")
        draft.sale_dates = (fields.text("sale_begins"), fields.text("sale_ends"))
        draft.gtin, draft.url = fields.text("gtin"), fields.text("url")
        _fill_stock(draft, fields)
        draft.hidden = _hidden(fields)
        pairs = list(_attributes(fields))
        if "variation" in kinds:
            draft.child_of = _reference(fields.text("parent")) or f"\0{record.line}"
            draft.options = [(name, values[0]) for name, values, _ in pairs if values]
        else:
            draft.attributes = [(name, value) for name, values, visible in pairs if visible for value in values]
            if kinds & {"variable", "variable-subscription"}:
                draft.option_values = [(name, values) for name, values, _ in pairs if values]
                draft.claims = [ref for ref in (_reference(sku), f"id:{number}" if number else "", number) if ref]
        draft.attributes += _measures(fields)
        if fields.missing & {"title", "price", "type"}:
            draft.invalid = "the row has fewer fields than the header"
        elif not draft.id:
            draft.invalid = "no id"
        return (draft,)

    def merge(self, rows: list[Draft]) -> Draft:
        product = rows[0]
        if product.child_of:  # its parent is not in the file
            return _alone(product)
        shown = [row for row in rows[1:] if not row.hidden]
        chosen = {normal(name) for row in shown for name, _ in row.options}
        product.option_values = [(name, values) for name, values in product.option_values if normal(name) in chosen]
        product.attributes = [(name, value) for name, value in product.attributes if normal(name) not in chosen]
        product.variants = shown
        if any(row.price is not None for row in shown):
            product.price = product.sale_price = None
        return product


def _alone(row: Draft) -> Draft:
    if row.title:
        row.repairs.append(("a variation without its parent became a product", row.child_of.strip("\0")))
        row.attributes = [*row.options, *row.attributes]
        row.options = []
    else:
        row.invalid = "a variation without its parent"
    return row


def _text(fields: Fields, name: str) -> str:
    """A cell as WooCommerce meant it: it writes an apostrophe before what a spreadsheet would take for a formula."""
    text = fields.text(name)
    return text[1:] if text.startswith(_FORMULA) else text


def _reference(text: str) -> str:
    return text.strip().casefold() if not text.lower().startswith("id:") else "id:" + text[3:].strip()


def _measures(fields: Fields) -> Iterator[tuple[str, str]]:
    """Weight and size, whose columns carry their unit; other unknown columns are plugins' own business."""
    for name, value in fields.extras:
        text = as_text(value)
        if _MEASURE.search(name) and text.strip("0.,"):
            yield label(name), f"0{text}" if text.startswith((".", ",")) else text


def _listed(text: str) -> list[str]:
    """Entries parted by commas; a comma within one is escaped with a backslash."""
    return [part.replace("\\,", ",").strip() for part in _UNESCAPED_COMMA.split(text) if part.strip()]


def _categories(text: str) -> tuple[list[str], list[str]]:
    """The deepest path, and the leaves of the others."""
    paths = _listed(text)
    if not paths:
        return [], []
    deepest = max(paths, key=lambda path: path.count(">"))
    others = [path.rpartition(">")[2].strip() for path in paths if path != deepest]
    return [deepest], [name for name in others if name not in deepest]


def _fill_stock(draft: Draft, fields: Fields) -> None:
    word, allowed = fields.text("in_stock"), fields.text("backorders").lower()
    draft.quantity = fields.raw("quantity")
    draft.backorder = allowed in ("1", "notify", "yes", "ja", "sí", "oui")
    if availability(word) is None and word:
        draft.availability = word
    elif word:
        draft.availability = word if word not in ("0", "1") else ("in stock" if word == "1" else "out of stock")


def _hidden(fields: Fields) -> str:
    published = fields.text("published")
    if published == "-1":
        return "draft"
    if published and not yes(published, default=True):
        return "not published"
    visibility = fields.text("visibility").lower()
    return "" if visibility in _SHOWN else f"visibility {visibility[:20]}"


def _attributes(fields: Fields) -> Iterator[tuple[str, list[str], bool]]:
    for number in range(1, _MAX_ATTRIBUTES + 1):
        name = _text(fields, f"attribute_name{number}")
        if not name:
            continue
        visible = yes(fields.text(f"attribute_visible{number}"), default=True)
        if not is_private(name):
            yield label(name.removeprefix("pa_")), _listed(_text(fields, f"attribute_value{number}")), visible
