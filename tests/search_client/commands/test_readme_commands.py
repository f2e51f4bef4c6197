from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from search_client.__main__ import parser
from search_client.commands.importing import _EXAMPLES as IMPORT_EXAMPLES

ROOT = Path(__file__).parents[3]
_COMMAND = re.compile(r"^ *(?:example: )?python -m search_client (.+?)(?: {2,}.*| +#.*| *\|.*)?$", re.MULTILINE)


def documented() -> list[str]:
    """Every command of this package that README and help show, without its comment."""
    texts = [(ROOT / "README.md").read_text(encoding="utf-8"), IMPORT_EXAMPLES, parser().format_help()]
    return sorted({found for text in texts for found in _COMMAND.findall(text)})


def test_there_are_documented_commands() -> None:
    assert len(documented()) > 12


@pytest.mark.parametrize("command", documented())
def test_a_documented_command_is_one(command: str) -> None:
    assert callable(parser().parse_args(shlex.split(command)).run)
