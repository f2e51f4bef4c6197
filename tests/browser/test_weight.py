"""How heavy and how quick the page is. All figures are printed; asserted are those that no machine changes."""

from __future__ import annotations

import sys

import pytest
from playwright.sync_api import Page, Response

from tests.browser.chatting import FINISHED, type_in
from tests.browser.conftest import Visit
from tests.browser.site import Site

MAX_BYTES = 60 * 1024
MAX_REQUESTS = 12
MAX_SHIFT = 0.0

WATCH = """() => {
  const seen = [], observer = new PerformanceObserver((list) => seen.push(...list.getEntries()));
  observer.observe({type: "layout-shift", buffered: true});
  window.__shift_since = (start) => { // also what the browser has seen and not yet told
    seen.push(...observer.takeRecords());
    return seen.filter((entry) => entry.startTime >= start).reduce((sum, entry) => sum + entry.value, 0);
  };
  new MutationObserver((_, me) => {
    if (!document.querySelector(".card")) return;
    me.disconnect();
    const inserted = performance.now();
    requestAnimationFrame(() => requestAnimationFrame(() => { window.__paint_ms = performance.now() - inserted; }));
  }).observe(document.body, {childList: true, subtree: true});
}"""


FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def told(capsys: pytest.CaptureFixture[str], text: str) -> None:
    """Print a figure past pytest's capture."""
    with capsys.disabled():
        sys.stdout.write(f"\n{text}\n")


def on_the_wire(page: Page, url: str) -> tuple[int, list[Response]]:
    """Bytes of body and header without pictures, and every response, of a first visit to `url`."""
    seen: list[Response] = []
    page.on("response", lambda response: seen.append(response))
    page.goto(url, wait_until="networkidle")
    sizes = [each.request.sizes() for each in seen if each.request.resource_type != "image"]
    return sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes), seen


def test_the_first_page_is_light(visit: Visit, capsys: pytest.CaptureFixture[str]) -> None:
    page = visit("/static/icon.svg")
    size, seen = on_the_wire(page, "/")
    told(capsys, f"first page: {size / 1024:.1f} KiB without pictures, {len(seen)} requests")
    assert size <= MAX_BYTES
    assert len(seen) <= MAX_REQUESTS


def test_nothing_moves_when_cards_stream_in(visit: Visit, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    page = visit()
    page.evaluate(WATCH)
    shift = 0.0
    for number, words in enumerate(("lamp", "mug", "tee")):
        site.model.hold()
        type_in(page, words)
        page.locator(".turn[id][data-status=running]").wait_for()
        page.evaluate(FRAMES)
        held = page.evaluate("performance.now()")
        site.model.release()
        page.locator(FINISHED).nth(number).wait_for()
        page.evaluate(FRAMES)
        shift += page.evaluate("held => window.__shift_since(held)", held)
    told(capsys, f"layout shift over three answers: {shift:.4f}")
    told(capsys, f"first card painted {page.evaluate('window.__paint_ms'):.0f} ms after it was inserted")
    assert shift <= MAX_SHIFT
