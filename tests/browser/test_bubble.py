"""The bubble on a shop's own page, opened, asked, closed."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from werkzeug.serving import make_server
from werkzeug.wrappers import Response

from tests.browser.chatting import ready
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
