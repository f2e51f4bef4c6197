"""A shop served over HTTP on a free port, with a model that a test can hold back."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path

from werkzeug.serving import WSGIRequestHandler, make_server

from search_client.client import SearchClient
from search_client.models import Product
from search_client.testing import FakeSearchClient
from shopping_agent.actions import Action, Clarify, GetProductDetails, Search
from shopping_agent.agent import ShoppingAgent
from shopping_agent.errors import ModelError
from shopping_agent.model import ActionModel, Decision, DecisionRequest
from shopping_agent.usage import Usage
from tests.web.shop import NO_HURRY, PRODUCTS
from web.app import create_app
from web.deployment import DEFAULT_DEPLOYMENT, Deployment
from web.look import Look
from web.settings import WebSettings

HOLD_S = 600.0  # longest time a held model waits before it answers anyway


class PlainModel:
    """Reads a few fixed phrases and takes everything else as words to search for."""

    name = "plain"

    def __init__(self) -> None:
        self.decisions = 0
        self._go = threading.Event()
        self._go.set()

    def hold(self) -> None:
        """Let nobody have an answer until `release`."""
        self._go.clear()

    def release(self) -> None:
        """Answer those who wait."""
        self._go.set()

    def decide(self, request: DecisionRequest) -> Decision:
        """One action. Raises `ModelError` for a message that says so."""
        self.decisions += 1
        self._go.wait(HOLD_S)
        return Decision(action=_read(request.user_message.casefold()), model=self.name, usage=Usage(calls=1))

    def close(self) -> None:
        """Nothing to release."""


def _read(message: str) -> Action:
    match message.split():
        case ["fail", *_]:
            raise ModelError("told to fail")
        case ["ask", *question]:
            return Clarify(question=" ".join(question) or "What kind of thing?", about="category")
        case ["compare", *_]:
            return GetProductDetails(product_id="1", compare_with=["2"])
        case ["about", product_id, *aspect]:
            return GetProductDetails(product_id=product_id, aspect=" ".join(aspect) or None)
        case ["under", amount, *words]:
            return Search(keywords=words, max_price=float(amount))
        case words:
            return Search(keywords=words)


class Quiet(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: object) -> None:
        """Nobody reads it."""


class Site:
    """A running shop; `close()` ends it."""

    def __init__(
        self,
        folder: Path,
        *,
        products: Iterable[Product] = PRODUCTS,
        catalog: SearchClient | None = None,
        model: ActionModel | None = None,
        agent: ShoppingAgent | None = None,
        look: Look | None = None,
        deployment: Deployment = DEFAULT_DEPLOYMENT,
        shop_name: str = "Test Shop",
    ) -> None:
        self.model = PlainModel()
        agent = agent or ShoppingAgent(model or self.model, catalog or FakeSearchClient(products))
        settings = WebSettings(
            database_url=f"sqlite:///{folder}/site.sqlite",
            secret_key="browser",
            shop_name=shop_name,
            look=look or Look(),
            limits=NO_HURRY,
            deployment=deployment,
        )
        self.app = create_app(settings, agent=agent)
        self._server = make_server("127.0.0.1", 0, self.app, threaded=True, request_handler=Quiet)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop serving."""
        self.model.release()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
