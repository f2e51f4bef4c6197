"""`search` and `stats`: reading a catalog from the command line."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict

from search_client.client import SearchClient
from search_client.commands.bars import progress_bar
from search_client.commands.wording import result_lines, state_lines, vocabulary_lines
from search_client.errors import SettingsError
from search_client.factory import open_catalog_store, open_search_client
from search_client.models import Filters, SearchQuery, Sort
from search_client.settings import CatalogSettings
from search_client.wire import results_to_json, vocabulary_to_json

Say = Callable[[str], None]


def add_search(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        "search",
        help="search the catalog",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Prints the products that carry the words and meet every filter, best first.",
        epilog="""examples:
  python -m search_client search red running shoes --max-price 80
  python -m search_client search --brand Nike --sort price_asc --json
  python -m search_client search laptop --exclude gaming --attribute RAM='16 GB'""",
    )
    parser.add_argument("words", nargs="*", metavar="WORDS", help="what is looked for; none: browse by filters")
    parser.add_argument("--exclude", action="append", default=[], metavar="WORDS", help="no hit carries these words")
    for name, what in (("brand", "brands"), ("category", "categories"), ("color", "colors"), ("size", "sizes")):
        parser.add_argument(f"--{name}", action="append", default=[], dest=what, help="may be repeated: any of them")
    parser.add_argument("--attribute", action="append", default=[], metavar="NAME=VALUE", help="any other stated fact")
    parser.add_argument("--min-price", type=float, metavar="AMOUNT")
    parser.add_argument("--max-price", type=float, metavar="AMOUNT")
    parser.add_argument("--currency", metavar="CODE", help="of the prices; default: the catalog's own")
    parser.add_argument("--min-rating", type=float, metavar="STARS")
    parser.add_argument("--in-stock", action="store_true")
    parser.add_argument("--on-sale", action="store_true")
    parser.add_argument("--sort", choices=[sort.value for sort in Sort], default=Sort.RELEVANCE.value)
    parser.add_argument("--limit", type=int, default=8, help="products shown (default 8)")
    parser.add_argument("--offset", type=int, default=0, help="products left out at the beginning")
    parser.set_defaults(run=search)
    return parser


def add_stats(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    parser = commands.add_parser("stats", help="what the catalog holds", description="Prints what the catalog holds.")
    parser.set_defaults(run=stats)
    return parser


def _amount(option: str, value: float | None, *, most: float = math.inf) -> float | None:
    """The amount as given. Raises `SettingsError` for one that no price or rating can have."""
    if value is None or (math.isfinite(value) and 0 <= value <= most):
        return value
    raise SettingsError(f"{option} {value:g} is not {'zero or more' if most == math.inf else f'within 0 to {most:g}'}.")


def _filters(options: argparse.Namespace) -> Filters:
    return Filters(
        min_price=_amount("--min-price", options.min_price),
        max_price=_amount("--max-price", options.max_price),
        currency=options.currency,
        brands=tuple(options.brands),
        categories=tuple(options.categories),
        colors=tuple(options.colors),
        sizes=tuple(options.sizes),
        attributes=tuple(_pair(text) for text in options.attribute),
        min_rating=_amount("--min-rating", options.min_rating, most=5),
        in_stock=options.in_stock,
        on_sale=options.on_sale,
    )


def search(options: argparse.Namespace, settings: CatalogSettings, say: Say) -> int:
    query = SearchQuery(
        keywords=(" ".join(options.words),) if options.words else (),
        exclude=tuple(options.exclude),
        filters=_filters(options),
        sort=Sort(options.sort),
        limit=options.limit,
        offset=options.offset,
    )
    with closing(opened(settings)) as client:
        results = client.search(query)
        empty = not results.hits and not client.vocabulary().product_count
    if options.json:
        say(json.dumps(results_to_json(results), ensure_ascii=False, indent=2))
    elif empty:
        say("The catalog is empty. Fill it: python -m search_client import FILE, or python -m search_client demo")
    else:
        say("\n".join(result_lines(results)))
    return 0


def stats(options: argparse.Namespace, settings: CatalogSettings, say: Say) -> int:
    with closing(opened(settings)) as client:
        vocabulary = client.vocabulary()
    state = None
    if not settings.is_service:
        with closing(open_catalog_store(settings)) as store:
            state = store.state()
    if options.json:
        known = {"catalog": asdict(state)} if state else {}
        say(json.dumps(vocabulary_to_json(vocabulary) | known, ensure_ascii=False, indent=2))
        return 0
    say("\n".join(vocabulary_lines(vocabulary)))
    if state is not None:
        say("\n".join(state_lines(state)))
    return 0


def opened(settings: CatalogSettings) -> SearchClient:
    """The client, with a bar where its index has to be built first."""
    if settings.is_service or not sys.stderr.isatty():
        return open_search_client(settings)
    with progress_bar("Indexing", total=_size(settings), unit=" products") as tell:
        return open_search_client(settings, progress=tell)


def _size(settings: CatalogSettings) -> int:
    with closing(open_catalog_store(settings)) as store:
        return store.state().product_count


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise SettingsError(f"--attribute {text!r} is not NAME=VALUE, such as Material=Leather.")
    return name, value
