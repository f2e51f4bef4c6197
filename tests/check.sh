#!/usr/bin/env bash
# All that CI runs. Installs what is missing, starts what is not running, skips nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
PY=.venv/bin/python

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v nginx >/dev/null || missing+=(nginx-light)
command -v npm >/dev/null || missing+=(npm)
if [ ${#missing[@]} -gt 0 ]; then
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
fi
if command -v pg_ctlcluster >/dev/null && ! pg_isready -q -h 127.0.0.1; then
    as_root pg_ctlcluster --skip-systemctl-redirect "$(ls /etc/postgresql)" main start || true
fi
if command -v redis-server >/dev/null && ! redis-cli ping >/dev/null 2>&1; then
    redis-server --daemonize yes --bind 127.0.0.1 --port 6379 --save "" --appendonly no >/dev/null
fi
$PY -m ruff format --check .
$PY -m ruff check .
$PY -m mypy
rm -f .coverage .coverage.*
CHECK_ALL=1 $PY -m pytest -q -n auto --dist loadgroup -m "not local_model and not mcp_peers" --cov --cov-report=
$PY -m coverage report --fail-under=90 --skip-covered --sort=cover
$PY -m tests.coverage_floor 80
