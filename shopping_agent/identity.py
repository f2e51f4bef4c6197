"""Who shops: told by the host shop in a signed header, never by the shopper's words and never to a model. Pure.

The host shop's own server adds to each request that it passes on

    X-Shopper: <base64url of the JSON>.<hex HMAC-SHA256 of that text under SHOPPER_SECRET>

with the JSON `{"id": "42", "currency": "EUR", "region": "DE", "groups": ["trade"], "expires": 1767225600}`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from search_client.models import Shopper

HEADER = "X-Shopper"


class _Claims(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    id: str = Field(min_length=1, max_length=128)
    currency: str | None = Field(default=None, pattern=r"^[A-Z]{3}$")
    region: str | None = Field(default=None, max_length=16)
    groups: list[str] = Field(default=[], max_length=50)
    expires: float


def sign(claims: Mapping[str, Any], *, secret: str) -> str:
    """The header's value for `claims`; what a host shop computes on its own server."""
    body = base64.urlsafe_b64encode(json.dumps(dict(claims)).encode()).decode()
    return f"{body}.{_mac(body, secret)}"


def _mac(body: str, secret: str) -> str:
    return hmac.new(secret.encode(), body.encode(), hashlib.sha256).hexdigest()


def read_signed(value: str, *, secret: str, now: float) -> Shopper | None:
    """The shopper a header tells of; None where it is forged, expired or malformed."""
    body, _, mac = value.rpartition(".")
    if not body.isascii() or not mac.isascii() or not hmac.compare_digest(_mac(body, secret), mac):
        return None
    try:
        claims = _Claims.model_validate_json(base64.urlsafe_b64decode(body))
    except (binascii.Error, ValidationError, ValueError):
        return None
    if claims.expires < now:
        return None
    return Shopper(claims.id, claims.currency, claims.region, tuple(claims.groups))
