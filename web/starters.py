"""First questions to click: the merchant's own, or made from what the catalog really has."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from search_client.client import SearchClient
from search_client.errors import SearchClientError
from search_client.models import Filters, Money, Product, SearchQuery, Sort
from web.bidi import plain
from web.look import Look
from web.rendering.cards import image_of
from web.strings import Strings

COUNT = 4
LONGEST_S = 300  # for a search service that does not tell when its catalog has changed
_TRIED = 24


@dataclass(frozen=True, slots=True)
class Starter:
    """One question and a picture of what it may find."""

    text: str
    image: str | None = None

    @property
    def message(self) -> str:
        """What a click on it says."""
        return plain(self.text)


class Starters:
    """First questions by language, made anew once the catalog has changed. Thread-safe."""

    def __init__(self, catalog: SearchClient, *, look: Look, clock: Callable[[], float] = time.monotonic) -> None:
        self._catalog = catalog
        self._own = tuple(Starter(text) for text in look.starters)
        self._clock = clock
        self._made: dict[str, tuple[tuple[int, int], tuple[Starter, ...]]] = {}

    def questions(self, t: Strings) -> tuple[Starter, ...]:
        """At most `COUNT` questions that find something; none while the catalog does not answer."""
        if self._own:
            return self._own
        try:
            state = (self._catalog.vocabulary().revision, int(self._clock() // LONGEST_S))
            made = self._made.get(t.language)
            if made is None or made[0] != state:
                made = self._made[t.language] = (state, tuple(_from_catalog(self._catalog, t)))
        except SearchClientError:
            return ()
        return made[1]


def _from_catalog(catalog: SearchClient, t: Strings) -> list[Starter]:
    """One a department, each another way of asking, about the kind of its best rated product."""
    made: list[Starter] = []
    seen: set[str] = set()
    for category in catalog.vocabulary().categories[:_TRIED]:
        best = _best(catalog, category.value)
        if best is None or best.category[0] in seen:
            continue
        seen.add(best.category[0])
        made.append(_starter(best, len(made), t))
        if len(made) == COUNT:
            break
    return made


def _best(catalog: SearchClient, category: str) -> Product | None:
    """The best rated product of a category that has a picture and can be bought, among the first few."""
    filters = Filters(categories=(category,), in_stock=True)
    results = catalog.search(SearchQuery(filters=filters, sort=Sort.RATING, limit=5))
    return next((product for product in results.products if product.category and image_of(product)), None)


def _starter(product: Product, number: int, t: Strings) -> Starter:
    image, category = image_of(product), product.category[-1]
    if number % 2 and product.price is not None:
        price = _round_price(product.price, t)
        return Starter(t("starter.under", category=category, price=price), image)
    return Starter(t("starter.best" if number % 4 == 0 else "starter.show", category=category), image)


def _round_price(price: Money, t: Strings) -> str:
    """A round price above `price`: 34.90 → 40, 212 → 250."""
    step = 10.0 if price.amount < 100 else 50.0 if price.amount < 1000 else 500.0
    return t.amount(step * (price.amount // step + 1), price.currency)
