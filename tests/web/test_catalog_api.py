"""The shop as the search service of another deployment."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flask import Flask

from search_client.testing import FakeSearchClient
from shopping_agent.agent import ShoppingAgent
from shopping_agent.testing import ScriptedModel
from tests.search_client.shop import SHOP
from web.app import create_app
from web.settings import WebSettings, web_settings_from_env


def open_app(folder: Path, *, key: str = "") -> Flask:
    settings = WebSettings(database_url=f"sqlite:///{folder}/c.sqlite", secret_key="k" * 32, serve_catalog_key=key)
    return create_app(settings, agent=ShoppingAgent(ScriptedModel([]), FakeSearchClient(SHOP)))


def test_the_shop_answers_other_programs_without_a_cookie(tmp_path: Path) -> None:
    answer = open_app(tmp_path).test_client().get("/api/products?keywords=shirt&limit=1&max_price=50")
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    assert json.loads(answer.data)["total"] == 2
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/products?limit=0", 400, "invalid_query"),
        ("/api/products?sort=best", 400, "invalid_query"),
        ("/api/products/nope", 404, "not_found"),
        ("/api/products/p5", 404, "not_found"),
        ("/api/products/p1/alternatives?limit=1000", 400, "invalid_query"),
    ],
)
def test_a_refusal_is_json_with_a_code(tmp_path: Path, path: str, status: int, code: str) -> None:
    answer = open_app(tmp_path).test_client().get(path, headers={"Shopper-Groups": "staff"})
    assert (answer.status_code, json.loads(answer.data)["error"]["code"]) == (status, code)


@pytest.mark.parametrize("path", ["/api/products", "/api/products/p1", "/api/vocabulary"])
def test_it_is_only_read(tmp_path: Path, path: str) -> None:
    client = open_app(tmp_path).test_client()
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert client.open(path, method=method).status_code in {400, 405}


def test_with_a_key_set_only_its_bearers_are_answered_and_may_name_groups(tmp_path: Path) -> None:
    client = open_app(tmp_path, key="a shared key").test_client()
    assert client.get("/api/vocabulary").status_code == 401
    known = {"Authorization": "Bearer a shared key", "Shopper-Groups": "staff"}
    assert client.get("/api/products/p5", headers=known).status_code == 200
    assert client.get("/", headers={"Accept": "text/html"}).status_code == 200


def test_the_key_is_a_setting() -> None:
    assert (
        web_settings_from_env({"SECRET_KEY": "0123456789abcdef" * 2, "SERVE_CATALOG_KEY": "x"}).serve_catalog_key == "x"
    )
