"""What became of each record of a feed: counted in full, quoted up to a bound."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from search_client.errors import FeedError

_SHOWN_CHARS = 120


class Kind(enum.StrEnum):
    """What a finding means for the record."""

    SKIPPED = "skipped"
    """Unusable: not imported."""
    HIDDEN = "hidden"
    """Left out because the shop does not show it."""
    REPAIRED = "repaired"
    """Imported, but not as written."""
    WARNING = "warning"
    """Imported as written; worth a look."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing worth telling about one record."""

    kind: Kind
    line: int | None
    """Line of the file where the record begins; None: the file as a whole."""
    reason: str
    value: str = ""
    product_id: str | None = None
    source: str | None = None
    """The file, where several are read together."""

    def __str__(self) -> str:
        where = ":".join(str(part) for part in (self.source, self.line) if part is not None)
        shown = f" {self.value!r}" if self.value else ""
        return f"{where or 'file'}: {self.kind.value}: {self.reason}{shown}"


@dataclass(frozen=True, slots=True)
class Detected:
    """What was found out about one file, each with its evidence."""

    source: str
    format: str
    encoding: str
    delimiter: str | None = None
    decimal: str = "."
    currency: str = "USD"
    price_unit: str = "major"
    records: int = 0
    evidence: tuple[tuple[str, str], ...] = ()
    """What was decided and why: `(("decimal", "14 prices such as '3,70' (line 2)"),)`."""
    mapping: tuple[tuple[str, str], ...] = ()
    """Our field and the feed's column that fills it, in the order of the file."""
    unknown_columns: tuple[str, ...] = ()
    """Kept as attributes."""
    private_columns: tuple[str, ...] = ()
    """Never read: cost, supplier, margin, notes."""
    ignored_columns: tuple[str, ...] = ()
    """Of no use to a shopper."""


class ImportReport:
    """Counts and findings of one import. `read` counts records of the file, `imported` products."""

    def __init__(self, *, strict: bool = False, max_findings: int = 1_000) -> None:
        self.read = 0
        self.imported = 0
        self.variants = 0
        self.suspicious = 0
        self.written: dict[str, int] = {}
        """What the store did: added, updated, unchanged, deleted; empty before the write."""
        self.findings: list[Finding] = []
        self.reasons: dict[Kind, Counter[str]] = {kind: Counter() for kind in Kind}
        self.source: str | None = None
        self._strict = strict
        self._max_findings = max_findings

    @property
    def skipped(self) -> int:
        """Records and products left out, hidden ones among them."""
        return self._count(Kind.SKIPPED) + self._count(Kind.HIDDEN)

    @property
    def hidden(self) -> int:
        return self._count(Kind.HIDDEN)

    @property
    def repaired(self) -> int:
        return self._count(Kind.REPAIRED)

    @property
    def warnings(self) -> int:
        return self._count(Kind.WARNING)

    @property
    def updated(self) -> int | None:
        """Products that replaced an older record; None before the write."""
        return self.written.get("updated")

    def tell(
        self, kind: Kind, line: int | None, reason: str, value: object = "", product_id: str | None = None
    ) -> None:
        """Notes a finding. Raises `FeedError` in strict mode for what is skipped or repaired."""
        shown = str(value)
        shown = shown if len(shown) <= _SHOWN_CHARS else shown[:_SHOWN_CHARS] + "…"
        finding = Finding(kind, line, reason, shown, product_id, self.source)
        self.reasons[kind][reason] += 1
        if len(self.findings) < self._max_findings:
            self.findings.append(finding)
        if self._strict and kind in (Kind.SKIPPED, Kind.REPAIRED):
            raise FeedError(f"{finding}. Strict import: nothing was changed.")

    def record_write(self, counts: Mapping[str, int]) -> None:
        """Takes over what the store did with the products."""
        self.written = dict(counts)

    def as_dict(self) -> dict[str, object]:
        """The report as JSON: fixed keys, findings in order of the file."""
        return {
            "read": self.read,
            "imported": self.imported,
            "variants": self.variants,
            "skipped": self.skipped,
            "hidden": self.hidden,
            "repaired": self.repaired,
            "warnings": self.warnings,
            "suspicious": self.suspicious,
            **self.written,
            "reasons": {kind.value: dict(counter.most_common()) for kind, counter in self.reasons.items() if counter},
            "findings": [asdict(finding) for finding in self.findings],
            "findings_left_out": sum(sum(c.values()) for c in self.reasons.values()) - len(self.findings),
        }

    def _count(self, kind: Kind) -> int:
        return sum(self.reasons[kind].values())
