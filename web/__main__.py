"""`python -m web`: the shop on this machine, for development and demos, and its upkeep."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import time

from werkzeug.serving import make_server

from search_client.errors import SearchClientError
from shopping_agent.errors import ShoppingAgentError
from web.app import create_app
from web.errors import WebError
from web.logs import configure_logs
from web.settings import web_settings_from_env
from web.store.engine import open_engine
from web.store.migrations import migrate
from web.store.sessions import SessionStore
from web.store.sql_conversations import SqlConversationStore


def main(arguments: list[str] | None = None) -> int:
    """Serve until interrupted, or do one piece of upkeep. 2: something is set wrongly, said in one sentence."""
    options = _parser().parse_args(arguments)
    configure_logs()
    try:
        match options.command:
            case "migrate":
                return _migrate()
            case "purge":
                return _purge(options.days)
            case _:
                return _serve(options.host, options.port)
    except (WebError, ShoppingAgentError, SearchClientError) as error:
        print(error, file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m web", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=_port, default=5000)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("migrate", help="bring the conversation database up to date")
    purge = commands.add_parser("purge", help="delete old conversations and ended sessions for good")
    purge.add_argument("--days", type=_days, help="not used for so long (default: RETENTION_DAYS)")
    return parser


def _port(text: str) -> int:
    return _whole_number(text, highest=65_535, meaning="a port")


def _days(text: str) -> int:
    return _whole_number(text, highest=36_500, meaning="a number of days")


def _whole_number(text: str, *, highest: int, meaning: str) -> int:
    """A negative age would reach conversations of this very minute."""
    if not (text.isascii() and text.isdecimal() and int(text) <= highest):
        raise argparse.ArgumentTypeError(f"{text!r} is not {meaning} from 0 to {highest}")
    return int(text)


def _serve(host: str, port: int) -> int:
    app = create_app()
    listener = _listen(host, port)
    if listener is None:
        print(
            f"{host}:{port} is taken or not ours; choose another: make run PORT={min(port + 1, 65_535)}",
            file=sys.stderr,
        )
        return 2
    with listener:
        try:
            server = make_server(host, port, app, threaded=True, fd=listener.fileno())
            print(f"The shop is open at http://{host}:{listener.getsockname()[1]}", flush=True)
            server.serve_forever()
        except KeyboardInterrupt:
            pass  # the way to stop it
    return 0


def _listen(host: str, port: int) -> socket.socket | None:
    """A listening socket, or None where the address cannot be had."""
    try:
        return socket.create_server((host, port))
    except (OSError, OverflowError):
        return None


def _migrate() -> int:
    engine = open_engine(web_settings_from_env(os.environ).database_url)
    print(f"{migrate(engine)} steps taken; the conversation database is up to date.")
    engine.dispose()
    return 0


def _purge(days: int | None) -> int:
    settings = web_settings_from_env(os.environ)
    age_days = settings.retention_days if days is None else days
    engine = open_engine(settings.database_url)
    store = SqlConversationStore(engine)
    gone = store.purge(before=time.time() - age_days * 86400)
    ended = SessionStore(engine).purge()
    print(f"Deleted {gone} conversations older than {age_days} days and {ended} ended sessions.")
    store.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
