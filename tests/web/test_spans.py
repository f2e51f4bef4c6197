"""Turns as an OpenTelemetry collector receives them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from search_client.testing import FakeSearchClient
from shopping_agent.actions import Search
from shopping_agent.agent import ShoppingAgent
from shopping_agent.errors import ModelError
from shopping_agent.testing import ScriptedModel
from tests.web.shop import LAMP
from web.app import create_app
from web.errors import WebSettingsError
from web.services import EXTENSION
from web.settings import WebSettings
from web.spans import open_spans


@dataclass(slots=True)
class Collector:
    """A collector on a port of its own, and what it was sent."""

    url: str = ""
    bodies: list[bytes] = field(default_factory=list)

    @property
    def spans(self) -> list[Span]:
        requests = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        return [
            span
            for request in requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


@contextmanager
def collector() -> Iterator[Collector]:
    received = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            if self.path == "/v1/traces":
                received.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    received.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield received
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def spans_of(folder: Path, step: Search | ModelError, *, traceparent: str = "") -> list[Span]:
    with collector() as received:
        settings = WebSettings(
            database_url=f"sqlite:///{folder}/c.sqlite", secret_key="k" * 32, spans_endpoint=received.url
        )
        app = create_app(settings, agent=ShoppingAgent(ScriptedModel([step]), FakeSearchClient([LAMP])))
        app.config["WTF_CSRF_ENABLED"] = False
        headers = {"traceparent": traceparent} if traceparent else {}
        app.test_client().post("/chat", data={"message": "a lamp for my study"}, headers=headers, buffered=True)
        spans = app.extensions[EXTENSION].spans
        assert spans
        spans.close()
        assert b"my study" not in b"".join(received.bodies), "a shopper's words left the shop"
        return received.spans


def test_a_turn_and_its_steps_reach_the_collector_as_one_tree_below_the_callers_span(tmp_path: Path) -> None:
    spans = spans_of(tmp_path, Search(keywords=["lamp"]), traceparent=f"00-{'a' * 32}-{'b' * 16}-01")
    turn = next(span for span in spans if span.name == "turn")
    steps = [span for span in spans if span is not turn]
    assert {span.trace_id.hex() for span in spans} == {"a" * 32}
    assert turn.parent_span_id.hex() == "b" * 16
    assert [span.name for span in sorted(steps, key=lambda span: span.start_time_unix_nano)] == [
        "decide",
        "act",
        "render",
    ]
    assert {span.parent_span_id for span in steps} == {turn.span_id}
    assert all(
        turn.start_time_unix_nano <= span.start_time_unix_nano <= span.end_time_unix_nano <= turn.end_time_unix_nano
        for span in steps
    )
    facts = {each.key: each.value for each in turn.attributes}
    assert facts["shop.turn.action"].string_value == "search"
    assert facts["shop.turn.products_found"].int_value == 1


def test_a_failed_turn_is_an_error_in_its_span(tmp_path: Path) -> None:
    spans = spans_of(tmp_path, ModelError("down"))
    turn = next(span for span in spans if span.name == "turn")
    assert turn.status.code == turn.status.STATUS_CODE_ERROR


def test_without_the_extra_the_setting_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(WebSettingsError, match=r"pip install 'shopping-assistant\[otel\]'"):
        open_spans("http://127.0.0.1:4318")


def test_without_an_endpoint_nothing_is_collected() -> None:
    assert open_spans("") is None
