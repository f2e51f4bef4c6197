"""Products side by side: one row a fact, differences marked, and what the shop does not state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from search_client.models import Product
from shopping_agent.results import ComparisonRow, ProductsCompared
from web.rendering.cards import Card, ShownCard, card, price_of, stock_of
from web.strings import Strings

_TOLD_BY_US = {"Price", "Rating", "Availability", "Stock"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """A table: `cards` are its columns."""

    kind: ClassVar[str] = "comparison"

    cards: tuple[Card, ...]
    rows: tuple[ComparisonRow, ...]
    aspect: str | None = None


def comparison(result: ProductsCompared, shown: Sequence[ShownCard], t: Strings) -> Comparison:
    """The table of a comparison, prices, ratings and stock in the shopper's language."""
    before = {each.id: each for each in shown}
    products = result.products
    own = [
        ComparisonRow(t("row.price"), tuple(_price(product, t) for product in products)),
        ComparisonRow(t("row.rating"), tuple(_rating(product, t) for product in products)),
        ComparisonRow(t("row.stock"), tuple(stock_of(p.availability, p.quantity, t).text for p in products)),
    ]
    rest = [row for row in result.rows if row.name not in _TOLD_BY_US]
    return Comparison(
        cards=tuple(
            card(product, before.get(product.id) or ShownCard.of(product), position=position, t=t)
            for position, product in enumerate(products, start=1)
        ),
        rows=tuple(row for row in [*own, *rest] if any(row.values)),
        aspect=result.aspect,
    )


def _price(product: Product, t: Strings) -> str | None:
    price = price_of(product, t)
    return price.text if price else None


def _rating(product: Product, t: Strings) -> str | None:
    if product.rating is None:
        return None
    return t("rating.text", rating=product.rating, count=product.rating_count or 0)
