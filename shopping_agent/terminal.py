"""The command line: a chat in the terminal, and `decide`, which prints the action that would be taken."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from search_client.errors import SearchClientError
from shopping_agent.errors import AgentSettingsError, ModelError, ShoppingAgentError

if TYPE_CHECKING:
    from shopping_agent.agent import ShoppingAgent
    from shopping_agent.model import Decision

Build = Callable[[], "ShoppingAgent"]
Say = Callable[[str], None]

GOODBYES = frozenset(["exit", "quit", ":q", "bye"])


def main(arguments: Sequence[str] | None = None, *, build: Build | None = None) -> int:
    """Exit code: 0; 1 where no decision came; 2 for a wrong argument, setting or file, told in one line."""
    options = _parser().parse_args(arguments)
    if options.catalog:
        os.environ["CATALOG_URL"] = options.catalog
    try:
        history = read_history(options.history) if getattr(options, "history", None) else []
        agent = (build or _build)()
    except (AgentSettingsError, SearchClientError, HistoryError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    try:
        if options.command == "decide":
            return decide(agent, options.text, history, as_json=options.json)
        return chat(agent)
    finally:
        agent.close()


def _build() -> ShoppingAgent:
    # Deferred: `--help` and a wrong argument must not wait for the catalog and the SDK.
    from shopping_agent.factory import build_agent

    return build_agent()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m shopping_agent", description=__doc__)
    parser.add_argument("--catalog", metavar="URL", help="the catalog to shop in (default: CATALOG_URL, else the demo)")
    commands = parser.add_subparsers(dest="command", metavar="decide")
    deciding = commands.add_parser("decide", help="print the one action that TEXT leads to, run nothing")
    deciding.add_argument("text", metavar="TEXT")
    deciding.add_argument("--catalog", metavar="URL", default=argparse.SUPPRESS, help="the same, behind the command")
    deciding.add_argument("--history", type=Path, metavar="FILE", help='JSON: [{"role": "user", "content": "…"}, …]')
    deciding.add_argument("--json", action="store_true", help="machine-readable")
    return parser


class HistoryError(ShoppingAgentError):
    """A history file cannot be used."""


def read_history(path: Path) -> list[dict[str, Any]]:
    """The messages of a history file. Raises `HistoryError` naming the file and what is wrong with it."""
    example = '[{"role": "user", "content": "a mug"}]'
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise HistoryError(f"The history {str(path)!r} cannot be read ({error}): give a file with {example}") from error
    if not isinstance(told, list) or not all(isinstance(message, dict) for message in told):
        raise HistoryError(f"The history {str(path)!r} is no list of messages: write it like {example}")
    return told


def decide(agent: ShoppingAgent, text: str, history: list[dict[str, Any]], *, as_json: bool, say: Say = print) -> int:
    """Print the action with the model's name, calls, tokens and milliseconds; 1 where no decision came."""
    if agent.is_intent_malicious(text):
        say(json.dumps({"refused": True}) if as_json else "refused by the guard")
        return 0
    try:
        decision, action = agent.decide(text, history)
    except (ModelError, SearchClientError) as error:
        sys.stderr.write(f"No decision: {error}\n")
        return 1
    fields = action.model_dump(exclude_defaults=True)
    if as_json:
        told = {"action": {"kind": action.kind, **fields}, **_told(decision)}
        say(json.dumps(told, ensure_ascii=False))
        return 0
    listed = ", ".join(f"{name}={value!r}" for name, value in fields.items())
    say(f"{type(action).__name__}({listed})")
    if decision is not None:
        say(_cost_line(decision))
    return 0


def _told(decision: Decision | None) -> dict[str, Any]:
    if decision is None:
        return {"model": None}
    return {
        "model": decision.model,
        "fallback": decision.fallback,
        "repairs": list(decision.repairs),
        **dataclasses.asdict(decision.usage),
    }


def _cost_line(decision: Decision) -> str:
    usage = decision.usage
    tokens = "tokens n/a" if usage.input_tokens is None else f"{usage.input_tokens} + {usage.output_tokens} tokens"
    cost = "cost n/a" if usage.cost_usd is None else f"${usage.cost_usd:.6f}"
    calls = f"{usage.calls} call{'' if usage.calls == 1 else 's'}"
    instead = f", in place of one that failed: {decision.fallback}" if decision.fallback else ""
    return f"by {decision.model}{instead}: {calls}, {tokens}, {cost}, {usage.model_ms:.1f} ms"


def chat(agent: ShoppingAgent, *, read: Callable[[str], str] = input, say: Say = print) -> int:
    """Talk until the shopper leaves."""
    from shopping_agent.events import Notice, TurnFinished

    say(f"{agent.model_name} answers. Say what you are looking for; exit ends.")
    history: list[dict[str, Any]] = []
    while True:
        try:
            message = read("> ")
        except (EOFError, KeyboardInterrupt):
            say("")
            return 0
        if message.strip().casefold() in GOODBYES:
            return 0
        for event in agent.stream(message, history):
            if isinstance(event, Notice):
                say(f"({event.text})")
            elif isinstance(event, TurnFinished):
                say(event.reply)
                if not (event.refused or event.failed):
                    history.append({"role": "user", "content": message})
                    history.append({"role": "assistant", "content": event.reply})
