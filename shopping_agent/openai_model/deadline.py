"""A deadline on the socket itself: per-read time-outs do not bound a server that sends one byte every few seconds.

And a way to hang up: whoever waits for an answer that nobody wants any more looks up now and then.
"""

from __future__ import annotations

import contextlib
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import httpcore2
import httpx2

_thread = threading.local()
LOOK_UP_S = 1.0  # how long a stopped call may go on; each look may cost the caller a database read


class CallStopped(httpcore2.ReadTimeout):
    """Nobody wants the answer any more."""


@contextlib.contextmanager
def deadline_of_thread(deadline_s: float, *, stopped: Callable[[], bool] | None = None) -> Iterator[None]:
    """Every read, write and connect of this thread over a bounded client ends by `deadline_s` on `time.monotonic()`.

    A read also ends, within about a second, once `stopped` says so.
    """
    before = getattr(_thread, "deadline_s", None), getattr(_thread, "stopped", None)
    _thread.deadline_s, _thread.stopped = deadline_s, stopped
    _thread.next_look_s = time.monotonic() + LOOK_UP_S
    try:
        yield
    finally:
        _thread.deadline_s, _thread.stopped = before


def _look_up() -> None:
    """Ask now and then, also of a server that sends a little all the time. Raises `CallStopped`."""
    now_s = time.monotonic()
    if now_s >= _thread.next_look_s:
        _thread.next_look_s = now_s + LOOK_UP_S
        if _thread.stopped():
            raise CallStopped("nobody wants the answer any more")


def _left(timeout: float | None, error: type[Exception]) -> float | None:
    deadline_s: float | None = getattr(_thread, "deadline_s", None)
    if deadline_s is None:
        return timeout
    left_s = deadline_s - time.monotonic()
    if left_s <= 0:
        raise error("the turn's deadline has passed")
    return left_s if timeout is None else min(timeout, left_s)


class _BoundedStream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        while True:
            left_s = _left(timeout, httpcore2.ReadTimeout)
            if getattr(_thread, "stopped", None) is None:
                return self._inner.read(max_bytes, left_s)
            _look_up()
            with contextlib.suppress(httpcore2.ReadTimeout):
                return self._inner.read(max_bytes, LOOK_UP_S if left_s is None else min(LOOK_UP_S, left_s))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left(timeout, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        left_s = _left(timeout, httpcore2.ConnectTimeout)
        return _BoundedStream(self._inner.start_tls(ssl_context, server_hostname, left_s))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _BoundedBackend(httpcore2.NetworkBackend):
    def __init__(self, inner: httpcore2.NetworkBackend) -> None:
        self._inner = inner

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        left_s = _left(timeout, httpcore2.ConnectTimeout)
        stream = self._inner.connect_tcp(
            host, port, timeout=left_s, local_address=local_address, socket_options=socket_options
        )
        return _BoundedStream(stream)

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore2.NetworkStream:
        left_s = _left(timeout, httpcore2.ConnectTimeout)
        return _BoundedStream(self._inner.connect_unix_socket(path, timeout=left_s, socket_options=socket_options))

    def sleep(self, seconds: float) -> None:
        self._inner.sleep(seconds)


def bound_by_deadline(client: httpx2.Client) -> bool:
    """Put the deadline under every connection pool of `client`, proxies included; False where it has none.

    httpx2 offers no way to pass a network back-end, so its pools are reached by their private names;
    `test_deadline.py` fails if a release renames them.
    """
    transports = [getattr(client, "_transport", None), *getattr(client, "_mounts", {}).values()]
    pools = [pool for transport in transports if (pool := getattr(transport, "_pool", None)) is not None]
    for pool in pools:
        pool._network_backend = _BoundedBackend(pool._network_backend)
    return bool(pools)
