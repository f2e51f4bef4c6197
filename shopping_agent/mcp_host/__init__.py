"""An agent whose tools are discovered at run time from MCP servers. Needs the extra `mcp`."""
