"""How much the shop takes at once: settings of the limits. Read once, checked before serving."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from limits import parse_many

from web.errors import WebSettingsError


@dataclass(frozen=True, slots=True)
class TrafficLimits:
    """Settings of what one shopper, one address and one process may ask for."""

    session: str = "20 per minute;300 per day"
    """`RATE_LIMIT_SESSION`: messages of one browser."""
    address: str = "60 per minute;3000 per day"
    """`RATE_LIMIT_ADDRESS`: messages from one network address."""
    storage_url: str = "memory://"
    """`REDIS_URL`: where the windows are counted; without it each process counts for itself."""
    running_turns: int = 96
    """`MAX_RUNNING_TURNS`: turns that one process answers at once."""
    waiting_turns: int = 32
    """`MAX_WAITING_TURNS`: turns that may wait for a place."""
    waiting_s: float = 5.0
    """How long a turn waits for a place before the shopper is told that the shop is busy."""


DEFAULT_LIMITS = TrafficLimits()


def limits_from_env(environ: Mapping[str, str]) -> TrafficLimits:
    """Read and check. Raises `WebSettingsError` naming the variable and its value."""
    return TrafficLimits(
        session=_windows(environ, "RATE_LIMIT_SESSION", DEFAULT_LIMITS.session),
        address=_windows(environ, "RATE_LIMIT_ADDRESS", DEFAULT_LIMITS.address),
        storage_url=_storage(environ),
        running_turns=count_from_env(environ, "MAX_RUNNING_TURNS", DEFAULT_LIMITS.running_turns),
        waiting_turns=count_from_env(environ, "MAX_WAITING_TURNS", DEFAULT_LIMITS.waiting_turns),
    )


def _windows(environ: Mapping[str, str], name: str, default: str) -> str:
    value = environ.get(name) or default
    try:
        parse_many(value)
    except ValueError as error:
        raise WebSettingsError(f"{name} {value!r} is not a list of limits like '20 per minute;300 per day'.") from error
    return value


def _storage(environ: Mapping[str, str]) -> str:
    value = environ.get("REDIS_URL") or DEFAULT_LIMITS.storage_url
    if not value.startswith(("memory://", "redis://", "rediss://")):
        raise WebSettingsError(f"REDIS_URL {value!r} is not an address like redis://127.0.0.1:6379/0.")
    return value


def count_from_env(environ: Mapping[str, str], name: str, default: int) -> int:
    """A whole number above 0. Raises `WebSettingsError`."""
    value = environ.get(name) or str(default)
    if not (value.isascii() and value.isdecimal() and 0 < int(value) <= 100_000):
        raise WebSettingsError(f"{name} {value!r} is not a whole number above 0.")
    return int(value)
