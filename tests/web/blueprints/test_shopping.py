"""Filters, cart, saved products, feedback and chats, as forms."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from search_client.errors import SearchUnavailableError
from search_client.models import Money
from shopping_agent.actions import GetProductDetails, Search
from tests.web.conftest import OpenShop
from tests.web.shop import LAMP, TEE, Shop

ADD_LAMP = "/cart/add?id=lamp&price=3990&currency=USD&key=k1"


def turn_of(shop: Shop, message: str = "a lamp") -> str:
    """Say something; the turn's address."""
    return str(re.search(r'data-url="([^"]*)"', shop.stream(message)[0][1]["html"])[1])  # type: ignore[index]


def test_a_filter_changes_the_answer_that_is_kept(shop_of: OpenShop) -> None:
    shop = shop_of(Search(keywords=["lamp"], max_price=50), GetProductDetails(product_id="3"))
    turn = turn_of(shop)
    part = shop.client.post(f"{turn}/refine?drop=price=", data={"drop": "price="}, headers={"X-Part": "1"})
    assert part.text.count('<article class="card') == 3
    conversation = turn.split("/")[2]
    page = shop.say("the third one", conversation=conversation)
    assert page.text.count("Kite Lamp") > 1


def test_a_filter_on_what_is_no_search_is_told(shop_of: OpenShop) -> None:
    shop = shop_of(GetProductDetails(product_id="lamp"))
    response = shop.client.post(f"{turn_of(shop)}/refine", data={"more": "1"}, headers={"X-Part": "1"})
    assert response.status_code == 409
    assert "no longer exists" in response.text


def test_a_filter_while_the_search_is_down_keeps_the_answer(shop_of: OpenShop) -> None:
    shop = shop_of(Search(keywords=["lamp"]))
    turn = turn_of(shop)
    shop.catalog.error = SearchUnavailableError("down")
    response = shop.client.post(f"{turn}/refine", data={"drop": "keywords=lamp"}, headers={"X-Part": "1"})
    assert response.status_code == 503
    shop.catalog.error = None
    assert shop.client.get(turn).text.count('<article class="card') == 3


def test_a_strangers_turn_cannot_be_touched(shop_of: OpenShop) -> None:
    shop = shop_of(Search(keywords=["lamp"]))
    turn = turn_of(shop)
    stranger = shop.app.test_client()
    for action in ("refine", "stop", "feedback"):
        assert stranger.post(f"{turn}/{action}").status_code == 404
    assert stranger.get(turn).status_code == 404
    assert shop.client.get(f"{turn}0").status_code == 404


def test_a_form_without_a_token_changes_nothing(shop: Shop) -> None:
    shop.app.config["WTF_CSRF_ENABLED"] = True
    for path in (ADD_LAMP, "/saved/keep?id=lamp", "/chat", "/preferences"):
        assert shop.client.post(path, data={"keep": "1", "message": "x", "theme": "dark"}).status_code == 400
    assert shop.client.get("/cart/add?id=lamp").status_code == 405
    assert "Your cart is empty" in shop.client.get("/cart").text


def test_a_product_is_added_once_a_form(shop: Shop) -> None:
    assert "Added to the cart: Lumo Desk Lamp." in shop.client.post(ADD_LAMP).text
    again = shop.client.post(ADD_LAMP, headers={"X-Part": "1"})
    assert "already in the cart" in again.text
    assert '<span class="count">1</span>' in again.text
    assert "$39.90" in shop.client.get("/cart").text


def test_a_price_that_changed_since_shown_is_told_until_accepted(shop: Shop) -> None:
    page = shop.client.post("/cart/add?id=lamp&price=3500&currency=USD&key=k1")
    assert "Its price has changed since it was shown: now $39.90, was $35.00." in page.text
    assert "Price changed from $35.00 to $39.90." in shop.client.get("/cart").text
    shop.client.post("/cart/change?id=lamp&variant=", data={"quantity": "1"})
    assert "Price changed" not in shop.client.get("/cart").text


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("id=tee&key=1", "Choose the options of Acme Tee first"),
        ("id=tee&variant=tee-blue-m&key=1", "cannot be bought right now"),
        ("id=sold&key=1", "cannot be bought right now"),
        ("id=nothing&key=1", "no longer in the shop"),
    ],
)
def test_what_cannot_be_bought_is_not_added(shop: Shop, query: str, told: str) -> None:
    page = shop.client.post(f"/cart/add?{query}")
    assert page.status_code == 409
    assert told in page.text
    assert "Your cart is empty" in page.text


@pytest.mark.parametrize(("quantity", "pieces"), [("3", 3), ("500", 99), ("x", 1), ("-2", 1), ("0", 1)])
def test_a_quantity_is_sensible(shop: Shop, quantity: str, pieces: int) -> None:
    shop.client.post(ADD_LAMP, data={"quantity": quantity})
    assert f'<span class="count">{pieces}</span>' in shop.client.get("/cart").text


def test_a_line_is_changed_and_removed_by_its_own_buttons(shop: Shop) -> None:
    shop.client.post("/cart/add?id=tee&variant=tee-red-m&key=1")
    page = shop.press(shop.client.get("/cart"), "One more: Acme Tee")
    assert "$34.00" in page.text
    page = shop.press(page, "Remove: Acme Tee")
    assert "Your cart is empty" in page.text


