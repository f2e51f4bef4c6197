"""A model service for load and benches: the same search for every request, after a pause."""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


def _answer() -> bytes:
    arguments = json.dumps({"next_action": {"kind": "search", "keywords": ["lamp"]}})
    call = {"id": "c", "type": "function", "function": {"name": "NextActionResponse", "arguments": arguments}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    usage = {"prompt_tokens": 900, "completion_tokens": 20, "total_tokens": 920}
    choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
    reply = {"id": "x", "object": "chat.completion", "created": 1, "model": "stub", "choices": [choice], "usage": usage}
    body = json.dumps(reply).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


ANSWER = _answer()


class _Service(asyncio.Protocol):
    """One kept-alive connection; requests come one after another."""

    def __init__(self, pause_s: float) -> None:
        self._pause_s = pause_s
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, found, body = self._received.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if found and len(body) >= (int(length[1]) if length else 0):
            self._received = b""
            asyncio.get_running_loop().call_later(self._pause_s, self._reply)

    def _reply(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(ANSWER)


@asynccontextmanager
async def serve(pause_s: float) -> AsyncIterator[int]:
    """The service in this process; gives its port."""
    server = await asyncio.get_running_loop().create_server(lambda: _Service(pause_s), "127.0.0.1", 0, backlog=1024)
    async with server:
        yield int(server.sockets[0].getsockname()[1])


@contextmanager
def beside() -> Iterator[int]:
    """The service without a pause in a process of its own, whose CPU time nobody here counts; gives its port."""
    with subprocess.Popen([sys.executable, "-m", __name__], stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        try:
            yield int(service.stdout.readline())
        finally:
            service.terminate()


async def _main(pause_s: float) -> None:
    async with serve(pause_s) as port:
        sys.stdout.write(f"{port}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.load.stub_model", description=__doc__)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds before each answer")
    asyncio.run(_main(parser.parse_args().pause))
