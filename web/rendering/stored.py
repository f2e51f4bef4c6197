"""An answer as it is kept with its turn: the action and what was shown; shown again with the facts of the day."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from search_client.models import Product, SearchResults
from shopping_agent.actions import Action
from shopping_agent.results import ActionResult, Choice, ProductsCompared, ProductsFound, ProductShown, QuestionAsked
from web.rendering.cards import ShownCard
from web.rendering.tools import StoredTool

MAX_FACETS = 6
MAX_FACET_VALUES = 8


class _Stored(BaseModel):
    model_config = ConfigDict(frozen=True)


class StoredFacet(_Stored):
    """A dimension of the result with its most frequent values."""

    name: str
    values: tuple[tuple[str, int], ...]


class StoredWish(_Stored):
    """A condition that emptied the result, or a value that the shop does not know."""

    field: str
    value: str
    total: int = 0
    nearest: tuple[str, ...] = ()


class Found(_Stored):
    """What a search said beside its products."""

    total: int
    relaxed: bool = False
    stale: bool = False
    corrections: tuple[tuple[str, str], ...] = ()
    unknown: tuple[StoredWish, ...] = ()
    relaxations: tuple[StoredWish, ...] = ()
    facets: tuple[StoredFacet, ...] = ()

    @classmethod
    def of(cls, results: SearchResults) -> Found:
        """All of `results` but the products."""
        return cls(
            total=results.total,
            relaxed=results.relaxed,
            stale=results.stale,
            corrections=tuple((each.typed, each.used) for each in results.corrections),
            unknown=tuple(StoredWish(field=u.field, value=u.value, nearest=u.nearest) for u in results.unknown),
            relaxations=tuple(
                StoredWish(field=each.field, value=each.value, total=each.total) for each in results.relaxations
            ),
            facets=tuple(
                StoredFacet(
                    name=facet.name,
                    values=tuple((value.value, value.count) for value in facet.values[:MAX_FACET_VALUES]),
                )
                for facet in results.facets[:MAX_FACETS]
            ),
        )


class StoredChoice(_Stored):
    """A quick reply."""

    label: str
    message: str

    @classmethod
    def of(cls, choice: Choice) -> StoredChoice:
        """The same choice, to be kept."""
        return cls(label=choice.label, message=choice.message)


class StoredAnswer(_Stored):
    """All that is kept."""

    action: Annotated[Action, Field(discriminator="kind")] | None = None
    cards: tuple[ShownCard, ...] = ()
    found: Found | None = None
    notices: tuple[str, ...] = ()
    offers: tuple[StoredChoice, ...] = ()
    """What can be said next: further wishes of the same message, or what the shop does have."""
    failure: str | None = None
    """Code of a failed turn."""
    model: str | None = None
    tool: StoredTool | None = None
    """What a tool of another server said, or what it would do if the shopper agrees."""

    @classmethod
    def of(cls, action: Action, result: ActionResult, *, model: str | None, notices: tuple[str, ...]) -> StoredAnswer:
        """What `result` showed."""
        return cls(
            action=action,
            cards=_shown(result),
            found=Found.of(result.results) if isinstance(result, ProductsFound) else None,
            notices=notices,
            offers=tuple(map(StoredChoice.of, result.offers)) if isinstance(result, ProductsFound) else (),
            model=model,
        )

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> StoredAnswer | None:
        """The kept answer, or None where an earlier version wrote something else."""
        try:
            return cls.model_validate(kept) if kept else None
        except ValidationError:
            return None

    def dump(self) -> dict[str, Any]:
        """As JSON values, without what is not set."""
        return self.model_dump(mode="json", exclude_defaults=True) | (
            {"action": self.action.model_dump(mode="json")} if self.action else {}
        )


def _shown(result: ActionResult) -> tuple[ShownCard, ...]:
    match result:
        case ProductsFound(results=results):
            return tuple(ShownCard.of(hit.product, hit.why) for hit in results.hits)
        case ProductShown():
            products: tuple[Product, ...] = (result.product,)
        case ProductsCompared():
            products = result.products
        case QuestionAsked():
            products = result.candidates
    return tuple(ShownCard.of(product) for product in products)
