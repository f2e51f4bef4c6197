"""A turn as the page shows it, while it runs and whenever it is looked at again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from search_client.client import SearchClient
from search_client.errors import ProductNotFoundError, SearchClientError
from search_client.models import Product, Shopper
from shopping_agent.actions import Action, Search
from shopping_agent.errors import ActionError
from shopping_agent.results import ActionResult
from web.rendering.answers import AnswerView, GoneView, results_view, view
from web.rendering.cards import card
from web.rendering.chips import wish_words
from web.rendering.stored import StoredAnswer, StoredChoice
from web.rendering.tools import StoredTool
from web.store.conversation_store import TurnRecord, TurnStatus
from web.strings import Strings


@dataclass(frozen=True, slots=True)
class TurnView:
    """One message with its answer."""

    turn: TurnRecord
    status: TurnStatus
    answer: AnswerView | None = None
    """None: running, refused, failed, stopped, or kept by a version that this one cannot read."""
    notices: tuple[str, ...] = ()
    failure: str = "internal"
    model: str | None = None
    offers: tuple[StoredChoice, ...] = ()
    tool: StoredTool | None = None


def fresh(
    turn: TurnRecord, stored: StoredAnswer, result: ActionResult, t: Strings, *, currency: str | None
) -> TurnView:
    """A turn that was answered this moment."""
    return TurnView(
        turn,
        "answered",
        view(stored, result, t, currency=currency),
        stored.notices,
        model=stored.model,
        offers=stored.offers,
    )


class Reader:
    """Shows kept turns again with today's facts; each record is looked up once."""

    def __init__(self, catalog: SearchClient, t: Strings, *, shopper: Shopper) -> None:
        self._catalog = catalog
        self._t = t
        self._shopper = shopper
        self._seen: dict[str, Product | None] = {}

    def product(self, product_id: str) -> Product | None:
        """Today's record, None where it is gone. Raises `SearchUnavailableError`."""
        if product_id not in self._seen:
            try:
                self._seen[product_id] = self._catalog.get_product_details(product_id, shopper=self._shopper)
            except ProductNotFoundError:
                self._seen[product_id] = None
        return self._seen[product_id]

    def name(self, product_id: str) -> str | None:
        """What a product is called, None where it is gone or the catalog does not answer."""
        try:
            product = self.product(product_id)
        except SearchClientError:
            return None
        return product.title if product else None

    def turn(self, record: TurnRecord) -> TurnView:
        """The turn as it is shown now."""
        stored = StoredAnswer.read(record.answer)
        if stored is None:
            return TurnView(record, record.status)
        answer: AnswerView | None = None
        if record.status == "answered" and stored.action is not None:
            try:
                answer = self._answer(stored, stored.action)
            except SearchClientError:
                answer = None  # the text of the reply is shown instead
        return TurnView(
            record,
            record.status,
            answer,
            stored.notices,
            stored.failure or "internal",
            stored.model,
            stored.offers,
            stored.tool,
        )

    def _answer(self, stored: StoredAnswer, action: Action) -> AnswerView:
        if isinstance(action, Search):
            products = {shown.id: self.product(shown.id) for shown in stored.cards}
            return results_view(
                stored,
                {key: p for key, p in products.items() if p},
                self._t,
                currency=self._catalog.vocabulary().currency,
            )
        try:
            return view(stored, action.execute(self._catalog, shopper=self._shopper), self._t)
        except (ActionError, ProductNotFoundError):
            cards = (
                card(self.product(shown.id), shown, position=position, t=self._t)
                for position, shown in enumerate(stored.cards, start=1)
            )
            return GoneView(tuple(cards))


def progress(action: Action, t: Strings, *, name_of: Callable[[str], str | None], currency: str | None) -> str:
    """What is being done now, in plain words."""
    if isinstance(action, Search):
        return t("progress.search", wish=wish_words(action, t, currency=currency))
    if action.kind == "details":
        name = name_of(action.product_id)
        if action.compare_with:
            return t("progress.compare")
        return t("progress.details", name=name) if name else t("progress.look")
    return t("progress.think")
