"""A small shop for tests: a few products, a scripted model, forms as a browser without script sends them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from search_client.models import Availability, Money, Product, Variant
from search_client.testing import FakeSearchClient
from shopping_agent.actions import Action
from shopping_agent.agent import ShoppingAgent
from shopping_agent.errors import ModelError
from shopping_agent.testing import ScriptedModel
from web.app import create_app
from web.look import Look
from web.settings import WebSettings
from web.store.cart import CartStore
from web.store.engine import open_engine
from web.store.sql_conversations import SqlConversationStore
from web.traffic import TrafficLimits

NO_HURRY = TrafficLimits(session="10000 per minute", address="10000 per minute")
IN_STOCK, SOLD_OUT = Availability.IN_STOCK, Availability.OUT_OF_STOCK


def _usd(amount_minor: int) -> Money:
    return Money(amount_minor, "USD")


LAMP = Product(
    id="lamp",
    title="Lumo Desk Lamp",
    description="An LED lamp for the desk. It is not waterproof.",
    brand="Lumo",
    category=("Home", "Lighting"),
    price=_usd(3990),
    list_price=_usd(4990),
    availability=IN_STOCK,
    quantity=3,
    rating=4.5,
    rating_count=120,
    images=("/static/icon.svg",),
    attributes=(("Material", "Steel"), ("Waterproof", "No")),
)
FLOOR_LAMP = replace(
    LAMP,
    id="floor",
    title="Lumo Floor Lamp",
    price=_usd(8900),
    list_price=None,
    quantity=None,
    rating=3.9,
    images=(),
    attributes=(("Material", "Oak"),),
)
SOLD_LAMP = replace(LAMP, id="sold", title="Kite Lamp", brand="Kite", availability=SOLD_OUT, quantity=0)
TEE = Product(
    id="tee",
    title="Acme Tee",
    brand="Acme",
    category=("Clothing", "Shirts"),
    price=_usd(1500),
    availability=IN_STOCK,
    options=(("Color", ("Red", "Blue")), ("Size", ("S", "M"))),
    variants=tuple(
        Variant(
            id=f"tee-{color}-{size}".lower(),
            options=(("Color", color), ("Size", size)),
            price=_usd(1500 if size == "S" else 1700),
            availability=SOLD_OUT if (color, size) == ("Blue", "M") else IN_STOCK,
        )
        for color in ("Red", "Blue")
        for size in ("S", "M")
    ),
)
MUGS = tuple(
    Product(
        id=f"mug{number}",
        title=f"Mug number {number}",
        brand="Clay" if number % 2 else "Stone",
        category=("Kitchen", "Mugs"),
        price=_usd(500 + 100 * number),
        availability=IN_STOCK,
    )
    for number in range(1, 21)
)
PRODUCTS = (LAMP, FLOOR_LAMP, SOLD_LAMP, TEE, *MUGS)


@dataclass(slots=True)
class Shop:
    """An app with one shopper."""

    app: Flask
    client: FlaskClient
    catalog: FakeSearchClient
    model: ScriptedModel
    store: SqlConversationStore
    carts: CartStore

    def say(self, message: str, **fields: str) -> TestResponse:
        """Send a message as a form and follow to the page."""
        return self.client.post("/chat", data={"message": message, **fields}, follow_redirects=True)

    def stream(self, message: str, **fields: str) -> list[tuple[str, dict[str, Any]]]:
        """Send a message as the script does: the events."""
        response = self.client.post(
            "/chat", data={"message": message, **fields}, headers={"Accept": "text/event-stream"}
        )
        assert response.mimetype == "text/event-stream", response.text
        return events(response.text)

    def press(self, page: TestResponse, label: str) -> TestResponse:
        """Click the button whose accessible name is `label` in a page, as a browser without script does."""
        button = next((b for b in re.findall(r"<button[^>]*>.*?</button>", page.text, re.S) if label in b), None)
        assert button, f"no button {label!r} in {page.text}"
        attributes = dict(re.findall(r'(\w+)="([^"]*)"', button.split(">")[0]))
        unescaped = {name: value.replace("&amp;", "&") for name, value in attributes.items()}
        data = {unescaped["name"]: unescaped.get("value", "")} if "name" in unescaped else {}
        return self.client.post(unescaped["formaction"], data=data, follow_redirects=True)

    def close(self) -> None:
        """Check that the model's script was played, and release the database."""
        self.model.close()
        self.store.close()
        self.carts.close()


def events(text: str) -> list[tuple[str, dict[str, Any]]]:
    """The events of a stream as name and data."""
    blocks = [block.split("\n") for block in text.split("\n\n") if block]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in blocks]


def open_shop(
    folder: Path,
    steps: Iterable[Action | ModelError] = (),
    *,
    products: Iterable[Product] = PRODUCTS,
    visitor: Shop | None = None,
    **look: Any,
) -> Shop:
    """A shop on a fresh database in `folder`, or on the one that is there; for the shopper of another one."""
    url = f"sqlite:///{folder}/shop.sqlite"
    engine = open_engine(url)
    store, carts = SqlConversationStore(engine), CartStore(engine)
    catalog, model = FakeSearchClient(products), ScriptedModel(steps)
    settings = WebSettings(
        database_url=url, secret_key="test", shop_name="Test Shop", look=Look(**look), limits=NO_HURRY
    )
    app = create_app(settings, agent=ShoppingAgent(model, catalog), store=store, carts=carts)
    app.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    client = app.test_client()
    cookie = visitor.client.get_cookie("shop-session") if visitor else None
    if cookie:
        client.set_cookie("shop-session", cookie.value)
    return Shop(app, client, catalog, model, store, carts)
