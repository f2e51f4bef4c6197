"""One shopper talking to the whole agent on the demo catalog, without a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from search_client.client import SearchClient
from search_client.models import Product
from shopping_agent.actions import Action, Clarify, GetProductDetails, Search
from shopping_agent.agent import ShoppingAgent
from shopping_agent.events import ActionChosen, ResultReady, TurnFinished
from shopping_agent.offline.model import OfflineActionModel
from shopping_agent.results import ActionResult, ProductsCompared, ProductsFound, ProductShown


@dataclass
class Conversation:
    """Says one message after another and keeps what came of the last."""

    client: SearchClient
    history: list[dict[str, Any]] = field(default_factory=list)
    listed: tuple[Product, ...] = ()
    """The products of the last list, in the order of the page."""
    reply: str = ""

    def __post_init__(self) -> None:
        self._agent = ShoppingAgent(OfflineActionModel(), self.client)

    def say(self, message: str) -> Action:
        """Send `message`; gives the action that was taken."""
        action: Action | None = None
        result: ActionResult | None = None
        for event in self._agent.stream(message, self.history):
            if isinstance(event, ActionChosen):
                action = event.action
            if isinstance(event, ResultReady):
                result = event.result
            if isinstance(event, TurnFinished):
                self.reply = event.reply
        assert action is not None, f"nothing was decided for {message!r}"
        self.history += [{"role": "user", "content": message}, {"role": "assistant", "content": self.reply}]
        if isinstance(result, ProductsFound) and result.results.products:
            self.listed = result.results.products
        self.result = result
        return action

    def searches(self, message: str) -> Search:
        action = self.say(message)
        assert isinstance(action, Search), f"{message!r}: {action!r}"
        return action

    def finds(self, message: str) -> tuple[Product, ...]:
        """The products listed for `message`; at least one."""
        self.searches(message)
        assert isinstance(self.result, ProductsFound)
        assert self.result.results.products, f"{message!r}: {self.reply}"
        return self.result.results.products

    def opens(self, message: str) -> Product:
        """The one product that `message` is answered with."""
        action = self.say(message)
        assert isinstance(action, GetProductDetails), f"{message!r}: {action!r}"
        assert isinstance(self.result, ProductShown), f"{message!r}: {self.reply}"
        return self.result.product

    def compares(self, message: str) -> tuple[Product, ...]:
        self.say(message)
        assert isinstance(self.result, ProductsCompared), f"{message!r}: {self.reply}"
        return self.result.products

    def is_asked(self, message: str) -> str:
        """The question that `message` is answered with."""
        action = self.say(message)
        assert isinstance(action, Clarify), f"{message!r}: {action!r}"
        return self.reply
