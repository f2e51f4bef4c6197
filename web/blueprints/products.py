"""One product's page, which works without the chat, and products side by side."""

from __future__ import annotations

from flask import Blueprint, Response, request

from search_client.errors import ProductNotFoundError
from search_client.models import Product
from shopping_agent.actions import MAX_COMPARED, GetProductDetails
from shopping_agent.results import ProductsCompared
from web.answers import html
from web.page import Page, current_page
from web.rendering.cards import Card, ShownCard, card, cards_of, is_picture
from web.rendering.comparison import comparison
from web.rendering.variants import chosen_variant, option_choices, variant_name, with_variant
from web.services import services

products = Blueprint("products", __name__)

MAX_PICTURES = 8


@products.get("/product")
def show() -> Response:
    """The product `id`, in the variant `variant` if one is chosen."""
    page, catalog = current_page(), services().catalog
    product = catalog.get_product_details(request.args.get("id", ""), shopper=page.shopper)
    variant = chosen_variant(product, request.args.get("variant"))
    chosen = with_variant(product, variant)
    pictures = [image for image in chosen.images if is_picture(image)][:MAX_PICTURES]
    alternatives = catalog.alternatives(product.id, limit=4, shopper=page.shopper)
    return html(
        page.render(
            "product.html",
            card=_card(chosen, page),
            product=product,
            chosen=chosen,
            variant=variant,
            variant_name=variant_name(variant),
            must_choose=len(product.variants) > 1 and variant is None,
            choices=option_choices(product, variant),
            pictures=pictures,
            picture=_index(len(pictures)),
            alternatives=cards_of(alternatives, page.t),
        )
    )


def _card(product: Product, page: Page) -> Card:
    return card(product, ShownCard.of(product), position=1, t=page.t)


def _index(count: int) -> int:
    """Which picture is looked at; the first where the address says nothing sensible."""
    asked = request.args.get("picture", "")
    return int(asked) if asked.isdecimal() and int(asked) < count else 0


@products.get("/compare")
def compare() -> Response:
    """Up to four products side by side; those no longer in the shop are left out and counted."""
    page, catalog = current_page(), services().catalog
    ids = list(dict.fromkeys(request.args.getlist("id")))
    found = [each for each in ids[:MAX_COMPARED] if _exists(each, page)]
    table = None
    if len(found) > 1:
        action = GetProductDetails(product_id=found[0], compare_with=found[1:])
        result = action.execute(catalog, shopper=page.shopper)
        table = comparison(result, (), page.t) if isinstance(result, ProductsCompared) else None
    return html(
        page.render(
            "compare.html", answer=table, too_many=len(ids) > MAX_COMPARED, gone=len(ids[:MAX_COMPARED]) - len(found)
        )
    )


def _exists(product_id: str, page: Page) -> bool:
    try:
        services().catalog.get_product_details(product_id, shopper=page.shopper)
    except ProductNotFoundError:
        return False
    return True
