"""What is refused before anything is spent: too many messages, too many turns at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

from flask import Flask, Response, g, make_response
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from werkzeug.exceptions import ServiceUnavailable

from web.sessions import current_owner
from web.traffic import DEFAULT_LIMITS, TrafficLimits

LIMITED_ENDPOINTS = ("chat.say", "framed_chat.say")
"""The only routes that may ask a model, on the page and in the bubble's frame; they share one allowance."""


class TurnGate:
    """Lets a bounded number of turns run and a bounded number wait. Thread-safe."""

    def __init__(self, *, running: int, waiting: int, waiting_s: float) -> None:
        self._places = threading.BoundedSemaphore(running)
        self._queue = threading.BoundedSemaphore(waiting)
        self._waiting_s = waiting_s

    def enter(self) -> bool:
        """Whether the turn may run now; True must be followed by `leave`."""
        if self._places.acquire(blocking=False):
            return True
        if not self._queue.acquire(blocking=False):
            return False
        try:
            return self._places.acquire(timeout=self._waiting_s)
        finally:
            self._queue.release()

    def leave(self) -> None:
        """The turn is over."""
        self._places.release()


class Place:
    """One turn's right to run; given back once, however often it is said."""

    def __init__(self, gate: TurnGate) -> None:
        self._gate: TurnGate | None = gate
        self._lock = threading.Lock()
        self.kept = False
        """True: the turn outlives its response and gives the place back itself."""

    def give_back(self) -> None:
        """The turn is over."""
        with self._lock:
            gate, self._gate = self._gate, None
        if gate is not None:
            gate.leave()


def keep_place() -> Callable[[], None]:
    """Take the current request's place over; the caller calls what it gets when the turn is over."""
    place: Place = g.place
    place.kept = True
    return place.give_back


class ShopBusy(ServiceUnavailable):
    """Every place and the queue are taken."""

    def __init__(self) -> None:
        super().__init__(retry_after=5)


def limit(app: Flask, limits: TrafficLimits) -> None:
    """Guard the route that asks a model; 429 or 503 with `Retry-After` before anything is stored or spent."""
    limiter = Limiter(
        get_remote_address,
        app=app,
        storage_uri=limits.storage_url,
        strategy="moving-window",
        in_memory_fallback_enabled=limits.storage_url != DEFAULT_LIMITS.storage_url,
    )
    gate = TurnGate(running=limits.running_turns, waiting=limits.waiting_turns, waiting_s=limits.waiting_s)
    say = app.view_functions[LIMITED_ENDPOINTS[0]]

    def guarded() -> Response:
        if not gate.enter():
            raise ShopBusy
        place = g.place = Place(gate)
        try:
            response = make_response(say())
        except BaseException:
            place.give_back()
            raise
        if not place.kept:
            response.call_on_close(place.give_back)
        return response

    by_session = limiter.shared_limit(limits.session, scope="say", key_func=current_owner)(guarded)
    by_address = limiter.shared_limit(limits.address, scope="say by address")(by_session)
    app.view_functions.update(dict.fromkeys(LIMITED_ENDPOINTS, by_address))
