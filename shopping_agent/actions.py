"""The three things a model may choose. Schema, validation and execution come from the same class; nothing else runs."""

from __future__ import annotations

import abc
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from search_client.client import SearchClient
from search_client.errors import ProductNotFoundError
from search_client.models import ANYONE, Filters, SearchQuery, Shopper, Sort
from shopping_agent.answers import compare, quotes_about
from shopping_agent.errors import ActionError
from shopping_agent.guard import check_question
from shopping_agent.questions import OWN_QUESTION, choices_about
from shopping_agent.results import ActionResult, ProductsCompared, ProductsFound, ProductShown, QuestionAsked

MAX_KEYWORDS = 12
MAX_COMPARED = 4


class BaseAction(BaseModel, abc.ABC):
    """One typed, read-only step. Lenient in what is read, strict in what is run."""

    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)

    @abc.abstractmethod
    def execute(self, client: SearchClient, *, shopper: Shopper = ANYONE) -> ActionResult:
        """Run against the catalog on behalf of `shopper`.

        Raises `ActionError` where another choice could succeed, and whatever `SearchClient` raises.
        """


class Search(BaseAction):
    """Look for products by what they are and what is wished of them."""

    kind: Literal["search"] = "search"
    keywords: list[str]
    """Words for the product itself, in the shopper's language: ["running", "shoes"]."""
    min_price: float | None = None
    max_price: float | None = None
    brands: list[str] = Field(default_factory=list)
    category: str | None = None
    colors: list[str] = Field(default_factory=list)
    sizes: list[str] = Field(default_factory=list)
    attributes: SkipJsonSchema[dict[str, list[str]]] = Field(default_factory=dict)
    """Any other option or attribute of the catalog by name; set by code and by clicks."""
    min_rating: float | None = None
    in_stock: bool = False
    on_sale: SkipJsonSchema[bool] = False
    exclude: list[str] = Field(default_factory=list)
    """What must not be in it: ["leather"]."""
    sort: Literal["relevance", "price_asc", "price_desc", "rating", "newest"] = "relevance"
    offset: SkipJsonSchema[int] = 0
    limit: SkipJsonSchema[int] = 8

    def to_query(self, *, currency: str | None = None) -> SearchQuery:
        """The same wish as the catalog takes it; prices are in `currency`."""
        return SearchQuery(
            keywords=tuple(self.keywords[:MAX_KEYWORDS]),
            exclude=tuple(self.exclude),
            filters=Filters(
                min_price=self.min_price,
                max_price=self.max_price,
                currency=currency,
                brands=tuple(self.brands),
                categories=(self.category,) if self.category else (),
                colors=tuple(self.colors),
                sizes=tuple(self.sizes),
                attributes=tuple((name, value) for name, values in self.attributes.items() for value in values),
                min_rating=self.min_rating,
                in_stock=self.in_stock,
                on_sale=self.on_sale,
            ),
            sort=Sort(self.sort),
            limit=self.limit,
            offset=self.offset,
        )

    def execute(self, client: SearchClient, *, shopper: Shopper = ANYONE) -> ActionResult:
        """The products that meet the wish, or what emptied the result."""
        return ProductsFound(client.search(self.to_query(currency=shopper.currency), shopper=shopper))


class GetProductDetails(BaseAction):
    """Show one product, answer a question about it, or compare it with others."""

    kind: Literal["details"] = "details"
    product_id: str
    """The id of a product that was shown, or its position as shown: "2"."""
    aspect: str | None = None
    """What is asked about it: "waterproof", "price", "sizes"; null for everything."""
    compare_with: list[str] = Field(default_factory=list)
    """Ids or positions of other shown products to compare it with."""

    def execute(self, client: SearchClient, *, shopper: Shopper = ANYONE) -> ActionResult:
        """The record with what it says about `aspect`, or a comparison."""
        try:
            product = client.get_product_details(self.product_id, shopper=shopper)
            others = [client.get_product_details(other, shopper=shopper) for other in self.compare_with]
        except ProductNotFoundError as error:
            raise ActionError(f"There is no product {error.product_id!r} in this shop.") from error
        if others:
            products = (product, *others[: MAX_COMPARED - 1])
            return ProductsCompared(products=products, rows=compare(products), aspect=self.aspect)
        return ProductShown(
            product=product,
            aspect=self.aspect,
            quotes=quotes_about(product, self.aspect) if self.aspect else (),
            alternatives=client.alternatives(product.id, shopper=shopper),
        )


class Clarify(BaseAction):
    """Ask one short question, or answer small talk with one."""

    kind: Literal["clarify"] = "clarify"
    question: str
    """One plain question of at most 200 characters: no digits, prices, links or promises."""
    about: str | None = None
    """The facet asked about (category, brand, color, size, price), so that real values can be offered."""
    candidates: SkipJsonSchema[list[str]] = Field(default_factory=list)
    """Ids of the records the question is about; set by code only."""

    def execute(self, client: SearchClient, *, shopper: Shopper = ANYONE) -> ActionResult:
        """The question if it passes the output rule, else our own; with real values to choose from."""
        candidates = tuple(client.get_product_details(product_id, shopper=shopper) for product_id in self.candidates)
        return QuestionAsked(
            question=check_question(self.question) or OWN_QUESTION,
            about=self.about,
            choices=choices_about(self.about, client.vocabulary()),
            candidates=candidates,
        )


Action = Search | GetProductDetails | Clarify


def _as_any_of(schema: dict[str, Any]) -> None:
    """OpenAI refuses `oneOf` in a function schema; `anyOf` says the same."""
    schema["anyOf"] = schema.pop("oneOf")
    schema.pop("discriminator", None)


class NextActionResponse(BaseModel):
    """The one next action for the shopper's last message."""

    next_action: Annotated[Action, Field(discriminator="kind", json_schema_extra=_as_any_of)]
