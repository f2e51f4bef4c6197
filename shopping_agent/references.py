"""What “the second one”, an id or a name points at: resolved by code against what was shown, never by a model."""

from __future__ import annotations

from shopping_agent.actions import Action, GetProductDetails
from shopping_agent.conversation import Conversation
from shopping_agent.errors import ActionError


def resolve_id(reference: str, conversation: Conversation, *, viewing: str | None = None) -> str:
    """The product id that `reference` (an id or a position) means.

    An id never shown passes through: the catalog decides. Raises `ActionError` stating what was shown.
    """
    shown = conversation.shown
    known = {product_id.casefold(): product_id for product_id in conversation.ever_shown}
    if reference.casefold() in known:
        return known[reference.casefold()]
    if reference.isdecimal() and shown:
        position = int(reference)
        match = next((product.id for product in shown if product.position == position), None)
        if match:
            return match
        listed = ", ".join(f"{product.position}: {product.id}" for product in shown)
        raise ActionError(f"There is no product number {position} here; shown were {listed}.")
    if not reference.strip() and viewing:
        return viewing
    return reference


def resolve(action: Action, conversation: Conversation, *, viewing: str | None = None) -> Action:
    """The same action with every reference replaced by a product id. Raises `ActionError`."""
    if not isinstance(action, GetProductDetails):
        return action
    ids = [resolve_id(ref, conversation, viewing=viewing) for ref in (action.product_id, *action.compare_with)]
    return action.model_copy(update={"product_id": ids[0], "compare_with": [i for i in ids[1:] if i != ids[0]]})
