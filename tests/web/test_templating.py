"""Putting words, icons and parts in place changes no byte of a page."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from jinja2 import DictLoader, Environment

from shopping_agent.actions import Action, Clarify, GetProductDetails, Search
from tests.web.shop import Shop
from web.page import current_page
from web.rendering.stored import StoredAnswer
from web.rendering.turns import TurnView, fresh
from web.store.conversation_store import TurnRecord
from web.strings import Strings
from web.templating import in_language

TURN = TurnRecord("t", "c", 1, "a <lamp>", "answered", 0.0)


@pytest.mark.parametrize("language", ["en", "de", "ar"])
@pytest.mark.parametrize(
    "action",
    [
        Search(keywords=["lamp"], max_price=500, colors=["Red"]),
        GetProductDetails(product_id="tee", aspect="size"),
        GetProductDetails(product_id="lamp", compare_with=["floor"]),
        Clarify(question="Which one?", candidates=["lamp"]),
    ],
)
def test_an_answer_reads_the_same_put_together_beforehand(shop: Shop, action: Action, language: str) -> None:
    with shop.app.test_request_context("/", headers={"Accept-Language": language}):
        page = current_page()
        assert page.t.language == language
        result = action.execute(shop.catalog)
        stored = StoredAnswer.of(action, result, model="m", notices=("offline_fallback",))
        turns = (fresh(TURN, stored, result, page.t, currency="USD"), TurnView(TURN, "failed", failure="internal"))
        values: dict[str, object] = {
            "conversation": None,
            "conversations": (),
            "earlier": 0,
            "starters": (),
            "alert": "",
            "draft": "x",
        }
        values |= {"turns": turns, "viewing": "lamp", "about": "Lamp"}
        beforehand, as_written = (
            without_keys(each.render("chat.html", **values))
            for each in (page, replace(page, _templates=shop.app.jinja_env))
        )
    assert beforehand == as_written


def without_keys(html: str) -> str:
    """The page without the random keys of its forms."""
    return re.sub(r"\b[0-9a-f]{16}\b", "KEY", html)


def test_what_a_part_sets_ends_with_it() -> None:
    templates = Environment(
        loader=DictLoader({"whole": '{% set x = 1 %}{% include "part" %}{{ x }}', "part": "{% set x = 2 %}{{ x }}\n"}),
        autoescape=True,
    )
    assert in_language(templates, "en").get_template("whole").render() == "21"


def test_words_with_values_wait_for_them() -> None:
    templates = Environment(loader=DictLoader({"a": "{{ t('results.count', count=n) }} {{ t('nav.close') }}"}))
    english = Strings("en")
    shown = in_language(templates, "en").get_template("a").render(t=english, n=2)
    assert shown == f"{english('results.count', count=2)} {english('nav.close')}"


def test_a_template_that_has_changed_is_compiled_anew() -> None:
    first, second = (
        in_language(Environment(loader=DictLoader({"changing": text})), "en").get_template("changing").render()
        for text in ("before", "after")
    )
    assert (first, second) == ("before", "after")
