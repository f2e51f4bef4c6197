"""`python -m shopping_agent.guard explain TEXT`: the verdict, and what led to it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from shopping_agent.guard import Guard, PhraseFileError, Verdict


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m shopping_agent.guard")
    commands = parser.add_subparsers(dest="command", required=True)
    explain = commands.add_parser("explain", help="show the verdict on a text and its reasons")
    explain.add_argument("text", help="the text, or - to read it from standard input")
    explain.add_argument(
        "--phrases", type=Path, metavar="FILE", help="a merchant's phrases, one a line; !phrase lets it pass"
    )
    arguments = parser.parse_args(argv)
    try:
        guard = Guard.from_file(arguments.phrases) if arguments.phrases else Guard()
    except PhraseFileError as error:
        print(error, file=sys.stderr)
        return 2
    text = sys.stdin.read() if arguments.text == "-" else arguments.text
    print(_explained(guard.screen(text)))
    return 0


def _explained(verdict: Verdict) -> str:
    lines = [f"{verdict.decision} (score {verdict.score:.2f}; 1.00 and more is refused, 0.50 and more is unsure)"]
    lines += [f"  {reason.points:+.2f}  {reason.rule}  [{reason.view}]" for reason in verdict.reasons]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
