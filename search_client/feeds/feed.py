"""The one door to merchant files: `open_feed` says what a file is, iterating gives its products, the report the rest.

A feed is read twice: the first pass decides what holds for the whole file (so that the guess can be shown before it is
used), the second makes products one by one. Whoever writes them to a store does so in one transaction: a `FeedError`
raised on the way leaves the catalog as it was.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from search_client.errors import FeedError, InvalidRecordError
from search_client.feeds.assemble import Assembler
from search_client.feeds.detect import Opened, open_part
from search_client.feeds.draft import Draft, Record
from search_client.feeds.grouping import SeenIds, gathered, in_passing
from search_client.feeds.native import native_product
from search_client.feeds.options import FeedOptions
from search_client.feeds.ratings import Ratings
from search_client.feeds.report import Detected, ImportReport, Kind
from search_client.feeds.source import Part, parts_of
from search_client.feeds.survey import Style, Survey, survey
from search_client.feeds.table import Misfit
from search_client.models import Product

_TICK = 500
_MAX_GROUP_ROWS = 10_000
_UNUSED = ("unused", "position", "thumbnail", "slug", "shipping", "url_key", "attribute_set")
_NOTHING = FeedOptions()


def open_feed(source: str | Path | Sequence[str | Path], options: FeedOptions = _NOTHING) -> Feed:
    """Opens one file, several, or an https address, and finds out what they are.

    Raises `FeedError` where a file cannot be read, is no feed, or leaves open what a wrong guess would spoil.
    """
    sources = [source] if isinstance(source, str | Path) else list(source)
    with ExitStack() as stack:
        parts = [part for each in sources for part in _parts(each, options, stack)]
        feed = Feed(parts, options, stack)
        feed._keep(stack.pop_all())
    return feed


def _parts(source: str | Path, options: FeedOptions, stack: ExitStack) -> list[Part]:
    if isinstance(source, str) and "://" in source:
        from search_client.feeds.fetch import downloaded  # httpx takes a tenth of a second to import

        source = stack.enter_context(downloaded(source, options))
    return parts_of(Path(source), options.limits)


class Feed:
    """The products of one or more files, streamed. Iterate it once more to read it again; close it when done."""

    def __init__(self, parts: Sequence[Part], options: FeedOptions, stack: ExitStack) -> None:
        self._options = options
        self._stack = stack
        self._work_in_all = 2 * sum(part.size for part in parts)
        self._work_done = 0
        self._now = options.now or datetime.now(UTC)
        opened = [open_part(part, options) for part in parts]
        self._reviews = [each for each in opened if each.format == "reviews"]
        surveys = [(each, _surveyed(each, self)) for each in opened if each.format != "reviews"]
        for each, found in surveys:
            found.learn(
                other for beside, other in surveys if each.part.archive and beside.part.archive == each.part.archive
            )
        self._opened = [(each, found.decide()) for each, found in surveys]
        if not self._opened:
            names = ", ".join(each.part.name for each in self._reviews)
            raise FeedError(f"{names!r} holds reviews, no products. Import it together with the file of the products.")
        self.report = self._new_report()
        """Counts and findings of the pass going on or gone by."""

    @property
    def detected(self) -> tuple[Detected, ...]:
        """What was found out about each file, known before the first product is read."""
        return tuple(_detected(opened, style) for opened, style in self._opened)

    @property
    def records(self) -> int:
        """The number of records in all files."""
        return sum(style.records for _, style in self._opened)

    def __iter__(self) -> Iterator[Product]:
        """Every product that a shopper may see. Raises `FeedError` where none is left, or in strict mode."""
        self.report = self._new_report()
        self._work_done = self._work_in_all // 2
        seen, ratings = SeenIds(), Ratings()
        try:
            for opened in self._reviews:
                self._rate(opened, ratings)
            for opened, style in self._opened:
                self.report.source = opened.part.name if len(self._opened) > 1 else None
                yield from self._products(opened, style, seen, ratings)
                self._work_done += opened.part.size
        finally:
            seen.close()
            ratings.close()
        if not self.report.imported:
            raise FeedError(_nothing_left(self.report))

    def close(self) -> None:
        """Removes what was downloaded."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _keep(self, stack: ExitStack) -> None:
        self._stack = stack

    def _new_report(self) -> ImportReport:
        return ImportReport(strict=self._options.strict, max_findings=self._options.limits.max_findings)

    def _rate(self, opened: Opened, ratings: Ratings) -> None:
        self.report.source = opened.part.name
        for record in self._told(opened):
            if not ratings.add(record, opened.binder):
                self.report.tell(Kind.SKIPPED, record.line, "a review without product or rating")

    def _products(self, opened: Opened, style: Style, seen: SeenIds, ratings: Ratings) -> Iterator[Product]:
        if opened.format == "native":
            yield from self._native(opened, seen, Assembler(style, self._options, self.report, seen, now=self._now))
            return
        if style.currency_assumed and style.prices:
            self.report.tell(Kind.WARNING, None, f"no price names a currency: {style.currency} assumed, say --currency")
        assembler = Assembler(style, self._options, self.report, seen, now=self._now)
        reader = opened.reader(self._now)
        drafts = (draft for record in self._told(opened) for draft in reader.drafts(record))
        groups = gathered(drafts, max_rows=_MAX_GROUP_ROWS) if style.scattered else in_passing(drafts)
        for rows in groups:
            product = assembler.product(reader.merge(rows))
            if product is not None:
                yield _rated(product, ratings)
        for reason, line, value in opened.xml.repairs if opened.xml else ():
            self.report.tell(Kind.REPAIRED, line, reason, value)

    def _native(self, opened: Opened, seen: SeenIds, assembler: Assembler) -> Iterator[Product]:
        for record in self._told(opened):
            try:
                product = native_product(record.data)
            except InvalidRecordError as error:
                self.report.tell(Kind.SKIPPED, record.line, "not a product of our format", error)
                continue
            if not seen.add(product.id):
                self.report.tell(
                    Kind.SKIPPED, record.line, "duplicate id, the first one is kept", product.id, product.id
                )
                continue
            assembler.count(product, record.line)
            yield product

    def _told(self, opened: Opened) -> Iterator[Record]:
        """Records of the second pass; rows that do not fit are told."""
        for record in self.counted(opened):
            self.report.read += 1
            if isinstance(record, Misfit):
                self.report.tell(Kind.SKIPPED, record.line, record.reason, record.value)
            else:
                if record.repaired:
                    self.report.tell(Kind.REPAIRED, record.line, record.repaired)
                yield record

    def counted(self, opened: Opened) -> Iterator[Record | Misfit]:
        """The records of a file, with progress told and the number bounded."""
        progress, most = self._options.progress, self._options.limits.max_records
        for number in itertools.count():
            if number == 0:
                records = iter(_readable(opened))
            record = next(records, None)
            if record is None:
                return
            if number >= most:
                raise FeedError(f"{opened.part.name!r} has more than {most:,} records; split it.")
            if progress is not None and number % _TICK == 0:
                progress(min(self._work_done + opened.part.read[0], self._work_in_all), self._work_in_all)
            yield record

    def surveyed(self, part: Part) -> None:
        """Counts a file whose first pass is over."""
        self._work_done += part.size


