"""A product as a card: picture, name, price, rating, stock, what matched, what changed since it was shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict

from search_client.models import Availability, Hit, MatchReason, Money, Product
from web.strings import Strings

MAX_FACTS = 4
_SHOWN_ANYWAY = {"Price", "Rating", "Availability", "On sale"}  # every card tells them, in the shopper's own words


class ShownCard(BaseModel):
    """What a card said when it was shown: kept with the turn, compared when it is shown again."""

    model_config = ConfigDict(frozen=True)

    id: str
    title: str = ""
    price_minor: int | None = None
    currency: str | None = None
    buyable: bool = True
    words: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()

    @classmethod
    def of(cls, product: Product, why: MatchReason | None = None) -> ShownCard:
        """The card of a product as it is now."""
        why = why or MatchReason()
        return cls(
            id=product.id,
            title=product.title,
            price_minor=product.price.amount_minor if product.price else None,
            currency=product.price.currency if product.price else None,
            buyable=product.availability.buyable,
            words=why.words,
            missing=why.missing,
            facts=tuple(fact for fact in why.filters if fact.partition(":")[0] not in _SHOWN_ANYWAY)[:MAX_FACTS],
        )

    @property
    def price(self) -> Money | None:
        """The price as shown."""
        if self.price_minor is None or self.currency is None:
            return None
        return Money(self.price_minor, self.currency)


@dataclass(frozen=True, slots=True)
class Stock:
    """Whether it can be bought, in words."""

    text: str
    tone: str
    """`good`, `warn`, `bad` or `none`."""


@dataclass(frozen=True, slots=True)
class Price:
    """A price as shown, the one before a reduction if there is one."""

    text: str
    before: str | None = None
    percent_off: int | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """All that a card says."""

    id: str
    title: str
    position: int
    """As the shopper counts: “the second one”; 0: in a list that nobody counts."""
    product: Product | None
    """None: no longer in the shop."""
    image: str | None = None
    price: Price | None = None
    stock: Stock = field(default_factory=lambda: Stock("", "none"))
    facts: tuple[str, ...] = ()
    why: str = ""
    changes: tuple[str, ...] = ()

    @property
    def has_variants(self) -> bool:
        """Whether something must be chosen before it can be bought."""
        return self.product is not None and len(self.product.variants) > 1


def image_of(product: Product) -> str | None:
    """The main picture if its address is one that a page may load."""
    return next((image for image in product.images if is_picture(image)), None)


def is_picture(address: str) -> bool:
    """Whether an address is http(s) or a path of this site."""
    scheme = urlsplit(address).scheme.lower() if ":" in address.split("/")[0] else ""
    return bool(address) and (scheme in ("http", "https") or not scheme)


def price_of(product: Product, t: Strings) -> Price | None:
    """The product's price in words; None where the shop states none."""
    if product.price is None:
        return None
    if not product.on_sale or product.list_price is None:
        return Price(t.money(product.price))
    percent = round(100 - 100 * product.price.amount_minor / product.list_price.amount_minor)
    return Price(t.money(product.price), t.money(product.list_price), percent or None)


LOW_STOCK = 5


def stock_of(availability: Availability, quantity: int | None, t: Strings) -> Stock:
    """Availability in words."""
    if availability is Availability.IN_STOCK and quantity is not None and 0 < quantity <= LOW_STOCK:
        return Stock(t("stock.low", count=quantity), "warn")
    tone = {
        Availability.IN_STOCK: "good",
        Availability.OUT_OF_STOCK: "bad",
        Availability.PREORDER: "warn",
        Availability.BACKORDER: "warn",
        Availability.UNKNOWN: "none",
    }[availability]
    return Stock(t(f"stock.{availability.value}"), tone)


def changes_of(product: Product, shown: ShownCard, t: Strings) -> tuple[str, ...]:
    """What is no longer as it was shown, in words."""
    changes = []
    before = shown.price
    if before is not None and product.price is not None and before != product.price:
        lower = before.currency == product.price.currency and product.price < before
        changes.append(t("changed.lower" if lower else "changed.price", before=t.money(before)))
    if shown.buyable and not product.availability.buyable:
        changes.append(t("changed.sold_out"))
    if not shown.buyable and product.availability.buyable:
        changes.append(t("changed.back"))
    return tuple(changes)


def why_of(shown: ShownCard, t: Strings) -> str:
    """Why this product is shown, in one line; empty where nothing was asked for."""
    if not shown.words:
        return ""
    if shown.missing:
        return t("why.partly", words=", ".join(shown.words), missing=", ".join(shown.missing))
    return t("why.all", words=", ".join(shown.words))


def card(product: Product | None, shown: ShownCard, *, position: int, t: Strings) -> Card:
    """The card of what was shown, with today's facts."""
    if product is None:
        return Card(shown.id, shown.title or shown.id, position, None, changes=(t("changed.gone"),))
    return Card(
        id=product.id,
        title=product.title,
        position=position,
        product=product,
        image=image_of(product),
        price=price_of(product, t),
        stock=stock_of(product.availability, product.quantity, t),
        facts=shown.facts,
        why=why_of(shown, t),
        changes=changes_of(product, shown, t),
    )


def cards_of(hits: tuple[Hit, ...], t: Strings) -> tuple[Card, ...]:
    """Cards of hits as they are now."""
    return tuple(
        card(hit.product, ShownCard.of(hit.product), position=position, t=t)
        for position, hit in enumerate(hits, start=1)
    )
