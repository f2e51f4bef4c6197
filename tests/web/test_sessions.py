"""Whose conversations a browser opens."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from search_client.models import Shopper
from search_client.testing import FakeSearchClient
from shopping_agent.agent import ShoppingAgent
from shopping_agent.identity import HEADER, read_signed, sign
from shopping_agent.testing import ScriptedModel
from web.app import create_app
from web.identity import current_shopper
from web.services import EXTENSION
from web.sessions import current_owner
from web.settings import WebSettings

SECRET = "a secret between two servers"
HOUR_S = 3600


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    settings = WebSettings(database_url=f"sqlite:///{tmp_path}/c.sqlite", secret_key="k" * 32, shopper_secret=SECRET)
    made = create_app(settings, agent=ShoppingAgent(ScriptedModel([]), FakeSearchClient([])))
    made.config["WTF_CSRF_ENABLED"] = False
    made.add_url_rule(
        "/who", "who", view_func=lambda: {"owner": current_owner(), "id": current_shopper().id}, methods=["GET"]
    )
    made.add_url_rule(
        "/do", "do", view_func=lambda: {"owner": current_owner(), "id": current_shopper().id}, methods=["POST"]
    )
    yield made
    made.extensions[EXTENSION].conversations.close()


def who() -> dict[str, str | None]:
    return {"owner": current_owner(), "id": current_shopper().id}


def claims(shopper_id: str, **more: Any) -> dict[str, str]:
    return {HEADER: sign({"id": shopper_id, "expires": time.time() + HOUR_S, **more}, secret=SECRET)}


def do(client: FlaskClient, headers: dict[str, str] | None = None) -> str:
    return str(client.post("/do", headers=headers).get_json()["owner"])


def test_reading_makes_no_session(app: Flask) -> None:
    client = app.test_client()
    answers = [client.get("/who") for _ in range(2)]
    assert answers[0].get_json()["owner"] != answers[1].get_json()["owner"]
    assert not client.get_cookie("shop-session")


def test_a_browser_keeps_its_owner(app: Flask) -> None:
    client = app.test_client()
    owner = do(client)
    assert owner == do(client) == client.get("/who").get_json()["owner"]
    assert owner != do(app.test_client())


def test_the_cookie_does_not_hold_the_owner(app: Flask) -> None:
    client = app.test_client()
    owner = do(client)
    with client.session_transaction() as session:
        assert set(session) == {"_permanent", "id"} and session["id"] != owner


def test_an_id_the_server_never_gave_out_is_replaced(app: Flask) -> None:
    client = app.test_client()
    with client.session_transaction() as session:
        session["id"] = "attacker"
    do(client)
    with client.session_transaction() as session:
        assert session["id"] != "attacker"


def test_a_session_ends(app: Flask) -> None:
    client = app.test_client()
    owner = do(client)
    store = app.extensions[EXTENSION].sessions
    store._clock = lambda: time.time() + 31 * 86400
    assert do(client) != owner


def test_logging_in_changes_the_id_and_keeps_what_was_gathered(app: Flask) -> None:
    client = app.test_client()
    owner = do(client)
    with client.session_transaction() as session:
        anonymous_id = session["id"]
    assert do(client, claims("42")) == owner
    assert app.extensions[EXTENSION].sessions.find(anonymous_id) is None


def test_another_person_at_the_same_browser_starts_afresh(app: Flask) -> None:
    client = app.test_client()
    owner = do(client, claims("42"))
    other = do(client, claims("43"))
    assert other != owner
    assert do(client) not in (owner, other)


def test_a_signed_header_tells_who_shops() -> None:
    header = claims("42", currency="EUR", region="DE", groups=["trade"])[HEADER]
    assert read_signed(header, secret=SECRET, now=time.time()) == Shopper("42", "EUR", "DE", ("trade",))


@pytest.mark.parametrize(
    "value",
    [
        "",
        ".",
        "nonsense",
        "é.é",
        claims("42")[HEADER] + "0",
        sign({"id": "42", "expires": 1}, secret=SECRET),
        sign({"id": "42", "expires": time.time() + HOUR_S}, secret="another"),
        sign({"id": 42, "expires": time.time() + HOUR_S}, secret=SECRET),
        sign({"expires": time.time() + HOUR_S}, secret=SECRET),
    ],
    ids=["empty", "dot", "no signature", "not ascii", "changed", "expired", "other key", "number as id", "no id"],
)
def test_a_forged_expired_or_malformed_header_is_nobody(value: str) -> None:
    assert read_signed(value, secret=SECRET, now=time.time()) is None
