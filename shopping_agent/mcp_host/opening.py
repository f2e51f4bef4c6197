"""From a file of servers to tools that can be used: the one place of the host where concrete classes are chosen."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from shopping_agent.mcp_host.pins import Pins
from shopping_agent.mcp_host.settings import read_servers
from shopping_agent.mcp_host.toolbox import Toolbox

log = logging.getLogger(__name__)


def open_toolbox(servers_file: Path, *, tell: Callable[[str], None] = log.warning) -> Toolbox:
    """The tools of the servers in a file; those accepted are kept beside it as `NAME.trust.json`.

    No server is asked yet; `tell` gets what is missing or not accepted. Raises `AgentSettingsError`.
    """
    return Toolbox(read_servers(servers_file), open_pins(servers_file), tell=tell)


def open_pins(servers_file: Path) -> Pins:
    """What was accepted of the servers in a file. Raises `AgentSettingsError`."""
    return Pins(servers_file.with_suffix(".trust.json"))
