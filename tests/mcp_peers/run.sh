#!/usr/bin/env bash
# Our MCP host against a server nobody here wrote, our MCP server against clients nobody here wrote. Needs npm and node.
# The peers are installed into a temporary folder, or into MCP_PEERS and kept there.
set -euo pipefail
cd "$(dirname "$0")/../.."
PY=${PY:-.venv/bin/python}
folder=${MCP_PEERS:-$(mktemp -d)}
[ -n "${MCP_PEERS:-}" ] || trap 'rm -rf "$folder"' EXIT
for peer in time:mcp-server-time fast:fastmcp; do
    [ -x "$folder/${peer%%:*}/bin/python" ] && continue
    "$PY" -m venv "$folder/${peer%%:*}"
    "$folder/${peer%%:*}/bin/python" -m pip install --quiet --disable-pip-version-check "${peer##*:}"
done
[ -d "$folder/node/node_modules" ] || npm install --silent --no-audit --no-fund --prefix "$folder/node" @modelcontextprotocol/sdk
MCP_PEERS="$folder" "$PY" -m pytest -s -q -m mcp_peers tests/mcp_peers
