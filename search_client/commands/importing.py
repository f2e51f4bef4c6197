"""`import`: merchants' files into the catalog, all or nothing."""

from __future__ import annotations

import argparse
import json
import re
from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from search_client.commands.bars import progress_bar
from search_client.commands.mapping import read_mapping
from search_client.commands.reporting import detected_lines, report_lines
from search_client.commands.searching import opened
from search_client.commands.upkeep import DEMO
from search_client.errors import SettingsError
from search_client.factory import open_catalog_store
from search_client.settings import CatalogSettings
from search_client.store.catalog_store import CatalogState, CatalogStore, WriteReport

if TYPE_CHECKING:
    from search_client.feeds import Feed, FeedOptions

Say = Callable[[str], None]

_EXAMPLES = """What a file is, its encoding, delimiter, decimal sign and columns are found out by themselves and shown.

examples:
  python -m search_client import products_export.csv                       Shopify, WooCommerce, Magento, Vendure, …
  python -m search_client import feed.xml                                  a Google Merchant feed (XML, TSV, CSV)
  python -m search_client import https://shop.example/feed.jsonl.gz
  python -m search_client import artikel.csv --map title=Bezeichnung --map price=VK --decimal , --currency EUR
  python -m search_client import artikel.csv --map columns.txt             lines such as title=Bezeichnung
  python -m search_client import all.csv --replace                         what is not in the file goes
  python -m search_client import all.csv --dry-run                         says what would come of it

An import happens whole or not at all: a file that breaks off, and --strict, leave the catalog as it was. The same file
again changes nothing. The first import into the demo catalog replaces the demo products."""


def add_import(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        "import",
        help="bring products from a merchant's files into the catalog",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Brings the products of one or more files into the catalog and indexes them.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file, also .gz or .zip, or an https address")
    _add_consequences(parser.add_argument_group("what becomes of the catalog"))
    _add_reading(parser.add_argument_group("how the files are read, where what is found out is wrong or not enough"))
    parser.set_defaults(run=import_files)
    return parser


def _add_consequences(group: argparse._ArgumentGroup) -> None:
    mode = group.add_mutually_exclusive_group()
    mode.add_argument(
        "--update", action="store_true", help="what is not in the files stays: so anyhow, but for the demo products"
    )
    mode.add_argument("--replace", action="store_true", help="what is not in the files is removed from the catalog")
    group.add_argument("--strict", action="store_true", help="the first skipped or repaired record is an error")
    group.add_argument("--no-text-check", action="store_true", help="do not count texts that instruct an assistant")
    group.add_argument("--dry-run", action="store_true", help="read and report, change nothing")


def _add_reading(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--format", metavar="NAME", help="shopify, woocommerce, google, …; a wrong one lists them all")
    group.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="FIELD=COLUMN",
        help="which column fills a field, such as title=Bezeichnung; repeat it, or name a file of such lines (or CSV, "
        "JSON) that serves again; a wrong field lists them all",
    )
    group.add_argument(
        "--decimal", choices=[".", ","], metavar="SIGN", help="before the cents: . as in 1,299.00 or , as in 1.299,00"
    )
    group.add_argument("--currency", metavar="CODE", help="of prices that name none, such as EUR")
    group.add_argument(
        "--price-unit",
        choices=["major", "minor"],
        metavar="UNIT",
        help="of a price like 1999: major, so that it is 1999.00, or minor, so that it is 19.99",
    )
    group.add_argument("--encoding", metavar="NAME", help="such as windows-1252")
    group.add_argument("--delimiter", metavar="CHAR", help=r"between columns, such as ; or \t")
    group.add_argument("--image-base", metavar="URL", help="what relative image paths are relative to")
    group.add_argument("--allow-host", action="append", default=[], metavar="HOST", help="a download may lead there")


def import_files(options: argparse.Namespace, settings: CatalogSettings, say: Say) -> int:
    from search_client.feeds import open_feed

    with (
        progress_bar("Reading", total=None, unit="B", scaled=True) as progress,
        open_feed(options.files, _feed_options(options, progress)) as feed,
    ):
        if not options.json:
            say("\n".join(line for found in feed.detected for line in detected_lines(found)))
        written = None if options.dry_run else _write(feed, settings, options)
        if written is None:
            deque(feed, maxlen=0)
        report, detected = feed.report, feed.detected
    if written is not None:
        report.record_write({name: count for name, count in asdict(written).items() if name != "revision"})
        _index(settings)
    if options.json:
        say(json.dumps({"detected": [asdict(each) for each in detected], **report.as_dict()}, indent=2, default=str))
    else:
        say("\n".join(report_lines(report, written)))
    return 0


def _write(feed: Feed, settings: CatalogSettings, options: argparse.Namespace) -> WriteReport:
    """All of the feed's products in one transaction; the demo products make way for the first real ones."""
    with closing(open_catalog_store(settings)) as store:
        before = store.state()
        for_demo = before.origin == DEMO and not options.update
        replace = options.replace or for_demo
        if for_demo or not before.product_count:
            return _fill(store, feed, settings, before=before, replace=replace)
        return store.write(feed, replace=replace, origin="")


def _fill(
    store: CatalogStore, feed: Feed, settings: CatalogSettings, *, before: CatalogState, replace: bool
) -> WriteReport:
    """As the only products of a catalog, indexed by another process while they are read."""
    from search_client.index.ahead import AheadBuild
    from search_client.index.storage import IndexDirectory

    with AheadBuild(IndexDirectory(settings.index_path), catalog_id=before.catalog_id) as ahead:
        written = store.write(feed, replace=replace, origin="", passing=ahead.take)
        whole = written.added + written.updated + written.unchanged == ahead.sent
        alone = written.revision == before.revision + 1
        if whole and alone:
            ahead.publish(revision=written.revision)
    return written


def _index(settings: CatalogSettings) -> None:
    """Brings this machine's index up to date, so that the next search need not wait for it."""
    try:
        opened(settings).close()
    except KeyboardInterrupt:
        raise SettingsError("Imported; stopped while indexing, which goes on at the next search.") from None


def _feed_options(options: argparse.Namespace, progress: Callable[[int, int], None]) -> FeedOptions:
    from search_client.feeds import FeedOptions

    return FeedOptions(
        format=options.format,
        mapping=read_mapping(options.map),
        decimal=options.decimal,
        encoding=options.encoding,
        delimiter="\t" if options.delimiter == r"\t" else options.delimiter,
        currency=_currency(options.currency),
        price_unit=options.price_unit,
        image_base=options.image_base,
        strict=options.strict,
        suspicious=None if options.no_text_check else installed_text_check(),
        progress=progress,
        allow_hosts=tuple(options.allow_host),
    )


def installed_text_check() -> Callable[[str], bool] | None:
    """The first function that an installed package offers to tell instructions in product text; None if none does."""
    for offered in entry_points(group="search_client.text_checks"):
        check: Callable[[str], bool] = offered.load()
        return check
    return None


def _currency(text: str | None) -> str | None:
    code = text.strip().upper() if text else None
    if code is not None and not re.fullmatch("[A-Z]{3}", code):
        raise SettingsError(f"--currency {text!r} is not an ISO 4217 code, such as EUR.")
    return code
