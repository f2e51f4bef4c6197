"""The cart as it stands today: prices read again, totals in minor units, and what changed since a line was added."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from search_client.models import Money, Product
from web.rendering.cards import Price, Stock, image_of, price_of, stock_of
from web.rendering.variants import chosen_variant, variant_name, with_variant
from web.store.cart import MAX_QUANTITY, CartLine
from web.strings import Strings


@dataclass(frozen=True, slots=True)
class LineView:
    """One line."""

    line: CartLine
    title: str
    options: str
    product: Product | None
    """With the chosen variant's price and stock; None: no longer in the shop."""
    image: str | None
    price: Price | None
    stock: Stock
    total: Money | None
    """None: cannot be bought now, so it does not count."""
    changes: tuple[str, ...] = ()

    @property
    def price_now(self) -> Money | None:
        """What the shopper accepts by changing the line."""
        return self.product.price if self.product else None


@dataclass(frozen=True, slots=True)
class CartView:
    """All lines and what they cost."""

    lines: tuple[LineView, ...]
    totals: tuple[str, ...]
    """One a currency, as amounts in words."""
    checkout_url: str | None
    """None: the shop has none, or nothing can be bought."""
    max_quantity: int = MAX_QUANTITY


def cart_view(
    lines: Iterable[CartLine], read: Callable[[str], Product | None], t: Strings, *, checkout_url: str
) -> CartView:
    """The lines with today's facts; `read` gives the record of an id, None where it is gone."""
    views = tuple(_line(line, read(line.product_id), t) for line in lines)
    return CartView(views, tuple(t.money(total) for total in totals(views)), checkout_link(views, checkout_url))


def _line(line: CartLine, product: Product | None, t: Strings) -> LineView:
    variant = chosen_variant(product, line.variant_id) if product else None
    if product is None or (line.variant_id and variant is None):
        gone = Stock(t("changed.gone"), "bad")
        return LineView(line, line.title, "", None, None, None, gone, None)
    chosen = with_variant(product, variant)
    buyable = chosen.price is not None and chosen.availability.buyable
    return LineView(
        line=line,
        title=product.title,
        options=variant_name(variant),
        product=chosen,
        image=image_of(chosen),
        price=price_of(chosen, t),
        stock=stock_of(chosen.availability, chosen.quantity, t),
        total=Money(chosen.price.amount_minor * line.quantity, chosen.price.currency)
        if buyable and chosen.price
        else None,
        changes=tuple(_changes(line, chosen, t)),
    )


def _changes(line: CartLine, product: Product, t: Strings) -> Iterable[str]:
    if line.price is not None and product.price is not None and line.price != product.price:
        yield t("cart.price_changed", before=t.money(line.price), now=t.money(product.price))
    if product.quantity is not None and 0 < product.quantity < line.quantity:
        yield t("cart.fewer", count=product.quantity)


def totals(lines: Sequence[LineView]) -> list[Money]:
    """The sum of what can be bought, one a currency, exact."""
    sums: dict[str, int] = {}
    for line in lines:
        if line.total is not None:
            sums[line.total.currency] = sums.get(line.total.currency, 0) + line.total.amount_minor
    return [Money(amount, currency) for currency, amount in sums.items()]


def checkout_link(lines: Sequence[LineView], url: str) -> str | None:
    """The shop's checkout with what can be bought: `{items}` becomes `VARIANT:QUANTITY,…`."""
    items = ",".join(
        f"{quote(line.line.variant_id or line.line.product_id, safe='')}:{line.line.quantity}"
        for line in lines
        if line.total is not None
    )
    return url.replace("{items}", items) if url and items else None
