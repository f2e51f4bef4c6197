from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from search_client.client import SearchClient
from search_client.errors import (
    ProductNotFoundError,
    SearchClientError,
    SearchTimeoutError,
    SearchUnavailableError,
)
from search_client.models import ANYONE, SearchQuery, SearchResults, Shopper
from search_client.testing import FakeSearchClient
from search_client.wrappers import BreakingSearchClient, CachingSearchClient, RetryingSearchClient
from tests.search_client.shop import SHOP

SHIRTS = SearchQuery(("shirt",))


@dataclass
class Clock:
    """Time that passes only by sleeping."""

    now_s: float = 100.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now_s += seconds


class FlakyClient(FakeSearchClient):
    """Fails as scripted, once an entry; then answers. Counts the searches that reached it."""

    def __init__(self, *failures: SearchClientError) -> None:
        super().__init__(SHOP)
        self.failures = list(failures)
        self.searches = 0
        self.stale = False

    def search(self, query: SearchQuery, *, shopper: Shopper = ANYONE) -> SearchResults:
        self.searches += 1
        if self.failures:
            raise self.failures.pop(0)
        results = super().search(query, shopper=shopper)
        return SearchResults(query, results.hits, results.total, stale=True) if self.stale else results


def test_a_failure_is_tried_once_more_after_a_short_pause() -> None:
    flaky, clock = FlakyClient(SearchUnavailableError("down")), Clock()
    client = RetryingSearchClient(flaky, clock=clock, sleep=clock.sleep)
    assert client.search(SHIRTS).total == 3
    assert len(clock.slept) == 1
    assert 0.05 <= clock.slept[0] <= 0.15


@pytest.mark.parametrize(
    ("failures", "searches"),
    [
        ([SearchUnavailableError("down"), SearchUnavailableError("still down")], 2),
        ([SearchTimeoutError("slow")], 1),
        ([ProductNotFoundError("p9")], 1),
        ([SearchUnavailableError("later", retry_after_s=60)], 1),
    ],
)
def test_what_another_attempt_cannot_mend_is_raised(failures: list[SearchClientError], searches: int) -> None:
    flaky, clock = FlakyClient(*failures), Clock()
    with pytest.raises(SearchClientError):
        RetryingSearchClient(flaky, clock=clock, sleep=clock.sleep).search(SHIRTS)
    assert flaky.searches == searches


def test_a_service_that_says_when_is_asked_then() -> None:
    flaky, clock = FlakyClient(SearchUnavailableError("busy", retry_after_s=1)), Clock()
    RetryingSearchClient(flaky, clock=clock, sleep=clock.sleep).search(SHIRTS)
    assert clock.slept == [1]


def test_a_back_end_that_is_down_is_spared_then_probed_by_one_call() -> None:
    flaky, clock = FlakyClient(*[SearchUnavailableError("down")] * 4), Clock()
    client = BreakingSearchClient(flaky, failures=3, pause_s=5, clock=clock)
    for _ in range(3):
        with pytest.raises(SearchUnavailableError, match=r"^down"):
            client.search(SHIRTS)
    with pytest.raises(SearchUnavailableError, match="asked again in 5 s") as caught:
        client.search(SHIRTS)
    assert caught.value.retry_after_s == 5
    clock.now_s += 6
    with pytest.raises(SearchUnavailableError, match=r"^down"):
        client.search(SHIRTS)
    with pytest.raises(SearchUnavailableError, match="asked again"):
        client.search(SHIRTS)
    clock.now_s += 6
    assert client.search(SHIRTS).total == 3
    assert client.search(SHIRTS).total == 3
    assert flaky.searches == 6


def test_while_one_call_probes_the_others_fail_at_once() -> None:
    clock = Clock()

    class Nested(FlakyClient):
        def search(self, query: SearchQuery, *, shopper: Shopper = ANYONE) -> SearchResults:
            if clock.now_s > 105:
                with pytest.raises(SearchUnavailableError, match="asked again"):
                    client.search(query)
            return super().search(query, shopper=shopper)

    client = BreakingSearchClient(Nested(SearchUnavailableError("down")), failures=1, pause_s=5, clock=clock)
    with pytest.raises(SearchUnavailableError):
        client.search(SHIRTS)
    clock.now_s += 6
    assert client.search(SHIRTS).total == 3


def test_a_refusal_is_an_answer_and_resets_the_count() -> None:
    down, missing = SearchUnavailableError("down"), ProductNotFoundError("p9")
    client = BreakingSearchClient(FlakyClient(down, missing, down, missing), failures=2)
    for _ in range(4):
        with pytest.raises(SearchClientError, match=r"down|p9"):
            client.search(SHIRTS)
    assert client.search(SHIRTS).total == 3


def test_a_known_answer_is_not_searched_again_until_the_catalog_changes() -> None:
    flaky = FlakyClient()
    client = CachingSearchClient(flaky)
    assert client.search(SHIRTS) is client.search(SearchQuery(("shirt",)))
    flaky._revision += 1
    client.search(SHIRTS)
    assert flaky.searches == 2


def test_answers_are_kept_apart_by_who_asks() -> None:
    client = CachingSearchClient(FlakyClient())
    staff = Shopper(groups=("staff",))
    assert client.search(SHIRTS).total == 3
    assert client.search(SHIRTS, shopper=staff).total == 4
    assert client.search(SHIRTS, shopper=Shopper(id="me")).total == 3


def test_the_memory_is_bounded_and_forgets_what_was_used_least() -> None:
    flaky = FlakyClient()
    client = CachingSearchClient(flaky, max_answers=2)
    queries = [SearchQuery((word,)) for word in ("shirt", "mug", "shirt", "wool", "shirt", "mug")]
    for query in queries:
        client.search(query)
    assert flaky.searches == 4


def test_a_stale_answer_is_not_remembered() -> None:
    flaky = FlakyClient()
    flaky.stale = True
    client = CachingSearchClient(flaky)
    client.search(SHIRTS)
    client.search(SHIRTS)
    assert flaky.searches == 2


@pytest.mark.parametrize("wrap", [RetryingSearchClient, BreakingSearchClient, CachingSearchClient])
def test_a_wrapped_client_answers_as_the_client(wrap: Callable[[SearchClient], SearchClient]) -> None:
    plain, wrapped = FakeSearchClient(SHOP), wrap(FakeSearchClient(SHOP))
    assert wrapped.search(SHIRTS) == plain.search(SHIRTS)
    assert wrapped.get_product_details("p1") == plain.get_product_details("p1")
    assert wrapped.alternatives("p1", limit=1) == plain.alternatives("p1", limit=1)
    assert wrapped.vocabulary() == plain.vocabulary()
    wrapped.close()
    with pytest.raises(SearchClientError):
        wrapped.search(SHIRTS)
