"""Whole conversations with the offline model on the demo catalog: each step is what a shopper would expect next."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from search_client import demo
from search_client.client import SearchClient
from search_client.local import LocalSearchClient
from search_client.models import Product
from search_client.store.sql_store import open_store
from tests.journeys.shopping import Conversation


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchClient]:
    folder: Path = tmp_path_factory.mktemp("demo")
    store = open_store(f"sqlite:///{folder / 'catalog.db'}")
    store.write(demo.products())
    opened = LocalSearchClient(store, folder / "index")
    yield opened
    opened.close()


@pytest.fixture
def chat(client: SearchClient) -> Conversation:
    return Conversation(client)


def price(product: Product) -> float:
    assert product.price is not None
    return product.price.amount


def test_a_gift_is_narrowed_down_to_one_product(chat: Conversation) -> None:
    assert "looking for" in chat.is_asked("Hi!")
    assert "gift" in chat.is_asked("I need a gift for my dad")
    assert any("Coffee" in product.title for product in chat.finds("he likes coffee"))
    assert all(price(product) <= 40 for product in chat.finds("something under 40 dollars"))
    opened = chat.opens("tell me more about the first one")
    assert opened == chat.listed[0]
    assert "does not tell" in chat.reply or opened.title in chat.reply
    assert chat.opens("is it dishwasher safe?") == opened
    assert chat.is_asked("great, thanks!").startswith("You're very welcome")


def test_refinements_add_up_and_the_last_word_holds(chat: Conversation) -> None:
    chat.finds("running shoes")
    assert chat.searches("in blue").colors == ["Blue"]
    assert all(price(product) <= 100 for product in chat.finds("under $100"))
    wish = chat.searches("actually up to 150")
    assert (wish.keywords, wish.colors, wish.max_price) == (["running", "shoes"], ["Blue"], 150)
    prices = [price(product) for product in chat.finds("the cheaper ones first please")]
    assert prices == sorted(prices)
    assert chat.opens("tell me more about the second one") == chat.listed[1]
    assert chat.opens("which sizes does it come in?") == chat.listed[1]


def test_products_are_compared_and_one_is_asked_about(chat: Conversation) -> None:
    found = chat.finds("wireless headphones")
    assert chat.compares("compare the first two") == found[:2]
    assert chat.opens("which one is cheaper?") == min(found[:2], key=price)
    assert chat.opens("how long does the battery last on the second one?") == found[1]
    assert "hours" in chat.reply
    assert chat.opens("do you have it in black?") == found[1]
    assert "button" in chat.is_asked("add it to my cart")
    assert "Goodbye" in chat.is_asked("ok bye")


def test_a_change_of_mind_starts_anew(chat: Conversation) -> None:
    chat.finds("I'm looking for a dining table under 800 dollars")
    chair = chat.searches("actually, no, I meant a chair")
    assert (chair.keywords, chair.max_price) == (["chair"], None)
    assert chat.searches("not too expensive").sort == "price_asc"
    assert chat.searches("without leather").exclude == ["leather"]
    first = chat.listed
    assert set(chat.finds("show me more")).isdisjoint(first)
    assert chat.searches("do you have desk lamps?").keywords == ["desk", "lamps"]


def test_misspelt_words_are_read_and_told(chat: Conversation) -> None:
    assert any("Laptop" in product.title for product in chat.finds("lapotp under 1000"))
    assert "laptop" in chat.reply
    assert chat.searches("with 16gb ram").max_price == 1000
    opened = chat.opens("what about the frist one?")
    assert opened == chat.listed[0]
    assert chat.opens("does it have a touchscreen?") == opened
    assert chat.opens("how mcuh is it") == opened
    assert str(opened.price) in chat.reply
    assert chat.is_asked("thnaks").startswith("You're very welcome")


def test_an_unknown_id_is_asked_back_and_the_list_still_counts(chat: Conversation) -> None:
    found = chat.finds("waterproof jacket")
    assert found[0].title in chat.is_asked("tell me about p999999")
    assert chat.opens("the third one") == found[2]
    assert chat.opens("is it waterproof?") == found[2]
    assert "Waterproof" in chat.reply
    assert chat.opens("what sizes does it come in?") == found[2]
    assert chat.opens(f"and {found[0].id}?") == found[0]


def test_german_is_answered_in_german(chat: Conversation) -> None:
    assert chat.is_asked("Guten Tag").startswith("Hallo!")
    assert any("Backpack" in product.title for product in chat.finds("Ich suche einen Rucksack"))
    found = chat.finds("bis 100 Euro, bitte in Schwarz")
    assert all(price(product) <= 100 for product in found)
    assert chat.opens("Was kostet der zweite?") == found[1]
    assert str(found[1].price) in chat.reply
    assert chat.opens("Ist er wasserdicht?") == found[1]
    assert "Kundenservice" in chat.is_asked("Wo bleibt meine Bestellung?")
    assert chat.is_asked("Danke, tschüss").startswith("Auf Wiedersehen")


def test_an_errand_is_declined_kindly_and_shopping_goes_on(chat: Conversation) -> None:
    mats = chat.finds("yoga mat")
    assert "outside what I can do" in chat.is_asked("what's the weather like tomorrow?")
    blocks = chat.finds("haha ok. do you have yoga blocks too?")
    assert set(blocks).isdisjoint(mats)
    assert chat.finds("back to the mats") == mats
    assert "customer service" in chat.is_asked("where is my order?")
    assert chat.opens("the last one then") == mats[-1]


def test_superlatives_point_at_what_was_listed(chat: Conversation) -> None:
    chat.finds("show me tents")
    cheapest = chat.opens("the cheapest of these")
    assert price(cheapest) == min(price(product) for product in chat.listed)
    dearest = chat.opens("and the most expensive?")
    assert price(dearest) == max(price(product) for product in chat.listed)
    assert set(chat.compares("compare them")) == {cheapest, dearest}
    assert chat.opens("does the cheaper one come with a warranty?") == cheapest
    assert "does not tell" in chat.reply
    assert all(price(product) <= 150 for product in chat.finds("any other tents below $150?"))


def test_chinese_and_spanish_shoppers_find_goods_of_an_english_catalog(chat: Conversation) -> None:
    assert chat.is_asked("你好").startswith("您好")
    assert all("Running Shoes" in product.title for product in chat.finds("我想买一双跑鞋"))
    assert chat.searches("蓝色的").colors[0] == "Blue"
    assert all(price(product) <= 100 for product in chat.finds("不超过100"))
    assert chat.opens("第二个多少钱") == chat.listed[1]
    assert chat.is_asked("谢谢").startswith("不客气")
    assert any("Backpack" in product.title for product in chat.finds("hola, busco una mochila negra"))
    assert chat.opens("¿la primera es impermeable?") == chat.listed[0]
    assert chat.is_asked("muchas gracias").startswith("¡Con mucho gusto!")


def test_a_vague_wish_is_asked_out_step_by_step(chat: Conversation) -> None:
    assert "What kind of product" in chat.is_asked("I want to buy something")
    chat.finds("shoes")
    assert chat.searches("for hiking").keywords == ["shoes", "hiking"]
    assert chat.searches("waterproof").keywords == ["shoes", "hiking", "waterproof"]
    assert chat.searches("women's").keywords[-1] == "women's"
    assert chat.searches("with at least 4 stars").min_rating == 4
    assert chat.is_asked("never mind").startswith("All right")


def test_what_the_shop_lacks_is_still_looked_for(chat: Conversation) -> None:
    assert chat.searches("do you sell submarines?").keywords == ["submarines"]
    assert "nothing for" in chat.reply
    assert chat.searches("or helicopters").keywords == ["helicopters"]
    assert chat.is_asked("asdkjfhgh") != ""
    assert chat.finds("ok then a mug")
    assert chat.is_asked("is it microwave safe?").count("(ID:") > 1
    assert chat.opens("the first one") == chat.listed[0]
