"""What a browser is told on every response."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask, request, session

from search_client.testing import FakeSearchClient
from shopping_agent.agent import ShoppingAgent
from shopping_agent.testing import ScriptedModel
from web.app import create_app
from web.deployment import Deployment, deployment_from_env
from web.errors import WebSettingsError
from web.settings import WebSettings


def app_at(tmp_path: Path, deployment: Deployment) -> Flask:
    url = f"sqlite:///{tmp_path}/c.sqlite"
    settings = WebSettings(database_url=url, secret_key="k" * 32, deployment=deployment)
    app = create_app(settings, agent=ShoppingAgent(ScriptedModel([]), FakeSearchClient([])))
    app.add_url_rule("/widget/x", "framed", lambda: "framed")

    @app.get("/sign-in")
    def sign_in() -> str:
        session["id"] = "1"
        return "in"

    return app


@pytest.mark.parametrize("path", ["/sign-in", "/no/such/page"])
def test_every_response_is_protected_errors_included(tmp_path: Path, path: str) -> None:
    headers = app_at(tmp_path, Deployment()).test_client().get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers


def test_only_the_bubble_may_be_framed_and_only_by_listed_shops(tmp_path: Path) -> None:
    client = app_at(tmp_path, Deployment(widget_origins=("https://shop.example",))).test_client()
    policy = client.get("/widget/x").headers["Content-Security-Policy"]
    assert policy.endswith("frame-ancestors 'self' https://shop.example")
    assert "shop.example" not in client.get("/sign-in").headers["Content-Security-Policy"]


def test_behind_tls_the_cookie_is_bound_to_the_host(tmp_path: Path) -> None:
    answer = app_at(tmp_path, Deployment(https=True)).test_client().get("/sign-in", base_url="https://localhost")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-shop-session=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert answer.headers["Strict-Transport-Security"]


def test_a_host_nobody_listed_is_refused(tmp_path: Path) -> None:
    client = app_at(tmp_path, Deployment(trusted_hosts=("shop.example",))).test_client()
    assert client.get("/sign-in", base_url="http://evil.example").status_code == 400
    assert client.get("/sign-in", base_url="http://shop.example").status_code == 200


def test_forwarded_addresses_count_only_behind_counted_proxies(tmp_path: Path) -> None:
    seen: list[str | None] = []
    for hops in (0, 1):
        app = app_at(tmp_path, Deployment(proxy_hops=hops))
        app.before_request(lambda: seen.append(request.remote_addr))
        app.test_client().get("/sign-in", headers={"X-Forwarded-For": "6.6.6.6, 203.0.113.9"})
    assert seen == ["127.0.0.1", "203.0.113.9"]


def test_the_place_is_read_from_the_environment() -> None:
    environ = {
        "HTTPS": "yes",
        "TRUSTED_HOSTS": "shop.example, .example.org",
        "PROXY_HOPS": "1",
        "WIDGET_ORIGINS": "https://shop.example/",
        "IMAGE_HOSTS": "https://cdn.example",
    }
    assert deployment_from_env(environ) == Deployment(
        https=True,
        trusted_hosts=("shop.example", ".example.org"),
        proxy_hops=1,
        widget_origins=("https://shop.example",),
        image_hosts=("https://cdn.example",),
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HTTPS", "maybe"),
        ("PROXY_HOPS", "-1"),
        ("PROXY_HOPS", "99"),
        ("WIDGET_ORIGINS", "shop.example"),
        ("WIDGET_ORIGINS", "https://a.example; script-src *"),
        ("IMAGE_HOSTS", "*"),
        ("TRUSTED_HOSTS", "a b"),
    ],
)
def test_a_wrong_value_is_named(name: str, value: str) -> None:
    with pytest.raises(WebSettingsError, match=name):
        deployment_from_env({name: value})
