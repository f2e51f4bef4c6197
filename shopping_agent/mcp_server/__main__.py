"""`python -m shopping_agent.mcp_server`: the shop's catalog as tools for other assistants."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from search_client.errors import CatalogError, SearchClientError
from search_client.factory import open_search_client
from search_client.settings import catalog_settings_from_env
from shopping_agent.errors import AgentSettingsError
from shopping_agent.mcp_server.settings import log_level_from_env, mcp_server_settings_from_env


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m shopping_agent.mcp_server", description=__doc__)
    parser.add_argument("--http", action="store_true", help="streamable HTTP instead of stdin and stdout")
    parser.add_argument("--host", help="address to listen on; the default is this machine only")
    parser.add_argument("--port", type=int, help="port to listen on; 0 takes a free one")
    parser.add_argument("--catalog", metavar="URL", help="catalog to offer instead of CATALOG_URL")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the client or the operator ends it. 2: something is set wrongly, said in one sentence on stderr."""
    options = _parser().parse_args(arguments)
    try:
        logging.basicConfig(
            level=log_level_from_env(os.environ), stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
        )
        # Over stdio stdout belongs to the protocol: whatever a library prints while starting goes to stderr.
        with contextlib.redirect_stdout(sys.stderr):
            settings = mcp_server_settings_from_env(os.environ)
            changed = {name: value for name in ("host", "port") if (value := getattr(options, name)) is not None}
            settings = replace(settings, **changed)
            catalog = catalog_settings_from_env(os.environ)
            catalog = replace(catalog, catalog_url=options.catalog) if options.catalog else catalog
            if catalog.file is not None and not catalog.file.exists():
                raise CatalogError(
                    f"There is no catalog {str(catalog.file)!r}: make it with `python -m search_client import FILE` or "
                    "`python -m search_client demo`, or name another with --catalog."
                )
            from shopping_agent.mcp_server import server

            client = open_search_client(catalog)
    except (AgentSettingsError, SearchClientError) as error:
        print(error, file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        print(f"{error}: install the extra, pip install 'shopping-assistant[mcp]'.", file=sys.stderr)
        return 2
    with contextlib.closing(client), contextlib.suppress(KeyboardInterrupt):
        if options.http:
            try:
                server.serve_http(client, settings, started=_listening)
            except OSError as error:
                print(f"Port {settings.port} cannot be used ({error}); choose another with --port.", file=sys.stderr)
                return 2
        else:
            server.serve_stdio(client)
    return 0


def _listening(url: str, _stop: Callable[[], None]) -> None:
    print(f"Listening on {url}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
