"""The shop's catalog as tools for other assistants, over the Model Context Protocol. Read-only; extra `mcp`."""
