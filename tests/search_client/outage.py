"""A way to a server that can be cut, frozen and mended: an outage without touching the server."""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self

from tests.server import free_port


class Line:
    """Forwards 127.0.0.1:`port` to `target`. Cut: new connections are refused, open ones closed; frozen: silence."""

    def __init__(self, target: tuple[str, int]) -> None:
        self._target = target
        self._open: list[socket.socket] = []
        self._flowing = threading.Event()
        self._flowing.set()
        self._lock = threading.Lock()
        self.port = free_port()  # still its own after a cut
        self._listener = self._listen()

    def cut(self) -> None:
        with self._lock:
            for each in (self._listener, *self._open):
                _end(each)
            self._open.clear()

    def mend(self) -> None:
        self._flowing.set()
        if self._listener.fileno() < 0:
            self._listener = self._listen()

    def freeze(self) -> None:
        self._flowing.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._flowing.set()
        self.cut()

    def _listen(self) -> socket.socket:
        listener = socket.create_server(("127.0.0.1", self.port))
        listener.settimeout(0.02)  # not every kernel wakes a thread that waits on a socket which is closed
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
        return listener

    def _accept(self, listener: socket.socket) -> None:
        while listener.fileno() >= 0:
            try:
                client, _ = listener.accept()
            except OSError:
                continue
            try:
                server = socket.create_connection(self._target)
            except OSError:
                _end(client)
                continue
            with self._lock:
                if listener.fileno() < 0:  # cut meanwhile
                    _end(client)
                    _end(server)
                    return
                self._open += [client, server]
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                self._flowing.wait()
                sink.sendall(data)
        for each in (source, sink):
            _end(each)


def _end(each: socket.socket) -> None:
    with contextlib.suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
    each.close()
