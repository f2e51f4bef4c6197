"""The chat in a real browser: what shoppers of other assistants reported as broken does not break here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Page, Route, expect

from search_client.models import Money, Product
from tests.browser.chatting import FINISHED, say, titles, type_in
from tests.browser.conftest import Visit
from tests.browser.site import Site
from tests.web.shop import LAMP, PRODUCTS

HOSTILE = replace(
    LAMP,
    id='h"><script>window.__p=0</script>',
    title="Vase <img src=x onerror=window.__p=1>",
    brand='x" onmouseover="window.__p=2',
    description="<script>window.__p=3</script><svg onload=window.__p=4> [order](javascript:alert(1)) a vase",
    images=("javascript:window.__p=5", "data:image/svg+xml,<svg onload=window.__p=6>"),
    url="javascript:window.__p=7",
    attributes=(("Glaze <b>x</b>", "<iframe srcdoc='<script>parent.__p=8</script>'>"),),
)
ODD_PICTURES = (
    Product(id="o1", title="Plant pot without picture", price=Money(100, "USD")),
    Product(id="o2", title="Plant pot, dead picture", price=Money(100, "USD"), images=("/pictures/gone.svg",)),
    Product(id="o4", title="Plant pot over http", price=Money(100, "USD"), images=("http://127.0.0.2/pot.png",)),
    Product(id="o3", title="Plant pot " + "x" * 290, price=Money(100, "USD"), images=("/static/icon.svg?wide",)),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    opened = Site(tmp_path_factory.mktemp("site"), products=(*PRODUCTS, HOSTILE, *ODD_PICTURES))
    yield opened
    opened.close()


def test_a_shopper_finds_compares_and_asks(visit: Visit) -> None:
    page = visit()
    assert titles(say(page, "lamp")) == ["Lumo Floor Lamp", "Lumo Desk Lamp", "Kite Lamp"]
    expect(say(page, "compare the first two").locator("tr.differs th").first).to_contain_text("Price")
    expect(say(page, "about 2 waterproof").locator(".quote").first).to_have_text("Waterproof: No")
    expect(page.locator("#conversations a")).to_have_text("lamp")


def test_cards_are_there_again_after_a_reload(visit: Visit) -> None:
    page = visit()
    before = titles(say(page, "lamp"))
    page.reload()
    assert titles(page) == before
    assert titles(say(page, "tee")) == ["Acme Tee"]
    expect(page.locator(".said")).to_have_count(2)


# A connection that stays open after the last event, as behind a slow proxy.
NEVER_CLOSED = """() => {
  const real = window.fetch;
  window.fetch = async (...all) => {
    const response = await real(...all), reader = response.body.getReader();
    const body = new ReadableStream({
      async pull(to) {
        const {value, done} = await reader.read();
        return done ? new Promise(() => {}) : to.enqueue(value);
      }
    });
    return new Response(body, {status: response.status, headers: response.headers});
  };
}"""


def test_enter_of_an_input_method_sends_nothing(visit: Visit, site: Site) -> None:
    page = visit()
    page.locator("#message").fill("かさ")
    before = site.model.decisions
    for name, detail in (
        ("compositionstart", {}),
        ("keydown", {"key": "Enter", "isComposing": True, "keyCode": 229}),
        ("compositionend", {}),
        ("keydown", {"key": "Enter", "keyCode": 229}),  # Safari: composition has ended, the key code still tells
    ):
        page.locator("#message").dispatch_event(name, detail)
    expect(page.locator(".turn")).to_have_count(0)
    page.locator("#message").press("Shift+Enter")
    expect(page.locator("#message")).to_have_value("かさ\n")
    page.locator("#message").press("Enter")
    page.locator(FINISHED).wait_for()
    assert site.model.decisions == before + 1


def test_impatient_clicks_send_one_message(visit: Visit, site: Site) -> None:
    page = visit()
    before = site.model.decisions
    site.model.hold()
    page.locator("#message").fill("lamp")
    page.locator(".send:not(.halt)").dblclick(delay=5)
    for _ in range(3):
        page.locator("#message").press("Enter")
    site.model.release()
    page.locator(FINISHED).wait_for()
    expect(page.locator(".turn")).to_have_count(1)
    assert site.model.decisions == before + 1


def test_a_double_click_on_send_stops_nothing_where_the_stop_button_comes_up(visit: Visit, site: Site) -> None:
    page = visit()
    say(page, "tee")
    site.model.hold()
    page.locator("#message").fill("lamp")
    page.locator(".send:not(.halt)").dblclick(delay=5)
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    site.model.release()
    page.locator(FINISHED).nth(1).wait_for()
    expect(page.locator("#message")).to_be_focused()
    assert len(titles(page)) == 4


def test_the_next_message_need_not_wait_for_the_end_of_the_stream(visit: Visit) -> None:
    page = visit()
    page.evaluate(NEVER_CLOSED)
    assert titles(say(page, "lamp")) == ["Lumo Floor Lamp", "Lumo Desk Lamp", "Kite Lamp"]
    assert titles(say(page, "tee")) == ["Acme Tee"]


def test_what_a_catalog_says_is_text_and_never_runs(visit: Visit) -> None:
    page = visit()
    turn = say(page, "vase")
    expect(turn.locator(".card h3")).to_have_text("Vase <img src=x onerror=window.__p=1>")
    turn.locator(".card").hover()
    turn.locator(".card h3 a").click()
    expect(page.locator("h1")).to_have_text("Vase <img src=x onerror=window.__p=1>")
    page.go_back()
    say(page, "about 1")
    say(page, "ask <b>which</b> [x](javascript:window.__p=9) vase?")
    assert page.evaluate("window.__p") is None
    links = page.locator("a").evaluate_all("all => all.map(a => a.protocol)")
    assert set(links) <= {"http:", "https:"}


def test_odd_pictures_and_names_break_no_card(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 800})
    turn = say(page, "plant pot")
    expect(turn.locator(".nopic")).to_have_count(3)
    expect(turn.locator(".card").nth(1).locator(".nopic")).to_have_attribute("aria-label", "Plant pot, dead picture")
    shapes = turn.locator(".card .pic").evaluate_all("all => all.map(e => e.clientWidth + 'x' + e.clientHeight)")
    assert len(set(shapes)) == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_a_reader_who_scrolled_up_stays_there(visit: Visit, site: Site) -> None:
    page = visit(viewport={"width": 800, "height": 600})
    for _ in range(3):
        say(page, "lamp")
    site.model.hold()
    type_in(page, "mug")
    page.locator(".turn[data-status=running] .progress").wait_for()
    page.evaluate("scrollTo(0, 200)")
    site.model.release()
    page.locator(FINISHED).nth(3).wait_for()
    assert page.evaluate("scrollY") == 200
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    turn = say(page, "lamp")
    expect(turn.locator(".lead")).to_be_in_viewport()


FAULTS: dict[str, Callable[[Route], None]] = {
    "the server answers 500": lambda route: route.fulfill(status=500, body="<h1>boom</h1>", content_type="text/html"),
    "a proxy answers in its own words": lambda route: route.fulfill(status=502, body="Bad gateway"),
    "the connection is refused": lambda route: route.abort("connectionrefused"),
    "the stream is cut off": lambda route: route.fulfill(
        body='event: action_chosen\ndata: {"html": "<p class=\\"progress\\">Looking…</p>"}\n\nevent: resu',
        content_type="text/event-stream",
    ),
    "the stream is broken": lambda route: route.fulfill(
        body="event: turn_started\ndata: {oops\n\n", content_type="text/event-stream"
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_and_the_message_can_be_sent_again(visit: Visit, fault: str) -> None:
    page = visit()
    page.route("**/chat", FAULTS[fault], times=1)
    type_in(page, "lamp")
    expect(page.get_by_role("alert").filter(has_text="kept here")).to_be_visible()
    expect(page.locator(".said")).to_have_text("lamp")
    expect(page.locator(".progress")).to_have_count(0)
    expect(page.locator(".send:not(.halt)")).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    page.locator(FINISHED).wait_for()
    expect(page.locator(".said")).to_have_count(1)
    assert len(titles(page)) == 3


# What a browser tells a page whose network goes or comes. Chromium's own emulation takes effect some time later.
ONLINE = """(online) => {
  Object.defineProperty(navigator, "onLine", {value: online, configurable: true});
  dispatchEvent(new Event(online ? "online" : "offline"));
}"""


def test_a_shopper_who_is_offline_is_told_so(visit: Visit) -> None:
    page = visit()
    page.route("**/chat", lambda route: route.abort("internetdisconnected"), times=1)
    page.evaluate(ONLINE, False)
    expect(page.locator("#offline")).to_be_visible()
    type_in(page, "lamp")
    expect(page.get_by_role("alert").filter(has_text="offline")).to_be_visible()
    page.evaluate(ONLINE, True)
    expect(page.locator("#offline")).to_be_hidden()
    page.get_by_role("button", name="Try again").click()
    page.locator(FINISHED).wait_for()
    assert len(titles(page)) == 3


def test_a_stopped_turn_stops_and_the_chat_goes_on(visit: Visit, site: Site) -> None:
    page = visit()
    site.model.hold()
    type_in(page, "lamp")
    page.locator(".turn[id]").wait_for()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".stopped")).to_contain_text("Stopped")
    site.model.release()
    assert titles(say(page, "tee")) == ["Acme Tee"]
    page.reload()
    expect(page.locator(".stopped")).to_have_count(1)


def test_a_page_loaded_while_a_turn_runs_gets_its_answer(visit: Visit, site: Site) -> None:
    page = visit()
    say(page, "tee")
    site.model.hold()
    type_in(page, "lamp")
    page.locator(".turn[id][data-status=running]").wait_for()
    page.reload()
    expect(page.locator(".progress")).to_be_visible()
    site.model.release()
    page.locator(FINISHED).nth(1).wait_for()
    assert titles(page)[1:] == ["Lumo Floor Lamp", "Lumo Desk Lamp", "Kite Lamp"]


def test_a_screen_reader_hears_the_answer_once(visit: Visit) -> None:
    page = visit()
    log = page.get_by_role("log", name="Conversation")
    turn = say(page, "lamp")
    expect(log).to_have_attribute("aria-busy", "false")
    expect(page.locator("#message")).to_be_focused()
    expect(page.get_by_role("textbox", name="Your message")).to_be_visible()
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_visible()
    assert turn.get_by_role("article").count() == 3
    quiet = turn.locator(".answer > :not(.lead):not(.notice)").evaluate_all("all => all.map(e => e.ariaLive)")
    assert set(quiet) == {"off"}
    expect(say(page, "fail").get_by_role("alert")).to_contain_text("Your message is kept")


def test_the_last_message_can_be_edited(visit: Visit) -> None:
    page = visit()
    say(page, "lamp")
    page.locator("summary", has_text="Edit").click()
    page.locator(".revise textarea").fill("tee")
    page.get_by_role("button", name="Send again").click()
    expect(page.locator(".said")).to_contain_text("tee")
    page.locator(FINISHED).wait_for()
    assert titles(page) == ["Acme Tee"]
    page.reload()
    expect(page.locator(".said")).to_have_count(1)


def test_a_filter_is_changed_without_the_model(visit: Visit, site: Site) -> None:
    page = visit()
    turn = say(page, "under 50 lamp")
    before = site.model.decisions
    assert titles(turn) == ["Lumo Desk Lamp", "Kite Lamp"]
    page.get_by_role("button", name="Remove: Up to $50").click()
    expect(page.locator(".card")).to_have_count(3)
    expect(page.locator(".lead")).to_be_focused()
    page.get_by_role("button", name="Lumo 2").click()
    expect(page.locator(".card")).to_have_count(2)
    page.get_by_role("link", name="Change: Lumo").click()
    page.get_by_label("Price to").fill("45")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".card")).to_have_count(1)
    page.reload()
    assert titles(page) == ["Lumo Desk Lamp"]
    assert site.model.decisions == before


def test_more_products_come_below_and_the_keyboard_goes_to_them(visit: Visit) -> None:
    page = visit()
    say(page, "mug")
    expect(page.locator(".card")).to_have_count(8)
    page.get_by_role("button", name="Show more").press("Enter")
    expect(page.locator(".card")).to_have_count(16)
    expect(page.locator(".card h3 a").nth(8)).to_be_focused()


def test_four_products_can_be_compared_and_not_five(visit: Visit) -> None:
    page = visit(viewport={"width": 1280, "height": 1500})
    say(page, "mug")
    for number in range(5):
        page.locator(".picked").nth(number).click()
    expect(page.locator("#toast")).to_contain_text("Up to four")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator("thead th")).to_have_count(4)


def test_a_variant_is_chosen_and_bought_beside_the_page(visit: Visit) -> None:
    page = visit("/product?id=tee")
    expect(page.get_by_text("Choose the options first.")).to_be_visible()
    page.get_by_role("link", name="Blue").click()
    page.get_by_role("link", name="M – Out of stock").click()
    expect(page.get_by_text("This cannot be bought right now.")).to_be_visible()
    page.get_by_role("link", name="Red").click()
    expect(page.get_by_role("link", name="Red")).to_have_attribute("aria-current", "true")
    expect(page.locator("#offer")).to_contain_text("$17.00")
    page.get_by_role("button", name="Add to cart").click()
    expect(page.locator("#toast")).to_contain_text("Added to the cart: Acme Tee (Red, M).")
    page.locator("#cart-link").click()
    drawer = page.get_by_role("dialog")
    expect(drawer.locator(".total")).to_contain_text("$17.00")
    drawer.get_by_role("button", name="One more: Acme Tee").click()
    expect(drawer.locator(".total")).to_contain_text("$34.00")
    drawer.get_by_role("button", name="Remove: Acme Tee").click()
    expect(drawer).to_contain_text("Your cart is empty.")


def test_a_question_on_a_product_page_is_answered_there(visit: Visit) -> None:
    page = visit("/product?id=lamp")
    turn = say(page, "about lamp waterproof")
    expect(turn.locator(".quote").first).to_have_text("Waterproof: No")
    assert page.url.endswith("/product?id=lamp")


def test_only_the_keyboard_is_needed(visit: Visit) -> None:
    page = visit()
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the content")).to_be_focused()
    page.locator("#message").focus()
    page.keyboard.type("under 50 lamp")
    page.keyboard.press("Enter")
    page.locator(FINISHED).wait_for()
    reach(page, "Remove: Up to $50")
    page.keyboard.press("Enter")
    expect(page.locator(".card")).to_have_count(3)
    reach(page, "Save for later: Lumo Floor Lamp")
    page.keyboard.press("Enter")
    expect(page.locator(".save").first).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".save").first).to_be_focused()
    reach(page, "Add to cart: Lumo Floor Lamp")
    page.keyboard.press("Enter")
    expect(page.locator("#cart-link")).to_contain_text("1")


def reach(page: Page, name: str) -> None:
    """Press Tab until the thing called `name` has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.ariaLabel || document.activeElement.innerText") == name:
            return
    raise AssertionError(f"the keyboard never reaches {name!r}")