def _readable(opened: Opened) -> Iterable[Record | Misfit]:
    try:
        yield from opened.records()
    except UnicodeError as error:
        raise FeedError(
            f"{opened.part.name!r} is not {opened.encoding.name} throughout: {error}. "
            "Say how it was saved with --encoding."
        ) from error


def _surveyed(opened: Opened, feed: Feed) -> Survey:
    found = survey(_drafts(opened, feed), feed._options)
    feed.surveyed(opened.part)
    if not found.drafts:
        raise FeedError(f"{opened.part.name!r} holds no products.")
    return found


def _drafts(opened: Opened, feed: Feed) -> Iterator[Draft]:
    native = opened.format == "native"
    reader = None if native else opened.reader(feed._now)
    for record in feed.counted(opened):
        if not isinstance(record, Record):
            yield Draft(record.line)
        elif reader is None:
            yield Draft(record.line, id="native")
        else:
            yield from reader.drafts(record)


def _rated(product: Product, ratings: Ratings) -> Product:
    found = ratings.of(product.id, product.sku) if product.rating is None else None
    return replace(product, rating=found[0], rating_count=found[1]) if found else product


def _detected(opened: Opened, style: Style) -> Detected:
    binder = opened.binder
    keeps = (lambda column: True) if opened.format == "native" else opened.reader(datetime.now(UTC)).keeps
    dropped = [column for column in binder.unknown if not keeps(column)]
    useless = [column for column, name in binder.used.items() if name.rstrip("0123456789") in _UNUSED]
    secret = [column for column, name in binder.used.items() if name == "supplier" and not style.supplier_is_brand]
    shown = [(name, column) for column, name in binder.used.items() if column not in {*useless, *secret}]
    return Detected(
        source=opened.part.name,
        format=opened.format,
        encoding=opened.encoding.name,
        delimiter=opened.dialect.delimiter if opened.dialect else None,
        decimal=style.decimal,
        currency=style.currency,
        price_unit="minor" if style.minor else "major",
        records=style.records,
        evidence=(*opened.evidence, *style.evidence),
        mapping=tuple(shown),
        unknown_columns=tuple(column for column in binder.unknown if keeps(column)),
        private_columns=(*binder.private, *secret),
        ignored_columns=(*binder.ignored, *useless, *dropped),
    )


def _nothing_left(report: ImportReport) -> str:
    reasons = {kind.value: dict(found.most_common(3)) for kind, found in report.reasons.items() if found}
    first = next((str(finding) for finding in report.findings if finding.kind is not Kind.WARNING), "")
    return f"None of {report.read:,} records can be imported: {reasons}. First: {first}. Nothing was changed."
