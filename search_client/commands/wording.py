"""What the commands print: records and counts as lines of text, never anything the catalog does not say."""

from __future__ import annotations

from collections.abc import Iterator

from search_client.models import Availability, FacetValue, Product, SearchResults, Vocabulary
from search_client.store.catalog_store import CatalogState

_STOCK = {
    Availability.IN_STOCK: "in stock",
    Availability.OUT_OF_STOCK: "sold out",
    Availability.PREORDER: "preorder",
    Availability.BACKORDER: "backorder",
}
_SHOWN_VALUES = 8


def product_line(product: Product) -> str:
    """One product on one line: `Dry Fit Shirt (ID: p1), 25.00 USD, 4.5/5 (120), in stock`."""
    parts = [f"{product.title} (ID: {product.id})"]
    if product.price is not None:
        parts.append(f"{product.price}, was {product.list_price}" if product.on_sale else str(product.price))
    if product.rating is not None:
        parts.append(f"{product.rating:g}/5" + (f" ({product.rating_count})" if product.rating_count else ""))
    parts += [_STOCK[product.availability]] if product.availability in _STOCK else []
    return ", ".join(parts)


def result_lines(results: SearchResults) -> Iterator[str]:
    """The answer to a search as a person reads it."""
    for correction in results.corrections:
        yield f"Searched for {correction.used!r} instead of {correction.typed!r}."
    for unknown in results.unknown:
        near = f" Near: {', '.join(unknown.nearest)}." if unknown.nearest else ""
        yield f"This catalog has no {unknown.value!r} among its {unknown.field}.{near}"
    if results.stale:
        yield "The catalog's database does not answer; this is what was indexed last."
    if not results.hits:
        yield "Nothing found." if not results.total else f"No more than {results.total:,} products."
    elif results.relaxed:
        yield "No product has all the words; these have most of them."
    for relaxation in results.relaxations:
        yield f"Without {relaxation.field} {relaxation.value!r} there are {relaxation.total:,}."
    for number, hit in enumerate(results.hits, results.query.offset + 1):
        yield f"{number}. {product_line(hit.product)}"
    if results.total > len(results.hits) > 0:
        yield f"{results.total:,} products in all."


def vocabulary_lines(vocabulary: Vocabulary) -> Iterator[str]:
    """What the catalog talks about."""
    yield f"Products: {vocabulary.product_count:,}, prices in {vocabulary.currency or 'no currency'}"
    for title, values in (
        ("Categories", vocabulary.categories),
        ("Brands", vocabulary.brands),
        ("Colors", vocabulary.colors),
        ("Sizes", vocabulary.sizes),
    ):
        if values:
            yield f"{title}: {_counted(values)}"
    for facet in vocabulary.attributes[:_SHOWN_VALUES]:
        yield f"{facet.name}: {_counted(facet.values)}"


def state_lines(state: CatalogState) -> Iterator[str]:
    yield f"Revision: {state.revision:,}" + (f", filled with the {state.origin} products" if state.origin else "")


def _counted(values: tuple[FacetValue, ...]) -> str:
    more = f", and {len(values) - _SHOWN_VALUES:,} more" if len(values) > _SHOWN_VALUES else ""
    return ", ".join(f"{each.value} ({each.count:,})" for each in values[:_SHOWN_VALUES]) + more
