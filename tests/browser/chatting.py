"""What a shopper does on the page."""

from __future__ import annotations

from playwright.sync_api import FrameLocator, Locator, Page

FINISHED = ".turn:not([data-status=running])"


def type_in(page: Page, message: str) -> None:
    """Type a message and send it with the Enter key."""
    page.locator("#message").fill(message)
    page.locator("#message").press("Enter")


def say(page: Page, message: str) -> Locator:
    """Send a message and wait for what comes of it: the turn."""
    before = page.locator(FINISHED).count()
    type_in(page, message)
    turn = page.locator(FINISHED).nth(before)
    turn.wait_for()
    return turn


def ready(page: Page | FrameLocator) -> None:
    """Wait until the page's script runs, where a click and not `goto` led to the page: it comes after the text."""
    page.locator("html.js").wait_for(state="attached")


def titles(place: Page | Locator) -> list[str]:
    """Names of the cards, in order."""
    return place.locator(".card h3").all_inner_texts()
