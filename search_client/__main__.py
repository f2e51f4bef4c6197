"""`python -m search_client`: a merchant's file in, products found, from the command line."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace

from search_client.commands.importing import add_import
from search_client.commands.searching import add_search, add_stats
from search_client.commands.upkeep import add_upkeep
from search_client.errors import SearchClientError
from search_client.settings import DEFAULT_CATALOG_URL, CatalogSettings, catalog_settings_from_env

_EXAMPLES = f"""examples:
  python -m search_client demo                            an invented shop to try things with
  python -m search_client import products.csv             Shopify, WooCommerce, Google feed, JSON, … found out by itself
  python -m search_client search red shoes --max-price 80
  python -m search_client stats --catalog postgresql://shop@db/catalog

The catalog is {DEFAULT_CATALOG_URL} unless --catalog or CATALOG_URL names another one."""


def parser() -> argparse.ArgumentParser:
    """The command line, with all its help."""
    top = argparse.ArgumentParser(
        prog="python -m search_client",
        description="The shop's catalog: import it, search it, look after it.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for command in (add_import(commands), add_search(commands), add_stats(commands), *add_upkeep(commands)):
        command.add_argument("--catalog", metavar="URL", help="sqlite:///path, postgresql://… or, to read, https://…")
        command.add_argument("--json", action="store_true", help="print JSON for programs")
    return top


def main(arguments: list[str] | None = None) -> int:
    """Runs one command. 0: done; 2: refused, with one sentence on stderr that says what to do; 130: interrupted."""
    options = parser().parse_args(arguments)
    try:
        return int(options.run(options, _settings(options.catalog), _say))
    except SearchClientError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped; the catalog is as it was.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the interpreter's last flush
        return 0


def _settings(catalog: str | None) -> CatalogSettings:
    settings = catalog_settings_from_env(os.environ)
    if catalog is None or catalog == settings.catalog_url:
        return settings
    return replace(settings, catalog_url=catalog, read_url=None, index_dir=None)


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
