"""What stands around a model: one safe second try, a breaker, a fallback, a second look at its questions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shopping_agent.actions import Action, Clarify, GetProductDetails, Search
from shopping_agent.breaker import COOL_OFF_S, FAILURES, Breaker
from shopping_agent.errors import ModelError, ModelRefusedError, ModelReplyError, ModelUnavailableError
from shopping_agent.fallback import Fallback
from shopping_agent.model import Decision, DecisionRequest
from shopping_agent.retry import Retry
from shopping_agent.second_look import SecondLook
from shopping_agent.testing import ScriptedModel
from shopping_agent.usage import Usage

LAMP = Search(keywords=["lamp"])
ONE_CALL = Usage(calls=1, input_tokens=1000, output_tokens=50)
REQUEST = DecisionRequest("a lamp", deadline_s=100.0)


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def busy(reason: str = "rate_limit", retry_after_s: float | None = None) -> ModelUnavailableError:
    return ModelUnavailableError("busy", reason=reason, usage=ONE_CALL, retry_after_s=retry_after_s)


def retrying(clock: Clock, *steps: Action | ModelError) -> Retry:
    return Retry(ScriptedModel(steps), sleep=clock.sleep, clock=clock)


@pytest.mark.parametrize(("retry_after_s", "waited_s"), [(None, 0.3), (0.0, 0.0), (1.0, 1.0), (5.0, 5.0)])
def test_a_busy_service_is_asked_once_more_after_the_time_it_told(retry_after_s: float | None, waited_s: float) -> None:
    clock = Clock()
    decision = retrying(clock, busy(retry_after_s=retry_after_s), LAMP).decide(REQUEST)
    assert (clock.now_s, decision.usage.calls) == (waited_s, 2)


@pytest.mark.parametrize(
    ("error", "request_"),
    [
        (busy(retry_after_s=60), REQUEST),
        (busy("timeout"), REQUEST),
        (busy("open_after_timeout"), REQUEST),
        (busy(retry_after_s=3), DecisionRequest("a lamp", deadline_s=4.0)),
        (busy(), DecisionRequest("a lamp", max_calls=1)),
        (ModelRefusedError("no credit", reason="quota", usage=ONE_CALL), REQUEST),
        (ModelReplyError("nonsense", usage=ONE_CALL), REQUEST),
    ],
)
def test_what_waiting_does_not_help_is_not_tried_again(error: ModelError, request_: DecisionRequest) -> None:
    clock = Clock()
    with pytest.raises(type(error)):
        retrying(clock, error, LAMP).decide(request_)
    assert clock.now_s == 0


def test_two_failures_count_both_and_are_the_last() -> None:
    with pytest.raises(ModelUnavailableError) as caught:
        retrying(Clock(), busy(), busy(), LAMP).decide(REQUEST)
    assert caught.value.usage == ONE_CALL + ONE_CALL


def breaking(clock: Clock, *steps: Action | ModelError) -> tuple[Breaker, ScriptedModel]:
    inner = ScriptedModel(steps)
    return Breaker(inner, clock=clock), inner


def refused(breaker: Breaker) -> str:
    with pytest.raises(ModelError) as caught:
        breaker.decide(REQUEST)
    return caught.value.reason


def test_a_model_that_keeps_failing_is_left_alone_and_then_probed_once() -> None:
    clock = Clock()
    breaker, inner = breaking(clock, *[busy("timeout")] * FAILURES, busy("timeout"), LAMP, LAMP)
    assert [refused(breaker) for _ in range(FAILURES)] == ["timeout"] * FAILURES
    assert refused(breaker) == "open_after_timeout"
    assert len(inner.requests) == FAILURES
    clock.now_s += COOL_OFF_S
    assert (refused(breaker), refused(breaker)) == ("timeout", "open_after_timeout")
    clock.now_s += COOL_OFF_S
    assert breaker.decide(REQUEST).action == breaker.decide(REQUEST).action == LAMP
    assert not breaker.is_open


def test_while_the_probe_is_under_way_nobody_else_asks() -> None:
    clock = Clock()
    seen: list[str] = []

    class Probed(ScriptedModel):
        def decide(self, request: DecisionRequest) -> Decision:
            if seen:
                seen.append(refused(breaker))
            return super().decide(request)

    breaker = Breaker(Probed([busy("key"), LAMP]), failures=1, clock=clock)
    refused(breaker)
    clock.now_s += COOL_OFF_S
    seen.append("probing")
    breaker.decide(REQUEST)
    assert seen == ["probing", "open_after_key"]


@pytest.mark.parametrize("reason", ["key", "quota", "model"])
def test_what_an_operator_must_mend_opens_at_once(reason: str) -> None:
    breaker, _ = breaking(Clock(), ModelRefusedError("x", reason=reason), LAMP)
    assert (refused(breaker), refused(breaker)) == (reason, f"open_after_{reason}")


@pytest.mark.parametrize(
    "error",
    [ModelRefusedError("our own payload", reason="request"), ModelReplyError("x"), busy("no_call_left")],
)
def test_a_fault_of_one_message_does_not_cost_the_next_one(error: ModelError) -> None:
    breaker, _ = breaking(Clock(), *[error] * 10, LAMP)
    for _ in range(10):
        refused(breaker)
    assert breaker.decide(REQUEST).action == LAMP


def test_a_probe_that_was_abandoned_leaves_the_next_one_to_probe() -> None:
    clock = Clock()

    class Abandoned(ScriptedModel):
        def decide(self, request: DecisionRequest) -> Decision:
            if len(self.requests) == 1:
                self.requests.append(request)
                raise KeyboardInterrupt
            return super().decide(request)

    breaker = Breaker(Abandoned([busy("key"), LAMP]), failures=1, clock=clock)
    refused(breaker)
    clock.now_s += COOL_OFF_S
    with pytest.raises(KeyboardInterrupt):
        breaker.decide(REQUEST)
    assert breaker.decide(REQUEST).action == LAMP


def test_a_fallback_decides_in_its_place_and_says_why_with_all_usage() -> None:
    first, second = ScriptedModel([busy("timeout")]), ScriptedModel([LAMP])
    decision = Fallback(first, second).decide(REQUEST)
    assert (decision.action, decision.model, decision.fallback) == (LAMP, "scripted", "timeout")
    assert decision.usage == ONE_CALL + Usage(calls=1)
    assert second.requests[0].max_calls == 0


def test_without_a_call_left_the_first_is_not_asked() -> None:
    decision = Fallback(ScriptedModel([]), ScriptedModel([LAMP])).decide(DecisionRequest("x", max_calls=0))
    assert decision.fallback == "no_call_left"


def looked(question: Action, own: Action | None) -> Decision:
    second = ScriptedModel([own] if own else [])
    return SecondLook(ScriptedModel([question]), second).decide(DecisionRequest("black hiking boots under 150"))


@pytest.mark.parametrize(
    ("question", "own"),
    [
        (Clarify(question="Which colour would you like?"), Search(keywords=["boots"], colors=["Black"])),
        (Clarify(question="Welche Farbe?"), Search(keywords=["boots"], colors=["Black"])),
        (Clarify(question="And which one?", about="price"), Search(keywords=["boots"], max_price=150)),
        (Clarify(question="What is your budget?"), Search(keywords=["boots"], max_price=150)),
        (Clarify(question="Which size do you wear?"), Search(keywords=["boots"], sizes=["42"])),
    ],
)
def test_a_question_that_was_answered_already_becomes_the_search(question: Clarify, own: Search) -> None:
    decision = looked(question, own)
    assert (decision.action, decision.repairs) == (own, ("asked_already",))


@pytest.mark.parametrize("words", ["clarify", "It costs $5, ok?", "", "See www.evil.example?"])
def test_a_question_that_cannot_be_asked_is_no_decision(words: str) -> None:
    own = Search(keywords=["boots"])
    decision = looked(Clarify(question=words), own)
    assert (decision.action, decision.repairs) == (own, ("no_usable_question",))


@pytest.mark.parametrize(
    ("question", "own"),
    [
        (Clarify(question="Which size do you wear?"), Search(keywords=["boots"], colors=["Black"])),
        (Clarify(question="Which colour?"), Clarify(question="What kind of product?")),
        (Clarify(question="Which colour?"), Search(keywords=[], colors=["Black"])),
        (Clarify(question="Who is it for?"), None),
        (Search(keywords=["boots"]), None),
        (GetProductDetails(product_id="1"), None),
    ],
)
def test_a_question_that_is_open_is_asked(question: Action, own: Action | None) -> None:
    assert looked(question, own).action == question


class TwoWishes(ScriptedModel):
    """Reads two wishes in every message."""

    def decide(self, request: DecisionRequest) -> Decision:
        return Decision(
            Search(keywords=["lamps"], max_price=50), "own", later=(Search(keywords=["monitor"], max_price=300),)
        )


@pytest.mark.parametrize(
    ("message", "chosen", "later"),
    [
        (
            "a lamp under 50 and a monitor under 300",
            Search(keywords=["lamp"]),
            (Search(keywords=["monitor"], max_price=300),),
        ),
        ("a lamp under 50 and a monitor under 300", Search(keywords=["lamp", "monitor"]), ()),
        ("boots and a hat", Search(keywords=["boots"]), ()),
        ("a lamp under 50", Search(keywords=["lamp"]), ()),
    ],
)
def test_a_second_wish_that_the_model_forgot_is_kept(message: str, chosen: Search, later: tuple[Search, ...]) -> None:
    look = SecondLook(ScriptedModel([chosen]), TwoWishes([]))
    assert look.decide(DecisionRequest(message)).later == later


@pytest.mark.parametrize(
    "wrap",
    [
        Retry,
        Breaker,
        lambda inner: Fallback(inner, ScriptedModel([])),
        lambda inner: SecondLook(inner, ScriptedModel([])),
    ],
)
def test_a_wrapper_has_its_models_name_and_closes_it(wrap: Callable[[ScriptedModel], Fallback]) -> None:
    inner = ScriptedModel([LAMP])
    wrapped = wrap(inner)
    assert wrapped.name == "scripted"
    with pytest.raises(AssertionError, match="never played"):
        wrapped.close()
