"""Several records that are variants of one product, made one."""

from __future__ import annotations

from dataclasses import replace

from search_client.feeds.draft import Draft

_USUAL = frozenset(("color", "colour", "size", "material", "pattern", "gender", "age group", "style", "capacity"))
"""What variants usually differ in."""


def merged_group(rows: list[Draft]) -> Draft:
    """Rows of one item group: each a variant with its own price and stock, the product named by what they share."""
    if len(rows) == 1:
        return rows[0]
    first = rows[0]
    parting = differing(rows)
    for row in rows:
        row.options = row.options or [pair for pair in row.attributes if pair[0] in parting]
    shared = set(first.attributes).intersection(*(row.attributes for row in rows[1:]))
    product = Draft(
        first.line,
        id=first.group,
        title=common_title([row.title for row in rows if row.title]),
        description=next((row.description for row in rows if row.description), []),
        brand=first.brand,
        supplier=first.supplier,
        category=first.category,
        currency=first.currency,
        minor=first.minor,
        rating=next((row.rating for row in rows if row.rating is not None), None),
        rating_count=next((row.rating_count for row in rows if row.rating_count is not None), None),
        images=list(dict.fromkeys(image for row in rows for image in row.images)),
        url=first.url,
        attributes=[pair for pair in first.attributes if pair in shared and pair[0] not in parting],
        tags=list(dict.fromkeys(tag for row in rows for tag in row.tags)),
        mpn=first.mpn if len({row.mpn for row in rows}) == 1 else "",
        added_at=first.added_at,
        hidden=first.hidden if all(row.hidden for row in rows) else "",
        variants=[row for row in rows if not row.hidden],
    )
    return product


def merged_family(parent: Draft, children: list[Draft]) -> Draft:
    """A product and the rows that name it as their parent: its words, their prices and stock.

    A parent with options of its own is the first of its variants.
    """
    children = [replace(parent, variants=[]), *children] if parent.options else children
    family = merged_group(children) if len(children) > 1 else replace(children[0], variants=[children[0]])
    parting = differing(children) or {name for name, _ in children[0].attributes}
    for row in children:
        row.options = row.options or [pair for pair in row.attributes if pair[0] in parting]
        row.options = row.options or ([("Variant", row.title)] if row.title not in ("", parent.title) else [])
    offered = any(row.price is not None or row.sale_price is not None for row in children)
    return replace(
        parent,
        description=parent.description or family.description,
        category=parent.category or family.category,
        images=parent.images or family.images,
        brand=parent.brand or family.brand,
        price=None if offered else parent.price,
        sale_price=None if offered else parent.sale_price,
        list_price=None if offered else parent.list_price,
        quantity=None,
        sku="" if parent.options else parent.sku,
        gtin="" if parent.options else parent.gtin,
        options=[],
        variants=[row for row in children if not row.hidden],
    )


def kindred(rows: list[Draft]) -> tuple[list[Draft], list[Draft]]:
    """Of records with one id those that are its variants, and those that merely repeat the id.

    A variant has the first record's title, or none, and a SKU, barcode or choice that no record before it has.
    """
    first, kin, strangers = rows[0], [rows[0]], []
    seen = {_mark(first)}
    for row in rows[1:]:
        mark = _mark(row)
        if row.title in ("", first.title) and mark not in seen and any(mark):
            kin.append(row)
        else:
            strangers.append(row)
        seen.add(mark)
    return kin, strangers


def _mark(row: Draft) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    chosen = [pair for pair in row.attributes if pair[0].casefold() in _USUAL]
    return row.sku, row.gtin, (*row.options, *chosen)


def differing(rows: list[Draft]) -> set[str]:
    """Names of attributes whose values part the rows: what a shopper chooses by."""
    names = {name for row in rows for name, _ in row.attributes}
    values = {name: {dict(row.attributes).get(name) for row in rows} for name in names}
    parting = {name for name, found in values.items() if len(found) > 1}
    return {name for name in parting if name.casefold() in _USUAL} or parting


def common_title(titles: list[str]) -> str:
    """What all titles begin with, cut at a word, without a dangling sign; the first where that is next to nothing."""
    first = titles[0] if titles else ""
    if all(title == first for title in titles):
        return first
    words = first.split()
    for title in titles[1:]:
        other = title.split()
        same = 0
        while same < min(len(words), len(other)) and words[same] == other[same]:
            same += 1
        words = words[:same]
    common = " ".join(words).rstrip(" -–—,/|(:")
    return common if len(common) >= 3 and 3 * len(common) >= len(first) else first
