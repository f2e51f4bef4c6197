"""The three things a model may choose. Schema, validation and execution come from the same class; nothing else runs."""

from __future__ import annotations

import abc
import contextlib
import dataclasses
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from search_client.client import SearchClient
from search_client.errors import ProductNotFoundError
from search_client.models import ANYONE, Filters, Product, SearchQuery, SearchResults, Shopper, Sort
from shopping_agent.answers import compare, quotes_about
from shopping_agent.errors import ActionError
from shopping_agent.fields import clarify_fields, details_fields, search_fields
from shopping_agent.guard import check_question
from shopping_agent.instructions import RULES
from shopping_agent.questions import FACETS, OWN_QUESTION, choices_about, first_question
from shopping_agent.results import ActionResult, ProductsCompared, ProductsFound, ProductShown, QuestionAsked
from shopping_agent.schema import compact_schema

MAX_KEYWORDS = 12
MAX_COMPARED = 4
MAX_CANDIDATES = 8


class BaseAction(BaseModel, abc.ABC):
    """One typed, read-only step. Lenient in what is read, strict in what is run."""

    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)

    @abc.abstractmethod
    def execute(self, client: SearchClient, *, shopper: Shopper = ANYONE) -> ActionResult:
        """Run against the catalog on behalf of `shopper`.

        Raises `ActionError` where another choice could succeed, and whatever `SearchClient` raises.
        """


class Search(BaseAction):
    """Find products in the catalog."""

    kind: Literal["search"] = "search"
    keywords: list[str]
    """What the product is, in the catalog's language, spelled right: ["running shoes"]. No prices or filler."""
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
    """What it must not be or have: ["leather"]."""
    sort: Literal["relevance", "price_asc", "price_desc", "rating", "newest"] = "relevance"
    offset: SkipJsonSchema[int] = 0
    limit: SkipJsonSchema[int] = 8

    @model_validator(mode="before")
    @classmethod
    def _read_leniently(cls, data: Any) -> Any:
        return search_fields(data) if isinstance(data, Mapping) else data

    @property
    def wishes_nothing(self) -> bool:
        """Whether neither words nor a condition are given, so that every product would do."""
        return not (self.keywords or self.exclude or self.to_query().filters) and self.sort == "relevance"

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
        query = self.to_query()
        if shopper.currency and query.filters:
            query = self.to_query(currency=shopper.currency)
        results = client.search(query, shopper=shopper)
        if not results.hits and any(unknown.field == "categories" for unknown in results.unknown):
            # A category that this shop does not have is a model's guess, not a wish: it must not empty the page.
            filters = dataclasses.replace(query.filters, categories=())
            without = client.search(dataclasses.replace(query, filters=filters), shopper=shopper)
            results = dataclasses.replace(without, unknown=results.unknown) if without.hits else results
        if not results.hits and (query.filters.colors or query.filters.brands):
            results = _in_the_shops_own_words(query, client, shopper) or results
        return ProductsFound(results, () if results.hits else choices_about("category", client.vocabulary()))

    @property
    def in_words(self) -> str:
        """The wish as a shopper would type it: `red mug under 20`."""
        prices = ((word, bound) for word, bound in (("over", self.min_price), ("under", self.max_price)) if bound)
        parts = [*self.colors, *self.brands, *self.keywords, *(f"size {size}" for size in self.sizes)]
        parts += [f"without {word}" for word in self.exclude] + [f"{word} {bound:g}" for word, bound in prices]
        return " ".join(parts) or (self.category or "everything")


def _in_the_shops_own_words(query: SearchQuery, client: SearchClient, shopper: Shopper) -> SearchResults | None:
    """What is found where colours and brands are looked for as words: many shops write them in the title alone.

    None unless products carry all the words.
    """
    filters = dataclasses.replace(query.filters, colors=(), brands=())
    words = (*query.filters.brands, *query.filters.colors, *query.keywords)
    found = client.search(dataclasses.replace(query, keywords=words, filters=filters), shopper=shopper)
    return found if found.hits and not found.relaxed else None


class GetProductDetails(BaseAction):
    """Show one product, answer a question about it, or compare it with others."""

    kind: Literal["details"] = "details"
    product_id: str
    """Id of a shown product, or its number as shown."""
    aspect: str | None = None
    """What is asked about it in one or two words: "waterproof", "price"; left out for everything."""
    compare_with: list[str] = Field(default_factory=list)
    """Ids of other shown products to compare it with."""

    @model_validator(mode="before")
    @classmethod
    def _read_leniently(cls, data: Any) -> Any:
        return details_fields(data) if isinstance(data, Mapping) else data

    def execute(self, client: SearchClient, *, shopper: Shopper = ANYONE) -> ActionResult:
        """The record with what it says about `aspect`, or a comparison."""
        try:
            product = client.get_product_details(self.product_id, shopper=shopper)
            compared = self.compare_with[: MAX_COMPARED - 1]
            others = [client.get_product_details(other, shopper=shopper) for other in compared]
        except ProductNotFoundError as error:
            raise ActionError(f"There is no product {error.product_id!r} in this shop.") from error
        if others:
            products = (product, *others)
            return ProductsCompared(products=products, rows=compare(products, aspect=self.aspect), aspect=self.aspect)
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
    """One plain question in the shopper's language, under 200 characters; no digits, prices, links or promises."""
    about: str | None = None
    """What is asked for: category, brand, color, size or price."""
    candidates: SkipJsonSchema[list[str]] = Field(default_factory=list)
    """Ids of the records the question is about; set by code only."""

    @model_validator(mode="before")
    @classmethod
    def _read_leniently(cls, data: Any) -> Any:
        return clarify_fields(data) if isinstance(data, Mapping) else data

    def execute(self, client: SearchClient, *, shopper: Shopper = ANYONE) -> ActionResult:
        """The question if it passes the output rule, else our own; with real values to choose from."""
        choices = choices_about(self.about, client.vocabulary())
        return QuestionAsked(
            question=check_question(first_question(self.question), secrets=(RULES,)) or OWN_QUESTION,
            about=self.about if choices or self.about in FACETS else None,
            choices=choices,
            candidates=tuple(_still_there(self.candidates, client, shopper)),
        )


def _still_there(product_ids: list[str], client: SearchClient, shopper: Shopper) -> Iterator[Product]:
    for product_id in product_ids[:MAX_CANDIDATES]:
        with contextlib.suppress(ProductNotFoundError):  # gone since it was shown: the question stands without it
            yield client.get_product_details(product_id, shopper=shopper)


Action = Search | GetProductDetails | Clarify


class NextActionResponse(BaseModel):
    """The one next action for the shopper's last message."""

    next_action: Annotated[Action, Field(discriminator="kind")]

    @classmethod
    def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """The schema as models get it: no `oneOf` (OpenAI refuses it in a function), nothing that says nothing."""
        return compact_schema(super().model_json_schema(*args, **kwargs))
