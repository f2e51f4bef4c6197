"""A strict OpenAI-compatible service for tests, in process or over real HTTP: plays a script, counts calls."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2
from openai import OpenAI

from shopping_agent.testing.stub_replies import Answer, Fault, Step, error, in_pieces
from shopping_agent.testing.stub_rules import NO_QUIRKS, Quirks, refusal

API_KEY = "sk-stub-0123456789"


class StubOpenAI:
    """Answers each request by the next step, the last one for ever if `repeat`.

    Refuses what the real service refuses, with the same bodies, without using up a step. A request too many fails the
    test that sent it. `requests` keeps every parsed body, `calls` counts them all, refused ones included; `connections`
    counts those opened over HTTP.
    """

    def __init__(
        self,
        steps: Iterable[Step] = (),
        *,
        repeat: bool = False,
        quirks: Quirks = NO_QUIRKS,
        on_fault: Callable[[Fault], None] = lambda fault: None,
    ) -> None:
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.connections = 0
        self._steps = list(steps)
        self._repeat = repeat
        self._quirks = quirks
        self._on_fault = on_fault
        self._lock = threading.Lock()

    @property
    def calls(self) -> int:
        """Requests received so far."""
        return len(self.requests)

    def client(self, **options: Any) -> OpenAI:
        """An SDK client whose requests end here, in process; a fault raises at once what its time-out would raise."""
        http_client = httpx2.Client(transport=httpx2.MockTransport(self._handle))
        return OpenAI(
            api_key=API_KEY, base_url="http://stub.test/v1", max_retries=0, http_client=http_client, **options
        )

    @contextlib.contextmanager
    def serve(self) -> Iterator[str]:
        """The same service on a free port of 127.0.0.1; the value is its base URL."""
        server = _Server(("127.0.0.1", 0), _Handler)
        server.stub = self
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        finally:
            server.closing.set()
            server.shutdown()
            server.server_close()
            thread.join()

    def answer(self, path: str, authorization: str, content: bytes) -> Answer | Fault:
        """The next step for one request, or the refusal it deserves."""
        try:
            request = json.loads(content)
        except ValueError:
            request = None
        with self._lock:
            self.requests.append(request if isinstance(request, dict) else {})
            self.paths.append(path)
            if not authorization.startswith("Bearer "):
                return error(401, "You didn't provide an API key.")
            refused = refusal(path, request, self._quirks)
            if refused is not None:
                return refused
            if not self._steps:
                return error(500, "the stub's script is over, and yet a request came", kind="script_over")
            step = self._steps[0] if self._repeat and len(self._steps) == 1 else self._steps.pop(0)
        answer = step(request) if callable(step) else step
        return in_pieces(answer) if isinstance(request, dict) and request.get("stream") else answer

    def _handle(self, request: httpx2.Request) -> httpx2.Response:
        answer = self.answer(request.url.path, request.headers.get("authorization", ""), request.read())
        if isinstance(answer, Answer):
            return httpx2.Response(answer.status, headers=dict(answer.headers), content=answer.body)
        self._on_fault(answer)
        if answer.kind == "reset":
            raise httpx2.ReadError("connection reset by peer", request=request)
        if answer.kind == "unreachable":
            raise httpx2.ConnectError("connection refused", request=request)
        raise httpx2.ReadTimeout("timed out", request=request)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = True
    stub: StubOpenAI

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.closing = threading.Event()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what several tests do; nothing is printed."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet: two cost 40 ms of delayed acknowledgement
    server: _Server

    def setup(self) -> None:
        super().setup()
        self.server.stub.connections += 1

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length", 0)))
        answer = self.server.stub.answer(self.path, self.headers.get("authorization", ""), content)
        if isinstance(answer, Fault):
            self._fault(answer)
            return
        self._head(answer, len(answer.body))
        if answer.status != 204:
            self.wfile.write(answer.body)

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _head(self, answer: Answer, length: int) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(length))
        self.end_headers()

    def _fault(self, fault: Fault) -> None:
        self.close_connection = True
        if fault.kind == "hang":
            self.server.closing.wait()
            return
        if fault.kind in ("hang_headers", "dribble") or fault.body:
            self._head(Answer(b""), 100_000)
            self.wfile.write(fault.body)
            self.wfile.flush()
        if fault.kind == "hang_headers":
            self.server.closing.wait()
        elif fault.kind == "dribble":
            self._dribble(fault)
        else:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()

    def _dribble(self, fault: Fault) -> None:
        with contextlib.suppress(OSError):
            while not self.server.closing.wait(fault.every_s):
                self.wfile.write(b" ")
                self.wfile.flush()
