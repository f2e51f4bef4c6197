"""`python -m shopping_agent.mcp_host`: look at the tools of MCP servers, accept them, try them."""

from __future__ import annotations

import argparse
import difflib
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from search_client.errors import SearchClientError
from shopping_agent.errors import AgentSettingsError
from shopping_agent.events import StepTaken, TurnFinished
from shopping_agent.mcp_host.errors import ToolCallError
from shopping_agent.mcp_host.opening import open_pins, open_toolbox
from shopping_agent.mcp_host.pins import Definition, Pins
from shopping_agent.mcp_host.toolbox import Toolbox


def main(arguments: Sequence[str] | None = None, *, ask: Callable[[str], str] = input) -> int:
    """0: done; 1: something was not accepted or not answered; 2: something is set wrongly, said in one sentence."""
    options = _parser().parse_args(arguments)
    file = options.servers or os.environ.get("MCP_SERVERS")
    if not file:
        print("Name the file of servers: --servers mcp.json, or MCP_SERVERS.", file=sys.stderr)
        return 2
    try:
        if options.command == "ask":
            return _ask(options.text, Path(file))
        tools = open_toolbox(Path(file), tell=partial(print, file=sys.stderr))
    except (AgentSettingsError, SearchClientError, ModuleNotFoundError) as error:
        print(error, file=sys.stderr)
        return 2
    try:
        if options.command == "tools":
            return _list(tools)
        return _trust(tools, open_pins(Path(file)), yes=options.yes, ask=ask)
    finally:
        tools.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m shopping_agent.mcp_host", description=__doc__)
    parser.add_argument("--servers", metavar="FILE", help="JSON with mcpServers (default: MCP_SERVERS)")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("tools", help="what may be used now, and what may not and why")
    trust = commands.add_parser("trust", help="read new and changed definitions, and accept them one by one")
    trust.add_argument("--yes", action="store_true", help="accept all without asking")
    asking = commands.add_parser("ask", help="one turn with every step of it")
    asking.add_argument("text", metavar="TEXT")
    return parser


def _list(tools: Toolbox) -> int:
    found = tools.discover()
    for tool in found.usable.values():
        how = "reads" if tool.read_only else "asks the shopper first"
        print(f"{tool.offer.name} ({tool.definition.server}, {how}): {tool.check.takes}")
    return 1 if found.problems else 0


def _trust(tools: Toolbox, pins: Pins, *, yes: bool, ask: Callable[[str], str]) -> int:
    """Show what is new and what has changed; keep what is accepted."""
    left = away = 0
    for server in tools.servers:
        try:
            definitions = tools.definitions(server)
        except ToolCallError as error:
            print(error, file=sys.stderr)
            away += 1
            continue
        left += sum(not _accepted(definition, pins, yes=yes, ask=ask) for definition in definitions)
    if left or away:
        print(f"{left} not accepted" + (f", {away} servers away." if away else "."))
        return 1
    print("Everything that may be used is accepted.")
    return 0


def _accepted(definition: Definition, pins: Pins, *, yes: bool, ask: Callable[[str], str]) -> bool:
    """Whether the definition is accepted, now or before."""
    verdict = pins.verdict(definition)
    if verdict == "accepted":
        return True
    print(f"\n{definition.server}: {definition.name} is {verdict}")
    print("\n".join(_difference(pins, definition)))
    try:
        answer = "y" if yes else ask("Accept it? [y/N] ")
    except EOFError:  # nobody there to ask
        answer = ""
    if answer.strip().casefold() not in ("y", "yes"):
        return False
    pins.accept([definition])
    print("accepted")
    return True


def _difference(pins: Pins, definition: Definition) -> list[str]:
    before, now = pins.before(definition), definition.as_json()
    old, new = (json.dumps(each, indent=2, ensure_ascii=False, sort_keys=True).splitlines() for each in (before, now))
    lines = difflib.unified_diff(old, new, "accepted", "now", lineterm="") if before else new
    return [_printable(line) for line in lines]


def _printable(line: str) -> str:
    """Without characters that a terminal obeys or hides: they are what a poisoned description is made of."""
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in line)


def _ask(text: str, file: Path) -> int:
    from shopping_agent.factory import build_agent
    from shopping_agent.settings import agent_settings_from_env

    agent = build_agent(agent_settings_from_env({**os.environ, "MCP_SERVERS": str(file)}))
    try:
        for event in agent.stream(text):
            if isinstance(event, StepTaken):
                thought = f"  # {event.thought}" if event.thought else ""
                print(f"{event.number}. {event.tool} {json.dumps(event.arguments)}{thought}", file=sys.stderr)
                print(f"   {'error: ' if event.is_error else ''}{event.observation[:300]}", file=sys.stderr)
            elif isinstance(event, TurnFinished):
                print(event.reply)
                return 1 if event.failed else 0
    finally:
        agent.close()
    return 1


if __name__ == "__main__":
    sys.exit(main())