def test_the_cart_survives_a_restart_and_tells_what_is_gone(shop_of: OpenShop) -> None:
    shop = shop_of()
    shop.client.post(ADD_LAMP)
    shop.client.post("/cart/add?id=tee&variant=tee-red-m&key=2")
    later = shop_of(products=(replace(TEE, variants=()),), visitor=shop)
    page = later.client.get("/cart").text
    assert "Lumo Desk Lamp" in page
    assert page.count("No longer in the shop") == 2


def test_the_checkout_is_the_shops_own(shop_of: OpenShop) -> None:
    shop = shop_of(checkout_url="https://shop.example/cart/{items}")
    page = shop.client.post(ADD_LAMP)
    assert 'href="https://shop.example/cart/lamp:1"' in page.text
    assert "no checkout here" not in page.text


def test_a_saved_product_says_what_changed(shop_of: OpenShop) -> None:
    shop = shop_of()
    shop.client.post("/saved/keep?id=lamp", data={"keep": "1"})
    later = shop_of(products=(replace(LAMP, price=Money(2000, "USD")),), visitor=shop)
    assert "Price dropped, was $39.90" in later.client.get("/saved").text
    later.client.post("/saved/keep?id=lamp", data={"keep": "0"})
    assert "Nothing saved yet" in later.client.get("/saved").text


def test_the_way_back_is_never_another_site(shop: Shop) -> None:
    for back in ("https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/a\nb"):
        response = shop.client.post("/saved/keep?id=lamp", data={"keep": "1", "back": back})
        assert response.location == "/saved"
    assert shop.client.post("/saved/keep?id=lamp", data={"keep": "1", "back": "/c/1?x=2"}).location == "/c/1?x=2"


def test_an_answer_is_rated_with_a_reason(shop_of: OpenShop) -> None:
    shop = shop_of(Search(keywords=["lamp"]))
    turn = turn_of(shop)
    part = shop.client.post(f"{turn}/feedback", data={"rating": "down"}, headers={"X-Part": "1"})
    assert "What was wrong?" in part.text
    why = {"reason": ["wrong", "missing"], "words": "no"}
    done = shop.client.post(f"{turn}/feedback", data=why, headers={"X-Part": "1"})
    assert "Thank you." in done.text
    assert 'aria-pressed="true"' in shop.client.post(f"{turn}/feedback", follow_redirects=True).text
    back = shop.client.post(f"{turn}/feedback", data={"rating": "none"}, headers={"X-Part": "1"})
    assert 'aria-pressed="true"' not in back.text


def test_a_chat_is_renamed_exported_and_deleted(shop_of: OpenShop) -> None:
    shop = shop_of(Search(keywords=["lamp"]))
    address = shop.stream("a lamp")[-1][1]["url"]
    shop.client.post(f"{address}/rename", data={"title": "  Bright \n things "})
    shop.client.post(f"{address}/rename", data={"title": "   "})
    assert "Bright things" in shop.client.get("/conversations").text
    export = shop.client.get(f"{address}/export")
    assert "attachment" in export.headers["Content-Disposition"]
    turn = json.loads(export.text)["turns"][0]
    assert (turn["message"], turn["answer"]["cards"][1]["id"]) == ("a lamp", "lamp")
    shop.client.post(f"{address}/delete")
    assert shop.client.get(address).status_code == 404
    assert "No chats yet" in shop.client.get("/conversations").text


def test_a_comparison_leaves_out_what_is_gone(shop: Shop) -> None:
    page = shop.client.get("/compare?id=lamp&id=gone&id=floor&id=lamp").text
    assert "1 product is no longer in the shop." in page
    assert "not stated" in page
    assert "Up to four" in shop.client.get("/compare?" + "&".join(f"id=mug{n}" for n in range(1, 6))).text
    assert "Tick two to four products" in shop.client.get("/compare?id=lamp").text


def test_a_product_page_shows_the_asked_picture_and_variant(shop_of: OpenShop) -> None:
    gallery = replace(LAMP, images=("/pictures/a.svg", "/pictures/b.svg"), url="https://shop.example/lamp")
    shop = shop_of(products=(gallery, TEE))
    page = shop.client.get("/product?id=lamp&picture=1").text
    assert 'src="/pictures/b.svg" alt="Lumo Desk Lamp"' in page
    assert 'href="https://shop.example/lamp" rel="noopener noreferrer"' in page
    assert 'src="/pictures/a.svg" alt="Lumo Desk Lamp"' in shop.client.get("/product?id=lamp&picture=9").text
    assert "$17.00" in shop.client.get("/product?id=tee&variant=tee-red-m").text


def test_long_chats_show_their_end_first(shop_of: OpenShop) -> None:
    shop = shop_of(*[Search(keywords=["tee"])] * 22)
    address = shop.stream("a tee")[-1][1]["url"]
    for _ in range(21):
        shop.stream("a tee", conversation=address.rpartition("/")[2])
    assert "Show 2 earlier messages" in shop.client.get(address).text
    assert shop.client.get(f"{address}?all=1").text.count('<article class="card') == 22


def test_demo_pictures_are_drawn_and_others_are_not_there(shop: Shop) -> None:
    picture = shop.client.get("/pictures/p1003-tshirt-sky_blue-front.svg")
    assert picture.mimetype == "image/svg+xml"
    assert shop.client.get("/pictures/nothing.svg").status_code == 404
