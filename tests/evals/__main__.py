"""`make evals`: every eval in turn, or those named: `python -m tests.evals decisions guard`."""

from __future__ import annotations

import argparse
import importlib
import sys

EVALS = ("decisions", "robustness", "guard", "relevance", "typos")
"""Modules of this package with a `main() -> int`, in the order they run."""


def main(arguments: list[str] | None = None) -> int:
    """1 if any eval says so."""
    parser = argparse.ArgumentParser(prog="python -m tests.evals", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one or more of {', '.join(EVALS)}")
    names = parser.parse_args(arguments).names or EVALS
    unknown = sorted(set(names) - set(EVALS))
    if unknown:
        parser.error(f"no eval called {', '.join(map(repr, unknown))}; there are {', '.join(EVALS)}")
    worst = 0
    for name in names:
        print(f"\n=== {name}", flush=True)
        worst = max(worst, importlib.import_module(f"tests.evals.{name}").main())
    return worst


if __name__ == "__main__":
    sys.exit(main())
