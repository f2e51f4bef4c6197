"""Arrows point one way: web → shopping_agent → search_client; vendors live in the module that owns them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {
    "search_client": {"search_client"},
    "shopping_agent": {"shopping_agent", "search_client"},
    "web": {"web", "shopping_agent", "search_client"},
}
VENDOR_HOME = {
    "openai": {"shopping_agent/openai_model/", "shopping_agent/testing/"},
    "instructor": {"shopping_agent/openai_model/"},
    "mcp": {"shopping_agent/mcp_server/", "shopping_agent/mcp_host/"},
    "uvicorn": {"shopping_agent/mcp_server/"},
    "jsonschema": {"shopping_agent/mcp_host/"},
    "tantivy": {"search_client/index/"},
    "sqlalchemy": {"search_client/store/", "web/store/"},
    "psycopg": {"search_client/store/", "web/store/"},
    "opentelemetry": {"web/spans.py"},
    "flask": {"web/"},
}


def imports(path: Path) -> Iterator[str]:
    """Top-level package names that a file imports, at any depth of its code."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.split(".")[0]


def sources() -> list[Path]:
    return [path for package in MAY_IMPORT for path in sorted((ROOT / package).rglob("*.py"))]


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_imports_only_what_its_package_may_know(path: Path) -> None:
    package = path.relative_to(ROOT).parts[0]
    foreign = {name for name in imports(path) if name in {*MAY_IMPORT, "tests"}} - MAY_IMPORT[package]
    assert not foreign


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_vendor_is_imported_only_where_it_lives(path: Path) -> None:
    where = path.relative_to(ROOT).as_posix()
    strayed = [name for name in imports(path) if not any(where.startswith(h) for h in VENDOR_HOME.get(name, {where}))]
    assert not strayed
