"""`python -m web`: the shop on this machine, for development and demos."""

from __future__ import annotations

import argparse
import sys
from socketserver import TCPServer

from werkzeug.serving import make_server

from search_client.errors import SearchClientError
from shopping_agent.errors import ShoppingAgentError
from web.app import create_app
from web.errors import WebError


def main(arguments: list[str] | None = None) -> int:
    """Serve until interrupted. 2: something is set wrongly, said in one sentence."""
    parser = argparse.ArgumentParser(prog="python -m web", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=5000)
    options = parser.parse_args(arguments)
    TCPServer.allow_reuse_address = True
    try:
        app = create_app()
        server = make_server(options.host, options.port, app, threaded=True)
    except (WebError, ShoppingAgentError, SearchClientError) as error:
        print(error, file=sys.stderr)
        return 2
    except (OSError, SystemExit):
        print(f"Port {options.port} is taken; choose another: make run PORT={options.port + 1}", file=sys.stderr)
        return 2
    print(f"The shop is open at http://{options.host}:{options.port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
