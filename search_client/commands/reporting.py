"""What an import says about the files it read and about what became of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from search_client.store.catalog_store import WriteReport

if TYPE_CHECKING:
    from search_client.feeds import Detected, ImportReport

_SHOWN_REASONS = 12
_SHOWN_ALIKE = 3
_SHOWN_COLUMNS = 12


def detected_lines(found: Detected) -> Iterator[str]:
    """What a file was taken for: shown before it is used."""
    facts = [found.format, found.encoding]
    facts += [f"columns by {found.delimiter!r}"] if found.delimiter else []
    facts += [f"decimal sign {found.decimal!r}", f"prices in {found.currency}"]
    facts += ["in minor units"] if found.price_unit == "minor" else []
    yield f"{found.source}: {', '.join(facts)}; {found.records:,} records"
    for what, why in found.evidence:
        yield f"  {what}: {why}"
    if found.mapping:
        yield f"  read: {', '.join(f'{name} = {column}' for name, column in found.mapping)}"
    for title, columns in (
        ("kept as attributes", found.unknown_columns),
        ("left out as private", found.private_columns),
        ("left out as of no use to a shopper", found.ignored_columns),
    ):
        if columns:
            more = f", and {len(columns) - _SHOWN_COLUMNS:,} more" if len(columns) > _SHOWN_COLUMNS else ""
            yield f"  {title}: {', '.join(columns[:_SHOWN_COLUMNS])}{more}"


def report_lines(report: ImportReport, written: WriteReport | None) -> Iterator[str]:
    """What came of the import, or would have: what was left out first, the sum last."""
    for kind, reasons in report.reasons.items():
        for reason, count in reasons.most_common(_SHOWN_REASONS):
            alike = [finding for finding in report.findings if (finding.kind, finding.reason) == (kind, reason)]
            yield from (f"  {finding}" for finding in alike[:_SHOWN_ALIKE])
            if count > _SHOWN_ALIKE:
                yield f"    … and {count - min(len(alike), _SHOWN_ALIKE):,} more like it"
        if len(reasons) > _SHOWN_REASONS:
            yield f"    … and {len(reasons) - _SHOWN_REASONS:,} more reasons why records were {kind.value} (see --json)"
    if report.suspicious:
        yield f"{report.suspicious:,} products carry text that reads like instructions to an assistant."
    left_out = f"{report.skipped:,} left out, {report.repaired:,} repaired"
    if written is None:
        yield f"Would import {report.imported:,} products of {report.read:,} records; {left_out}. Nothing was changed."
        return
    changes = f"{written.added:,} new, {written.updated:,} changed, {written.unchanged:,} as before"
    gone = f", {written.deleted:,} removed" if written.deleted else ""
    yield f"Imported {report.imported:,} products of {report.read:,} records: {changes}{gone}; {left_out}."
