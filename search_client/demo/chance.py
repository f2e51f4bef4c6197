"""Choices that look random and never change: hashed from a key, in whole numbers, on every Python alike."""

from __future__ import annotations

import hashlib


def number(key: str, below: int) -> int:
    """A whole number from 0 up to, not including, `below`; evenly spread over keys."""
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "big") % below


def percent(key: str, share: int) -> bool:
    """True for `share` of 100 keys."""
    return number(key, 100) < share
