"""The bubble on a shop's own page, opened, asked, closed."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect
from werkzeug.serving import make_server
from werkzeug.wrappers import Response

from tests.browser.chatting import FINISHED, ready, type_in
from tests.browser.conftest import PATIENCE_MS
from tests.browser.site import Quiet, Site
from web.deployment import Deployment


class ShopPage:
    """A page of another origin that embeds the bubble with one line."""

    def __init__(self) -> None:
        self.html = ""
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True, request_handler=Quiet)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _answer(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        return Response(self.html, mimetype="text/html")(environ, start_response)

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def shop_page() -> Iterator[ShopPage]:
    opened = ShopPage()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, shop_page: ShopPage) -> Iterator[Site]:
    opened = Site(tmp_path_factory.mktemp("site"), deployment=Deployment(widget_origins=(shop_page.origin,)))
    shop_page.html = f'<h1>Lamps</h1><script src="{opened.url}/widget.js" data-product="lamp"></script>'
    yield opened
    opened.close()


@pytest.mark.parametrize("width", [1200, 390])
def test_a_shopper_asks_on_the_shops_own_page(browser: Browser, site: Site, shop_page: ShopPage, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(shop_page.origin, wait_until="networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    bubble = page.get_by_role("button", name="Open the shopping chat")
    bubble.press("Enter")
    frame = page.frame_locator("iframe[title='Test Shop']")
    expect(frame.get_by_text("About: Lumo Desk Lamp")).to_be_visible()
    ready(frame)
    frame.locator("#message").fill("tee")
    frame.locator("#message").press("Enter")
    expect(frame.locator(".card h3")).to_have_text("Acme Tee")
    frame.locator(".card h3 a").click()
    expect(frame.locator("h1")).to_have_text("Acme Tee")
    ready(frame)
    frame.locator("#quantity").press("Escape")
    expect(page.get_by_role("dialog", name="Test Shop")).to_be_hidden()
    expect(bubble).to_be_focused()
    assert all(url.startswith(site.url) for url in asked)
    context.close()


@contextmanager
def elsewhere(tmp_path: Path, shop_page: ShopPage, *, https: bool) -> Iterator[tuple[Site, str]]:
    """A chat on another site than the shop's page, and its origin. Chromium trusts this machine's name without TLS."""
    site = Site(tmp_path, deployment=Deployment(https=https, widget_origins=(shop_page.origin,)))
    origin = site.url.replace("127.0.0.1", "localhost")
    before, shop_page.html = shop_page.html, f'<script src="{origin}/widget.js"></script>'  # runs in the head
    yield site, origin
    shop_page.html = before
    site.close()


def open_bubble(page: Page, shop_page: ShopPage) -> FrameLocator:
    page.goto(shop_page.origin)
    page.get_by_role("button", name="Open the shopping chat").click()
    frame = page.frame_locator("iframe[title='Test Shop']")
    ready(frame)
    return frame


def test_a_chat_within_another_site_is_kept_there_and_seen_nowhere_else(
    browser: Browser, shop_page: ShopPage, tmp_path: Path
) -> None:
    with elsewhere(tmp_path, shop_page, https=True) as (_, origin), browser.new_context() as context:
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        frame = open_bubble(page, shop_page)
        frame.locator("#message").fill("tee")
        frame.locator("#message").press("Enter")
        expect(frame.locator(".card h3")).to_have_text("Acme Tee")
        frame.locator(FINISHED).wait_for()
        frame = open_bubble(page, shop_page)
        expect(frame.locator(".card h3")).to_have_text("Acme Tee")
        [cookie] = context.cookies()
        assert (cookie["sameSite"], cookie["secure"], cookie.get("partitionKey")) == ("None", True, "http://127.0.0.1")
        page.goto(origin)
        expect(page.locator("#conversations a")).to_have_count(0)


def test_where_the_frame_keeps_no_cookie_a_window_of_its_own_is_offered(
    browser: Browser, shop_page: ShopPage, tmp_path: Path
) -> None:
    with elsewhere(tmp_path, shop_page, https=False) as (_, origin), browser.new_context() as context:
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        frame = open_bubble(page, shop_page)
        frame.locator("#message").fill("tee")
        frame.locator("#message").press("Enter")
        expect(frame.get_by_role("alert")).to_contain_text("keeps no chat within another site")
        expect(frame.locator("#message")).to_have_value("tee")
        with context.expect_page() as opened:
            frame.get_by_role("link", name="Open the chat in a window of its own").click()
        expect(opened.value).to_have_url(f"{origin}/")
        ready(opened.value)
        type_in(opened.value, "tee")
        expect(opened.value.locator(".card h3")).to_have_text("Acme Tee")
