"""Our catalog API in process, and a client that speaks to it without a socket."""

from __future__ import annotations

import httpx
from flask import Flask

from search_client.client import SearchClient
from search_client.http_client import HttpSearchClient
from web.blueprints.catalog_api import create_catalog_api


class ServedClient(HttpSearchClient):
    """Speaks to `catalog` by way of the API; closes it too."""

    def __init__(self, catalog: SearchClient, *, api_key: str | None = None, sent_key: str | None = None) -> None:
        app = Flask("shop")
        app.register_blueprint(create_catalog_api(catalog, api_key=api_key))

        def handle(request: httpx.Request) -> httpx.Response:
            answer = app.test_client().get(request.url.raw_path.decode(), headers=dict(request.headers))
            return httpx.Response(answer.status_code, headers=dict(answer.headers), content=answer.data)

        transport = httpx.MockTransport(handle)  # httpx's own WSGI transport unquotes paths twice
        super().__init__("http://shop.example/", api_key=sent_key, transport=transport, vocabulary_ttl_s=0)
        self._catalog = catalog

    def close(self) -> None:
        super().close()
        self._catalog.close()
