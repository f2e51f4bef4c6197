"""From what tools found to what a shopper sees: cards of our own records where there are any, else the tool's text."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from search_client.client import SearchClient
from search_client.errors import ProductNotFoundError
from search_client.models import Hit, Product, SearchQuery, SearchResults, Shopper
from shopping_agent.actions import Action, GetProductDetails, Search
from shopping_agent.mcp_host.results import NamedProduct, ToolResult
from shopping_agent.results import ActionResult, ProductsFound
from shopping_agent.steps.step import FinalAnswer, ToolCall

MAX_CARDS = 8
MAX_COMPARED = 4
MAX_KEPT = 50  # each is bounded too: a model that never ends does not fill the memory
MAX_SHOWN_CHARS = 2_000
_ID = re.compile(r"[\w./%-]{1,200}")


@dataclass(slots=True)
class Findings:
    """The latest successful calls of a turn, oldest first."""

    results: deque[tuple[ToolCall, ToolResult]] = field(default_factory=lambda: deque(maxlen=MAX_KEPT))

    @property
    def last(self) -> tuple[ToolCall, ToolResult] | None:
        """The latest, None if there was none."""
        return self.results[-1] if self.results else None

    def named(self, answer: FinalAnswer | None) -> list[NamedProduct]:
        """The products that an answer names by id, in its order; else those of the last result."""
        known = {product.id: product for _, result in self.results for product in result.products}
        said = (word.rstrip(".,;:)") for word in _ID.findall(answer.text)) if answer else ()
        meant = [known[word] for word in dict.fromkeys(said) if word in known]
        return meant or list(self.last[1].products if self.last else ())


def records(named: Sequence[NamedProduct], client: SearchClient, shopper: Shopper) -> Iterator[Product]:
    """Our records of what a tool named, where this shop has them and they go by a like name."""
    for each in named[: 2 * MAX_CARDS]:
        try:
            product = client.get_product_details(each.id, shopper=shopper)
        except ProductNotFoundError:
            continue
        if each.is_likely(product.title):
            yield product


def as_answer(
    products: Sequence[Product], call: ToolCall, *, client: SearchClient, shopper: Shopper, message: str
) -> tuple[Action, ActionResult]:
    """One product with its details, a comparison if the last tool compared, else a list."""
    compared = "compare" in call.tool.casefold() and 2 <= len(products) <= MAX_COMPARED
    if len(products) == 1 or compared:
        # Not validated: an id is taken as the record has it, whatever it looks like.
        details = GetProductDetails.model_construct(
            product_id=products[0].id, aspect=None, compare_with=[product.id for product in products[1:]]
        )
        return details, details.execute(client, shopper=shopper)
    query = call.arguments.get("query")
    words = query if isinstance(query, str) and query.strip() else message
    found = SearchResults(
        query=SearchQuery((words[:200],)),
        hits=tuple(Hit(product) for product in products[:MAX_CARDS]),
        total=len(products[:MAX_CARDS]),
    )
    return Search(keywords=[words[:120]]), ProductsFound(found)


def shown_text(result: ToolResult) -> str:
    """A tool's text as a shopper gets it: shorter than what a model gets."""
    text = f"error: {result.text}" if result.is_error else result.text
    return text if len(text) <= MAX_SHOWN_CHARS else text[:MAX_SHOWN_CHARS].rsplit("\n", 1)[0] + "\n…"
