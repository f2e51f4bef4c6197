"""The marks: what counts as right, by hand-made rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shopping_agent.testing import StubOpenAI, chooses, completion
from tests.evals import decider, decisions, trials
from tests.evals.scoring import confusion, mark, pass_all, says, shares, wrong_arguments


def row(kind: str = "search", row_id: str = "own-1", **expect: Any) -> dict[str, Any]:
    return {"id": row_id, "utterance": "x", "history": [], "kind": kind, "lang": "en", "expect": expect}


def search(**fields: Any) -> dict[str, Any]:
    return {"kind": "search", "keywords": ["running shoes"], **fields}


@pytest.mark.parametrize(
    ("got", "expect"),
    [
        (search(), {"must": ["shoe"]}),
        (search(keywords=["sneaker"]), {"must": ["shoes|sneakers"]}),
        (search(keywords=["aple"]), {"must": ["apple"], "typed_as": {"apple": "aple"}}),
        (search(keywords=["wall paper"]), {"must": ["wallpaper"]}),
        (search(brands=["Nike"], colors=["Red"], sizes=["42"]), {"brand": "nike", "color": "red", "size": "42"}),
        (search(max_price=29.99), {"max_price": 30}),
        (search(min_rating=4.0, sort="price_asc"), {"min_rating": 4, "sort": "price_asc"}),
        (search(exclude=["leather shoes"]), {"exclude": ["leather"]}),
        ({"kind": "details", "product_id": "P1"}, {"product_id": "p1"}),
        ({"kind": "clarify"}, {"reason": "greeting"}),
    ],
)
def test_what_is_right_has_no_fault(got: dict[str, Any], expect: dict[str, Any]) -> None:
    assert list(wrong_arguments(got, expect)) == []


@pytest.mark.parametrize(
    ("got", "expect", "wrong"),
    [
        (search(), {"must": ["boots"]}, ["must:boots"]),
        (search(exclude=["boots"]), {"must": ["boots"]}, ["must:boots"]),
        (search(), {"brand": "nike"}, ["brand"]),
        (search(max_price=None), {"max_price": 30}, ["max_price"]),
        (search(max_price=40), {"max_price": 30}, ["max_price"]),
        (search(sort="relevance"), {"sort": "rating"}, ["sort"]),
        (search(), {"exclude": ["leather"]}, ["exclude:leather"]),
        ({"kind": "details", "product_id": "p2"}, {"product_id": "p1"}, ["product_id"]),
    ],
)
def test_what_is_wrong_is_named(got: dict[str, Any], expect: dict[str, Any], wrong: list[str]) -> None:
    assert list(wrong_arguments(got, expect)) == wrong


def test_accents_case_and_spacing_do_not_count() -> None:
    assert says("Café", "the cafe latte")
    assert not says("", "anything")


def test_shares_confusion_and_pass_all_add_up() -> None:
    right, half, off = (
        mark(row(must=["shoe"]), search()),
        mark(row(row_id="own-2", must=["boot"]), search()),
        mark(row("clarify", "other-1"), search()),
    )
    told = shares([right, half, off])
    assert (told["all"].rows, round(told["all"].action, 2), round(told["all"].whole, 2)) == (3, 0.67, 0.33)
    assert list(told) == ["all", "kind:search", "kind:clarify", "lang:en", "source:own", "source:other"]
    assert confusion([right, off]) == {("search", "search"): 1, ("clarify", "search"): 1}
    assert pass_all([[right, half], [right, right]]) == 0.5
    assert pass_all([]) == 0.0


def test_a_run_is_kept_and_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ASSISTANT_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(decisions, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(trials, "main", lambda: 0)
    rows = [row(must=["lamp"]) | {"utterance": "a desk lamp"}, row("clarify", "own-2") | {"utterance": "hello"}]
    rows.append(row("clarify", "own-3") | {"utterance": "hm", "debatable": True})
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(json.dumps(one) for one in rows), encoding="utf-8")
    options = [
        "--file",
        str(file),
        "--resume",
        "--repeat",
        "2",
        "--debatable",
        "--misses",
        "3",
        "--json",
        str(tmp_path / "o"),
    ]
    assert decisions.main(options) == 0
    kept = next((tmp_path / "kept").iterdir())
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 5
    monkeypatch.setattr(decider, "decided", None)
    assert decisions.main(options) == 0
    assert "pass^2: 1.000" in capsys.readouterr().out
    assert json.loads((tmp_path / "o").read_text(encoding="utf-8"))["pass_all"] == 1.0


def test_a_service_named_by_the_environment_is_asked_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    stub = StubOpenAI([chooses(kind="details", product_id="2"), completion(text="%%"), completion(text="%%")])
    for cached in (decider.settings, decider.model):
        cached.cache_clear()
    with stub.serve() as url:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        history = [{"role": "assistant", "content": "1. Mug (ID: m1)\n2. Cup (ID: m2)"}]
        made = decider.decided("the second one", history)
        assert (made.action["product_id"], made.usage.calls) == ("m2", 1)
        broken = decisions._decided(row() | {"utterance": "a lamp"}, 0)
        assert (broken.action["kind"], broken.usage.calls) == ("error unusable_reply", 2)
        decider.model().close()
    for cached in (decider.settings, decider.model):
        cached.cache_clear()
