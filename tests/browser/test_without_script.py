"""The whole shop with JavaScript off: chat, filters, product, comparison, cart, saved, chats."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit


@pytest.fixture
def page(visit: Visit) -> Page:
    return visit(java_script_enabled=False, viewport={"width": 1280, "height": 1400})


def say(page: Page, message: str) -> None:
    """Send the form and wait for the whole page."""
    page.locator("#message").fill(message)
    press(page.locator(".send:not(.halt)"))


def press(button: Locator) -> None:
    """Click what sends a form or leads elsewhere, and wait for the whole page that comes."""
    with button.page.expect_navigation():
        button.click()


def names(page: Page) -> Locator:
    """Names of the cards, in order."""
    return page.locator(".card h3")


def test_a_message_is_answered_and_filters_are_buttons(page: Page) -> None:
    say(page, "under 50 lamp")
    expect(names(page)).to_have_text(["Lumo Desk Lamp", "Kite Lamp"])
    press(page.get_by_role("button", name="Remove: Up to $50"))
    expect(names(page)).to_have_text(["Lumo Floor Lamp", "Lumo Desk Lamp", "Kite Lamp"])
    page.get_by_role("link", name="Change: lamp").click()
    page.get_by_label("Words").fill("mug")
    press(page.get_by_role("button", name="Apply"))
    expect(page.locator(".card")).to_have_count(8)
    press(page.get_by_role("button", name="Show more"))
    expect(page.locator(".card")).to_have_count(16)


def test_an_empty_result_offers_what_to_leave_out(page: Page) -> None:
    say(page, "under 1 lamp")
    expect(page.locator(".lead")).to_contain_text("Nothing found")
    press(page.get_by_role("button", name="Leave out “Up to $1”"))
    expect(page.locator(".card")).to_have_count(3)


def test_products_are_ticked_and_compared(page: Page) -> None:
    say(page, "lamp")
    page.locator(".picked").nth(0).check()
    page.locator(".picked").nth(1).check()
    press(page.get_by_role("button", name="Compare", exact=True))
    expect(page.locator("thead th")).to_have_count(2)
    expect(page.get_by_text("not stated").first).to_be_visible()


def test_a_variant_is_chosen_bought_changed_and_removed(page: Page) -> None:
    page.goto("/product?id=tee")
    press(page.get_by_role("link", name="Red"))
    press(page.get_by_role("link", name="M", exact=True))
    press(page.get_by_role("button", name="Add to cart"))
    expect(page.get_by_role("status").filter(has_text="Added to the cart")).to_be_visible()
    expect(page.locator(".total")).to_contain_text("$17.00")
    press(page.get_by_role("button", name="One more"))
    expect(page.locator(".total")).to_contain_text("$34.00")
    press(page.get_by_role("button", name="Remove"))
    expect(page.get_by_text("Your cart is empty.")).to_be_visible()


def test_a_product_is_saved_and_asked_about(page: Page) -> None:
    page.goto("/product?id=lamp")
    press(page.get_by_role("button", name="Save for later"))
    press(page.locator("#saved-link"))
    expect(names(page)).to_have_text(["Lumo Desk Lamp"])
    page.goto("/product?id=lamp")
    say(page, "about lamp waterproof")
    expect(page.locator(".quote").first).to_have_text("Waterproof: No")


def test_chats_are_renamed_and_deleted_for_good(page: Page) -> None:
    say(page, "lamp")
    page.goto("/conversations")
    page.get_by_text("Rename", exact=True).click()
    page.get_by_label("Title").fill("Lights")
    press(page.get_by_role("button", name="Save", exact=True))
    press(page.get_by_role("link", name="Lights"))
    address = page.url
    page.goto("/conversations")
    page.get_by_text("Delete", exact=True).click()
    press(page.get_by_role("button", name="Delete for good"))
    expect(page.get_by_text("No chats yet.")).to_be_visible()
    response = page.goto(address)
    assert response is not None
    assert response.status == 404


def test_a_failed_message_is_tried_again_and_an_answer_rated(page: Page) -> None:
    say(page, "fail")
    expect(page.get_by_role("alert").filter(has_text="kept")).to_be_visible()
    press(page.get_by_role("button", name="Try again"))
    expect(page.locator("#log .said")).to_have_count(1)
    say(page, "lamp")
    press(page.get_by_role("button", name="Not helpful"))
    page.get_by_label("Wrong products").check()
    press(page.locator(".feedback").get_by_role("button", name="Send"))
    expect(page.get_by_role("button", name="Not helpful")).to_have_attribute("aria-pressed", "true")


def test_language_and_colours_are_chosen(page: Page) -> None:
    press(page.get_by_role("button", name="Deutsch"))
    expect(page.get_by_role("heading", name="Was suchst du?")).to_be_visible()
    press(page.get_by_role("button", name="Dunkel"))
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    say(page, "under 50 lamp")
    expect(page.locator(".price").first).to_contain_text("39,90 $")
