"""What any search client can be given by wrapping it: a second attempt, a rest for a service that is down, a memory."""

from __future__ import annotations

import random
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

from search_client.client import SearchClient
from search_client.errors import SearchTimeoutError, SearchUnavailableError
from search_client.models import ANYONE, Hit, Product, SearchQuery, SearchResults, Shopper, Vocabulary

T = TypeVar("T")


class RetryingSearchClient:
    """Asks once more where the back-end does not answer: every call only reads, so every call may be repeated.

    Not after a time-out, which would double the load of a slow service, and not where the wait that the service asks
    for, or the next attempt, would begin after `within_s`.
    """

    def __init__(
        self,
        client: SearchClient,
        *,
        attempts: int = 2,
        pause_s: float = 0.1,
        within_s: float = 3.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = client
        self._attempts = attempts
        self._pause_s = pause_s
        self._within_s = within_s
        self._clock = clock
        self._sleep = sleep

    def search(self, query: SearchQuery, *, shopper: Shopper = ANYONE) -> SearchResults:
        return self._try(lambda: self._client.search(query, shopper=shopper))

    def get_product_details(self, product_id: str, *, shopper: Shopper = ANYONE) -> Product:
        return self._try(lambda: self._client.get_product_details(product_id, shopper=shopper))

    def alternatives(self, product_id: str, *, limit: int = 4, shopper: Shopper = ANYONE) -> tuple[Hit, ...]:
        return self._try(lambda: self._client.alternatives(product_id, limit=limit, shopper=shopper))

    def vocabulary(self) -> Vocabulary:
        return self._try(self._client.vocabulary)

    def close(self) -> None:
        self._client.close()

    def _try(self, call: Callable[[], T]) -> T:
        end = self._clock() + self._within_s
        for attempt in range(1, self._attempts):
            try:
                return call()
            except SearchTimeoutError:
                raise
            except SearchUnavailableError as error:
                pause = self._pause_s * 2 ** (attempt - 1) * (0.5 + random.random())  # spread: all clients fail at once
                pause = max(pause, error.retry_after_s or 0)
                if self._clock() + pause > end:
                    raise
                self._sleep(pause)
        return call()


class BreakingSearchClient:
    """Spares a back-end that does not answer, and its shoppers the wait.

    After `failures` in a row every call fails at once for `pause_s`; then one call probes, and its success opens the
    way for all.
    """

    def __init__(
        self,
        client: SearchClient,
        *,
        failures: int = 5,
        pause_s: float = 5.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._failures = failures
        self._pause_s = pause_s
        self._clock = clock
        self._lock = threading.Lock()
        self._failed = 0
        self._closed_until = 0.0

    def search(self, query: SearchQuery, *, shopper: Shopper = ANYONE) -> SearchResults:
        return self._guard(lambda: self._client.search(query, shopper=shopper))

    def get_product_details(self, product_id: str, *, shopper: Shopper = ANYONE) -> Product:
        return self._guard(lambda: self._client.get_product_details(product_id, shopper=shopper))

    def alternatives(self, product_id: str, *, limit: int = 4, shopper: Shopper = ANYONE) -> tuple[Hit, ...]:
        return self._guard(lambda: self._client.alternatives(product_id, limit=limit, shopper=shopper))

    def vocabulary(self) -> Vocabulary:
        return self._guard(self._client.vocabulary)

    def close(self) -> None:
        self._client.close()

    def _guard(self, call: Callable[[], T]) -> T:
        self._admit()
        try:
            answer = call()
        except SearchUnavailableError:
            self._note_failure()
            raise
        except BaseException:
            self._note_success()  # it answered, if only with a refusal
            raise
        self._note_success()
        return answer

    def _admit(self) -> None:
        with self._lock:
            now = self._clock()
            if self._failed < self._failures:
                return
            if now < self._closed_until:
                left = self._closed_until - now
                raise SearchUnavailableError(
                    f"The product search failed {self._failed} times in a row; it is asked again in {left:.0f} s.",
                    retry_after_s=left,
                )
            self._closed_until = now + self._pause_s  # this call is the probe; others wait for its outcome

    def _note_failure(self) -> None:
        with self._lock:
            self._failed += 1
            if self._failed >= self._failures:
                self._closed_until = self._clock() + self._pause_s

    def _note_success(self) -> None:
        with self._lock:
            self._failed = 0


class CachingSearchClient:
    """Remembers answers to searches by query, by what the shopper may see, and by the catalog's revision.

    As fresh as the wrapped client's revision. Details are always asked for: a price shown there is the current one.
    At most `max_answers` are kept, those used last; answers marked stale are not.
    """

    def __init__(self, client: SearchClient, *, max_answers: int = 1_000) -> None:
        self._client = client
        self._max_answers = max_answers
        self._lock = threading.Lock()
        self._answers: OrderedDict[Hashable, SearchResults] = OrderedDict()

    def search(self, query: SearchQuery, *, shopper: Shopper = ANYONE) -> SearchResults:
        key = (self._client.vocabulary().revision, query, shopper.groups, shopper.currency, shopper.region)
        with self._lock:
            known = self._answers.get(key)
            if known is not None:
                self._answers.move_to_end(key)
                return known
        answer = self._client.search(query, shopper=shopper)
        if not answer.stale:
            with self._lock:
                self._answers[key] = answer
                while len(self._answers) > self._max_answers:
                    self._answers.popitem(last=False)
        return answer

    def get_product_details(self, product_id: str, *, shopper: Shopper = ANYONE) -> Product:
        return self._client.get_product_details(product_id, shopper=shopper)

    def alternatives(self, product_id: str, *, limit: int = 4, shopper: Shopper = ANYONE) -> tuple[Hit, ...]:
        return self._client.alternatives(product_id, limit=limit, shopper=shopper)

    def vocabulary(self) -> Vocabulary:
        return self._client.vocabulary()

    def close(self) -> None:
        self._client.close()
