"""Carts and saved products. Lines change only here, and only a shopper's own click leads here."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Engine,
    Float,
    Integer,
    String,
    Table,
    Text,
    bindparam,
    delete,
    func,
    insert,
    null,
    select,
    union_all,
    update,
)

from search_client.models import Money
from web.store.engine import queue, read, reading
from web.store.schema import metadata

MAX_QUANTITY = 99
MAX_LINES = 100
MAX_SAVED = 200
_KEPT_KEYS_S = 24 * 3600.0  # a form older than that is not sent twice by accident

cart_lines = Table(
    "cart_lines",
    metadata,
    Column("owner", String(64), primary_key=True),
    Column("product_id", Text, primary_key=True),
    Column("variant_id", Text, primary_key=True),  # empty: the product has no variants
    Column("quantity", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("price_minor", BigInteger),
    Column("currency", String(3)),
    Column("added_at", Float, nullable=False),
)

cart_keys = Table(
    "cart_keys",
    metadata,
    Column("owner", String(64), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("used_at", Float, nullable=False),
)

saved_products = Table(
    "saved_products",
    metadata,
    Column("owner", String(64), primary_key=True),
    Column("product_id", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("price_minor", BigInteger),
    Column("currency", String(3)),
    Column("saved_at", Float, nullable=False),
)


@dataclass(frozen=True, slots=True)
class CartLine:
    """What a shopper put in, with name and price as they were shown then."""

    product_id: str
    variant_id: str
    """Empty: the product has no variants."""
    quantity: int
    title: str
    price: Money | None = None


@dataclass(frozen=True, slots=True)
class SavedProduct:
    """What a shopper saved for later, as it was shown then."""

    product_id: str
    title: str
    price: Money | None = None


@dataclass(frozen=True, slots=True)
class CartGlance:
    """What every page shows."""

    pieces: int
    """How many lie in the cart."""
    saved: frozenset[str]
    """Ids of the saved products."""


_GLANCE = union_all(  # built once: see `statements`
    select(null().label("product_id"), func.sum(cart_lines.c.quantity).label("pieces")).where(
        cart_lines.c.owner == bindparam("owner")
    ),
    select(saved_products.c.product_id, null()).where(saved_products.c.owner == bindparam("owner")),
)


def _money(amount_minor: int | None, currency: str | None) -> Money | None:
    return Money(amount_minor, currency) if amount_minor is not None and currency else None


class CartStore:
    """Carts and saved products by owner, on a migrated database. Thread-safe; a write is durable when it returns."""

    def __init__(self, engine: Engine, *, clock: Callable[[], float] = time.time) -> None:
        self._engine = engine
        self._clock = clock

    def lines(self, owner: str) -> tuple[CartLine, ...]:
        """All lines in the order they were added."""
        query = select(cart_lines).where(cart_lines.c.owner == owner)
        with reading(self._engine) as db:
            rows = db.execute(query.order_by(cart_lines.c.added_at, cart_lines.c.product_id)).all()
        return tuple(
            CartLine(r.product_id, r.variant_id, r.quantity, r.title, _money(r.price_minor, r.currency)) for r in rows
        )

    def count(self, owner: str) -> int:
        """How many pieces lie in the cart."""
        return self.glance(owner).pieces

    def glance(self, owner: str) -> CartGlance:
        """What every page shows of cart and saved products."""
        rows = read(self._engine, _GLANCE, owner=owner)
        pieces = next((row.pieces for row in rows if row.product_id is None), None)
        return CartGlance(int(pieces or 0), frozenset(row.product_id for row in rows if row.product_id is not None))

    def add(self, owner: str, line: CartLine, *, key: str) -> bool:
        """Add to the line of the same product and variant. False: this `key` was used before, or the cart is full."""
        with self._engine.begin() as db:
            queue(db, owner)
            if not self._first_use(db, owner, key):
                return False
            where = self._where(owner, line.product_id, line.variant_id)
            have = db.scalar(select(cart_lines.c.quantity).where(*where))
            shown = {
                "quantity": min(line.quantity + (have or 0), MAX_QUANTITY),
                "title": line.title,
                "price_minor": line.price.amount_minor if line.price else None,
                "currency": line.price.currency if line.price else None,
            }
            if have is not None:
                db.execute(update(cart_lines).where(*where).values(shown))
                return True
            if (
                db.scalar(select(func.count()).select_from(cart_lines).where(cart_lines.c.owner == owner)) or 0
            ) >= MAX_LINES:
                return False
            ids = {"owner": owner, "product_id": line.product_id, "variant_id": line.variant_id}
            db.execute(insert(cart_lines).values({**ids, **shown, "added_at": self._clock()}))
            return True

    def change(self, owner: str, product_id: str, variant_id: str, *, quantity: int, price: Money | None) -> None:
        """Set a line's quantity (0 removes it) and the price that the shopper has now seen."""
        where = self._where(owner, product_id, variant_id)
        with self._engine.begin() as db:
            if quantity <= 0:
                db.execute(delete(cart_lines).where(*where))
                return
            seen = {} if price is None else {"price_minor": price.amount_minor, "currency": price.currency}
            db.execute(update(cart_lines).where(*where).values(quantity=min(quantity, MAX_QUANTITY), **seen))

    def saved(self, owner: str) -> dict[str, SavedProduct]:
        """Saved products by id, latest first."""
        query = select(saved_products).where(saved_products.c.owner == owner)
        with reading(self._engine) as db:
            rows = db.execute(query.order_by(saved_products.c.saved_at.desc(), saved_products.c.product_id)).all()
        return {r.product_id: SavedProduct(r.product_id, r.title, _money(r.price_minor, r.currency)) for r in rows}

    def save(self, owner: str, product: SavedProduct) -> None:
        """Keep a product for later; once, however often it is saved, and at most `MAX_SAVED` of them."""
        mine = saved_products.c.owner == owner
        with self._engine.begin() as db:
            queue(db, owner)
            if db.execute(
                select(saved_products).where(mine, saved_products.c.product_id == product.product_id)
            ).first():
                return
            if (db.scalar(select(func.count()).select_from(saved_products).where(mine)) or 0) >= MAX_SAVED:
                return
            db.execute(
                insert(saved_products).values(
                    owner=owner,
                    product_id=product.product_id,
                    title=product.title,
                    price_minor=product.price.amount_minor if product.price else None,
                    currency=product.price.currency if product.price else None,
                    saved_at=self._clock(),
                )
            )

    def unsave(self, owner: str, product_id: str) -> None:
        """Forget a saved product."""
        with self._engine.begin() as db:
            db.execute(
                delete(saved_products).where(saved_products.c.owner == owner, saved_products.c.product_id == product_id)
            )

    def close(self) -> None:
        """Release connections; a second call does nothing."""
        self._engine.dispose()

    @staticmethod
    def _where(owner: str, product_id: str, variant_id: str) -> tuple[ColumnElement[bool], ...]:
        return (
            cart_lines.c.owner == owner,
            cart_lines.c.product_id == product_id,
            cart_lines.c.variant_id == variant_id,
        )

    def _first_use(self, db: Connection, owner: str, key: str) -> bool:
        """Remember a form's key; False where it was sent before."""
        now = self._clock()
        db.execute(delete(cart_keys).where(cart_keys.c.owner == owner, cart_keys.c.used_at < now - _KEPT_KEYS_S))
        known = select(cart_keys.c.key).where(cart_keys.c.owner == owner, cart_keys.c.key == key)
        if db.execute(known).first() is not None:
            return False
        db.execute(insert(cart_keys).values(owner=owner, key=key, used_at=now))
        return True
