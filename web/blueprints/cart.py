"""Cart and saved products: changed by a shopper's own click and by nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, request

from search_client.errors import ProductNotFoundError
from search_client.models import Money, Product
from web.answers import html, local_path, see_other, wants_part
from web.page import Page, current_page
from web.rendering.cards import ShownCard, card
from web.rendering.cart import CartView, cart_view
from web.rendering.turns import Reader
from web.rendering.variants import chosen_variant, variant_name, with_variant
from web.services import services
from web.sessions import current_owner
from web.store.cart import MAX_QUANTITY, CartLine, SavedProduct

cart = Blueprint("cart", __name__)


@dataclass(frozen=True, slots=True)
class Added:
    """What came of a click on “add to cart”, in words."""

    text: str
    ok: bool


@cart.get("/cart")
def show() -> Response:
    """The cart."""
    page = current_page()
    template = "parts/cart.html" if wants_part() else "cart.html"
    return html(page.render(template, cart=_view(page), added=None, back=local_path(request.args.get("back"))))


def _view(page: Page) -> CartView:
    found = services()
    reader = Reader(found.catalog, page.t, shopper=page.shopper)
    return cart_view(
        found.carts.lines(current_owner()), reader.product, page.t, checkout_url=found.settings.look.checkout_url
    )


@cart.post("/cart/add")
def add() -> Response:
    """Put a product into the cart: variant known, stock checked, price read again."""
    page = current_page()
    added = _add(page)
    if wants_part():
        return html(page.render("parts/added.html", added=added))
    back = local_path(request.form.get("back"))
    return html(page.render("cart.html", cart=_view(page), added=added, back=back), status=200 if added.ok else 409)


def _add(page: Page) -> Added:
    t, values = page.t, request.values
    try:
        product = services().catalog.get_product_details(values.get("id", ""), shopper=page.shopper)
    except ProductNotFoundError:
        return Added(t("cart.gone"), ok=False)
    variant = chosen_variant(product, values.get("variant"))
    if product.variants and variant is None:
        return Added(t("cart.choose", name=product.title), ok=False)
    now = with_variant(product, variant)
    if now.price is None or not now.availability.buyable:
        return Added(t("cart.sold_out", name=product.title), ok=False)
    shown = _shown_price(values.get("price", ""), values.get("currency", ""), now)
    line = CartLine(
        product_id=product.id,
        variant_id=variant.id if variant else "",
        quantity=_quantity(values.get("quantity", "1")) or 1,
        title=product.title,
        price=shown,
    )
    if not services().carts.add(current_owner(), line, key=values.get("key", "")):
        return Added(t("cart.already"), ok=True)
    name = f"{product.title} ({variant_name(variant)})" if variant_name(variant) else product.title
    if shown != now.price:
        return Added(t("cart.added_changed", name=name, before=t.money(shown), now=t.money(now.price)), ok=True)
    return Added(t("cart.added", name=name), ok=True)


def _shown_price(amount: str, currency: str, product: Product) -> Money:
    """The price that the form was shown with; today's where the form says none."""
    assert product.price is not None
    sensible = amount.isdecimal() and len(amount) < 16 and currency == product.price.currency
    return Money(int(amount), currency) if sensible else product.price


def _quantity(text: str) -> int | None:
    return min(int(text), MAX_QUANTITY) if text.isdecimal() and len(text) < 6 else None


@cart.post("/cart/change")
def change() -> Response:
    """Another quantity (0 removes the line), or the new price accepted."""
    page, owner = current_page(), current_owner()
    product_id, variant_id = request.values.get("id", ""), request.values.get("variant", "")
    quantity = _quantity(request.values.get("quantity", ""))
    if quantity is not None:
        services().carts.change(
            owner, product_id, variant_id, quantity=quantity, price=_price_now(page, product_id, variant_id)
        )
    if not wants_part():
        return see_other(page.url("cart.show"))
    return html(page.render("parts/cart_changed.html", cart=_view(page), added=None))


def _price_now(page: Page, product_id: str, variant_id: str) -> Money | None:
    product = Reader(services().catalog, page.t, shopper=page.shopper).product(product_id)
    return with_variant(product, chosen_variant(product, variant_id)).price if product else None


@cart.get("/saved")
def saved() -> Response:
    """Saved products with today's facts."""
    page, found = current_page(), services()
    reader = Reader(found.catalog, page.t, shopper=page.shopper)
    cards = [
        card(reader.product(kept.product_id), _as_shown(kept), position=0, t=page.t)
        for kept in found.carts.saved(current_owner()).values()
    ]
    return html(page.render("saved.html", cards=cards))


def _as_shown(kept: SavedProduct) -> ShownCard:
    return ShownCard(
        id=kept.product_id,
        title=kept.title,
        price_minor=kept.price.amount_minor if kept.price else None,
        currency=kept.price.currency if kept.price else None,
    )


@cart.post("/saved/keep")
def keep() -> Response:
    """Save a product for later (`keep=1`) or forget it."""
    page, found, owner = current_page(), services(), current_owner()
    product_id = request.values.get("id", "")
    product = Reader(found.catalog, page.t, shopper=page.shopper).product(product_id)
    if request.values.get("keep") != "1":
        found.carts.unsave(owner, product_id)
    elif product is not None:
        found.carts.save(owner, SavedProduct(product.id, product.title, product.price))
    if wants_part():
        return html(page.render("parts/kept.html", product=product, product_id=product_id))
    return see_other(local_path(request.form.get("back")) or page.url("cart.saved"))
