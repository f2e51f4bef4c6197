"""`demo`, `export`, `migrate` and `rebuild-index`: filling, moving and mending a catalog."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from search_client.codec import dump_product
from search_client.commands.searching import opened
from search_client.errors import SettingsError
from search_client.factory import open_catalog_store
from search_client.settings import CatalogSettings

DEMO = "demo"
"""The origin of a catalog that holds invented goods: the first import replaces them."""
Say = Callable[[str], None]


def add_upkeep(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> Iterator[argparse.ArgumentParser]:
    """Adds the commands of this module."""
    demo_ = commands.add_parser(
        "demo",
        help="fill an empty catalog with the demo products",
        description="Fills an empty catalog with invented products. A catalog that holds anything stays as it is.",
    )
    demo_.set_defaults(run=demo)
    yield demo_
    export_ = commands.add_parser(
        "export",
        help="write the catalog as a file of the native format",
        description="Writes every product as one JSON object a line: a backup, or the way to another database.",
        epilog="example: python -m search_client export - | gzip > catalog.jsonl.gz",
    )
    export_.add_argument("file", metavar="FILE", help="the file to write; - for standard output")
    export_.set_defaults(run=export)
    yield export_
    migrate_ = commands.add_parser(
        "migrate",
        help="make or upgrade the database schema",
        description="Brings the database to this program's schema. Opening a catalog does it too, given the rights.",
    )
    migrate_.set_defaults(run=migrate)
    yield migrate_
    rebuild = commands.add_parser(
        "rebuild-index",
        help="build the search index anew",
        description="Builds this machine's search index anew from the database. Searches go on meanwhile.",
    )
    rebuild.set_defaults(run=rebuild_index)
    yield rebuild


def demo(options: argparse.Namespace, settings: CatalogSettings, say: Say) -> int:
    with closing(open_catalog_store(settings)) as store:
        state = store.state()
        if not state.product_count:
            from search_client.demo import products

            report = store.write(products(), replace=True, origin=DEMO)
            count, made = report.added, True
        else:
            count, made = state.product_count, False
    opened(settings).close()
    if options.json:
        say(json.dumps({"products": count, "made": made}))
    elif made:
        say(f"Made the demo catalog: {count:,} products.")
    return 0


def export(options: argparse.Namespace, settings: CatalogSettings, say: Say) -> int:
    with closing(open_catalog_store(settings)) as store:
        found = (change.product for change in store.changes_since(0))
        lines = (dump_product(product) + "\n" for product in found if product is not None)
        if options.file == "-":
            sys.stdout.writelines(lines)
            return 0
        count = _write_whole(Path(options.file), lines)
    say(json.dumps({"products": count}) if options.json else f"Wrote {count:,} products to {options.file}.")
    return 0


def migrate(options: argparse.Namespace, settings: CatalogSettings, say: Say) -> int:
    from search_client.store.sql_store import migrate_catalog

    if settings.is_service:
        raise SettingsError(f"The catalog {settings.catalog_url!r} is a service: it migrates its own database.")
    steps = migrate_catalog(settings.catalog_url, timeout_s=settings.timeout_s)
    say(json.dumps({"steps": steps}) if options.json else f"The schema is up to date ({steps} steps taken).")
    return 0


def rebuild_index(options: argparse.Namespace, settings: CatalogSettings, say: Say) -> int:
    from search_client.index.storage import IndexDirectory

    with closing(open_catalog_store(settings)) as store:
        count = store.state().product_count
    IndexDirectory(settings.index_path).forget()
    opened(settings).close()
    say(json.dumps({"products": count}) if options.json else f"Indexed {count:,} products anew.")
    return 0


def _write_whole(path: Path, lines: Iterable[str]) -> int:
    """Writes the file at once or not at all; gives the number of lines."""
    part = path.with_name(path.name + ".part")
    count = 0
    try:
        with part.open("w", encoding="utf-8") as file:
            for line in lines:
                file.write(line)
                count += 1
        part.replace(path)
    except OSError as error:
        raise SettingsError(f"{str(path)!r} cannot be written: {error.strerror}.") from error
    finally:
        part.unlink(missing_ok=True)
    return count
