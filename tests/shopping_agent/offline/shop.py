"""A small vocabulary and one-line decisions for the tests of this folder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from search_client.models import Facet, FacetValue, Vocabulary
from shopping_agent.actions import Action
from shopping_agent.conversation import parse_conversation
from shopping_agent.model import DecisionRequest
from shopping_agent.offline.model import OfflineActionModel

LISTED = """Found 12 for “mug”:
1. Hill Mug, blue (ID: m1) — 12.00 USD, rated 4.5 of 5
2. Valley Mug, red (ID: m2) — 9.50 USD, rated 4.1 of 5
3. Travel Cup, blue (ID: m3) — 20.00 USD, out of stock"""


def _values(*names: str) -> tuple[FacetValue, ...]:
    return tuple(FacetValue(name, 5) for name in names)


VOCABULARY = Vocabulary(
    revision=1,
    product_count=100,
    currency="USD",
    brands=_values("Nordhaus", "Apple", "Save the Duck"),
    categories=_values("Kitchen", "Mugs & Cups", "Shoes", "Laptops"),
    colors=_values("Black", "Blue", "Light Grey"),
    sizes=_values("S", "M", "XL", "42"),
    attributes=(Facet("Material", _values("Leather", "Cotton")),),
    terms=_values("mug", "cup", "laptop", "shoe", "teapot", "fruit"),
)


@cache
def model() -> OfflineActionModel:
    return OfflineActionModel()


def decide(message: str, *turns: str, viewing: str | None = None) -> Action:
    """The action for `message` after `turns`, which alternate between shopper and assistant, the assistant's last."""
    roles: Sequence[str] = ("assistant", "user")
    history = [
        {"role": roles[index % 2], "content": text} for index, text in reversed(list(enumerate(reversed(turns))))
    ]
    request = DecisionRequest(
        user_message=message, conversation=parse_conversation(history), vocabulary=VOCABULARY, viewing=viewing
    )
    return model().decide(request).action
