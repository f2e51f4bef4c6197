"""What a caller may say about a feed, and how much of one is accepted at most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class FeedLimits:
    """Bounds on one feed. Memory follows the bounds on a record, never the size of the file."""

    max_bytes: int = 16 * 2**30
    """Of one file, unpacked."""
    max_download_bytes: int = 2 * 2**30
    max_download_s: float = 3_600.0
    """The whole of a download, however steadily it drips."""
    max_ratio: int = 200  # the densest real export at hand, a padded CSV, packs 40:1
    """Unpacked to packed bytes, looked at once more than 64 MiB came out."""
    max_records: int = 20_000_000
    max_columns: int = 5_000  # 3,944 distinct attribute columns were met in one real catalog
    max_field_chars: int = 2 * 2**20
    max_record_chars: int = 16 * 2**20
    max_nesting: int = 40
    max_members: int = 200
    """Files within one zip."""
    max_findings: int = 1_000
    """Findings kept word for word; the rest is counted."""


DEFAULT_LIMITS = FeedLimits()


@dataclass(frozen=True, slots=True)
class FeedOptions:
    """How to read a feed. Whatever is None is found out from the file, with evidence."""

    format: str | None = None
    """One of `FORMATS`."""
    mapping: tuple[tuple[str, str], ...] = ()
    """Our field and the feed's own column, `(("title", "Bezeichnung"),)`: comes before every guess."""
    decimal: str | None = None
    """`.` or `,`: the sign before the cents."""
    encoding: str | None = None
    delimiter: str | None = None
    currency: str | None = None
    """ISO 4217 code for prices that name none; None: the feed's own, else USD with a warning."""
    price_unit: str | None = None
    """`major` or `minor`: whether 1999 is 1999.00 or 19.99."""
    image_base: str | None = None
    """Address that relative image paths follow; without it such images are left out."""
    strict: bool = False
    """The first skipped or repaired record is an error."""
    now: datetime | None = None
    """The moment that sale dates are compared with; None: now."""
    suspicious: Callable[[str], bool] | None = None
    """Tells whether a text carries instructions to an assistant. Such products are counted, never refused."""
    progress: Callable[[int, int], None] | None = None
    """Called now and then with the work done and the work in all, in bytes."""
    timeout_s: float = 30.0
    """For each step of a download."""
    allow_hosts: tuple[str, ...] = ()
    """Other hosts that a download may be redirected to."""
    limits: FeedLimits = field(default=DEFAULT_LIMITS)
