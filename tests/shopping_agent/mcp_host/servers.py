"""MCP servers made with the SDK's own high-level class: tools of an analyst, and tools that change something."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from search_client.client import SearchClient
from shopping_agent.mcp_host.connection import InProcess
from shopping_agent.mcp_host.pins import Pins
from shopping_agent.mcp_host.settings import McpServer
from shopping_agent.mcp_host.toolbox import Toolbox
from shopping_agent.mcp_server.server import build_server

READ = ToolAnnotations(read_only_hint=True)
SALES = [
    {"product": "Lamp", "units": 12, "revenue": 478.8},
    {"product": "Mug", "units": 40, "revenue": 360.0},
    {"product": "Chair", "units": 3, "revenue": 537.0},
]


class Analyst:
    """Three tools whose results are named and handed on: export → sort → view."""

    def __init__(self) -> None:
        self.tables: dict[str, list[dict[str, Any]]] = {}
        self.server = MCPServer("sheets", log_level="ERROR")
        for tool in (self.export_sales, self.sort_table, self.view_table):
            self.server.tool(annotations=READ)(tool)
        self.erased = 0
        self.server.tool(title="Erase a table")(self.erase_table)

    def export_sales(self) -> str:
        """Exports the sales; gives the name of a table."""
        self.tables["t1"] = list(SALES)
        return "table t1: columns product, units, revenue; 3 rows"

    def sort_table(self, table: str, column: str, descending: bool = False) -> str:
        """Sorts a table by a column; gives the name of a new table."""
        rows = self._rows(table)
        if column not in rows[0]:
            raise ToolError(f"No column {column!r}; columns are {', '.join(rows[0])}.")
        name = f"t{len(self.tables) + 1}"
        self.tables[name] = sorted(rows, key=lambda row: row[column], reverse=descending)
        return f"table {name}"

    def view_table(self, table: str, rows: int = 10) -> str:
        """Shows the first rows of a table."""
        return "\n".join(", ".join(map(str, row.values())) for row in self._rows(table)[:rows])

    def erase_table(self, table: str) -> str:
        """Erases a table for good."""
        self._rows(table)
        self.erased += 1
        return f"{table} is erased"

    def _rows(self, table: str) -> list[dict[str, Any]]:
        if table not in self.tables:
            raise ToolError(f"No table {table!r}; tables are {', '.join(self.tables) or 'none yet'}.")
        return self.tables[table]


def toolbox(
    folder: Path, *, accept: bool = True, allow: tuple[str, ...] = ("*",), **servers: InProcess | SearchClient
) -> Toolbox:
    """Tools of servers in this process, all accepted unless told otherwise. A catalog is served by our own server."""
    in_process: dict[str, Any] = {
        name: server if isinstance(server, Server | MCPServer) else build_server(server)
        for name, server in servers.items()
    }
    pins = Pins(folder / "trust.json")
    box = Toolbox([McpServer(name, allow, timeout_s=120) for name in servers], pins, in_process=in_process)
    if accept:
        for name in servers:
            pins.accept(box.definitions(name))
    return box
