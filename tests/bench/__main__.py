"""`make bench`: every bench in turn, or those named: `python -m tests.bench search agent`."""

from __future__ import annotations

import argparse
import importlib
import sys

BENCHES = ("search", "agent", "offline", "mcp", "importing", "machines", "living", "turn")
"""Modules of this package with a `main() -> int`, in the order they run."""


def main(arguments: list[str] | None = None) -> int:
    """1 if any bench says so."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one or more of {', '.join(BENCHES)}")
    names = parser.parse_args(arguments).names or BENCHES
    unknown = sorted(set(names) - set(BENCHES))
    if unknown:
        parser.error(f"no bench called {', '.join(map(repr, unknown))}; there are {', '.join(BENCHES)}")
    worst = 0
    for name in names:
        print(f"\n=== {name}", flush=True)
        worst = max(worst, importlib.import_module(f"tests.bench.{name}").main())
    return worst


if __name__ == "__main__":
    sys.exit(main())
