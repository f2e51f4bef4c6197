"""Catalog records as a client gets them: the facts word for word, every text bounded. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from search_client.codec import JsonObject
from search_client.models import Availability, Product, Variant

MAX_TITLE_CHARS = 200
MAX_SUMMARY_CHARS = 160
MAX_VALUE_CHARS = 300
MAX_URL_CHARS = 1_000
MAX_DESCRIPTION_CHARS = 4_000
MAX_VARIANTS = 25
MAX_BYTES = 16_000
"""Of one list within an answer: answers stay under some tens of kilobytes, which every client takes."""
FENCE = ("<catalog_data>", "</catalog_data>")
_IN_WORDS = {
    Availability.IN_STOCK: "in stock",
    Availability.OUT_OF_STOCK: "out of stock",
    Availability.PREORDER: "for pre-order",
    Availability.BACKORDER: "on back-order",
    Availability.UNKNOWN: "stock not stated",
}


def one_line(text: str, *, max_chars: int) -> str:
    """Without line breaks, cut at a word with `…`."""
    line = " ".join(text[: 4 * max_chars].split())
    return line if len(line) <= max_chars else (line[:max_chars].rsplit(" ", 1)[0] or line[:max_chars]) + "…"


def card(product: Product) -> JsonObject:
    """The facts a list needs; what the shop does not state is left out."""
    facts: JsonObject = {
        "id": product.id,
        "title": one_line(product.title, max_chars=MAX_TITLE_CHARS),
        "price": str(product.price) if product.price else None,
        "list_price": str(product.list_price) if product.on_sale else None,
        "availability": product.availability.value,
        "rating": product.rating,
        "rating_count": product.rating_count,
        "brand": one_line(product.brand or "", max_chars=MAX_TITLE_CHARS),
        "category": one_line(" > ".join(product.category), max_chars=MAX_TITLE_CHARS),
        "url": _link(product.url),
        "image": _link(product.images[0] if product.images else None),
        "summary": one_line(product.description, max_chars=MAX_SUMMARY_CHARS),
    }
    return {name: value for name, value in facts.items() if value not in (None, "")}


def _link(url: str | None) -> str | None:
    return url if url and url.startswith(("https://", "http://")) and len(url) <= MAX_URL_CHARS else None


def line(product: Product) -> str:
    """One product as text: `Name (ID: p1) — 19.99 USD, rated 4.5 of 5, in stock — https://…`."""
    facts = [str(product.price) if product.price else "price not stated"]
    if product.rating is not None:
        facts.append(f"rated {product.rating:g} of 5")
    facts.append(_IN_WORDS[product.availability])
    title = one_line(product.title, max_chars=MAX_TITLE_CHARS)
    return " — ".join(filter(None, (f"{title} (ID: {product.id})", ", ".join(facts), _link(product.url))))


def fenced(lines: Iterable[str]) -> str:
    """Merchants' text marked as data; it cannot close the fence itself."""
    inside = "\n".join(lines).replace("<", "‹").replace(">", "›")
    return "\n".join([FENCE[0], inside, FENCE[1]])


def fitting(items: Iterable[JsonObject]) -> list[JsonObject]:
    """The first items that fit into `MAX_BYTES` as JSON, at least one."""
    kept: list[JsonObject] = []
    size = 0
    for item in items:
        size += len(json.dumps(item, ensure_ascii=False).encode())
        if kept and size > MAX_BYTES:
            break
        kept.append(item)
    return kept


def full(product: Product, *, description_from: int, variants_from: int) -> JsonObject:
    """All that is stated; the description and the variants from the given places on."""
    record = {name: value for name, value in card(product).items() if name != "summary"}
    rest = product.description[description_from:]
    record["description"] = rest[:MAX_DESCRIPTION_CHARS]
    if len(rest) > MAX_DESCRIPTION_CHARS:
        record["next_description"] = description_from + MAX_DESCRIPTION_CHARS
    record["attributes"] = fitting(_pairs(product.attributes))
    record["options"] = fitting(_pairs((name, ", ".join(values)) for name, values in product.options))
    if product.variants:
        shown = product.variants[variants_from : variants_from + MAX_VARIANTS]
        record["variants"] = [_variant(each) for each in shown]
        record["variant_count"] = len(product.variants)
        if variants_from + len(shown) < len(product.variants):
            record["next_variant"] = variants_from + len(shown)
    return record


def _pairs(pairs: Iterable[tuple[str, str]]) -> Iterator[JsonObject]:
    for name, value in pairs:
        yield {
            "name": one_line(name, max_chars=MAX_TITLE_CHARS),
            "value": one_line(value, max_chars=MAX_VALUE_CHARS),
        }


def _variant(variant: Variant) -> JsonObject:
    facts: JsonObject = {
        "id": variant.id,
        "options": one_line(
            ", ".join(f"{name}: {value}" for name, value in variant.options), max_chars=MAX_VALUE_CHARS
        ),
        "price": str(variant.price) if variant.price else None,
        "availability": variant.availability.value,
        "quantity": variant.quantity,
        "sku": one_line(variant.sku or "", max_chars=MAX_TITLE_CHARS),
    }
    return {name: value for name, value in facts.items() if value not in (None, "")}


def full_lines(product: Product, record: JsonObject) -> list[str]:
    """The same as text."""
    pairs = (*_named(record["attributes"]), *_named(record["options"]))
    lines = [line(product), str(record["description"]), *pairs]
    variants = record.get("variants")
    if isinstance(variants, list):
        lines += [", ".join(f"{name}: {value}" for name, value in variant.items()) for variant in variants]
    return [each for each in lines if each]


def _named(pairs: object) -> Sequence[str]:
    return [f"{pair['name']}: {pair['value']}" for pair in pairs] if isinstance(pairs, list) else []
