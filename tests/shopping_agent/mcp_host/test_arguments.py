"""Arguments against the schemas that servers really send."""

from __future__ import annotations

from typing import Any

import pytest

from shopping_agent.mcp_host.arguments import ArgumentCheck
from shopping_agent.mcp_host.errors import ToolCallError, ToolGoneError

SCHEMA = {
    "type": "object",
    "$defs": {"Column": {"type": "string", "enum": ["units", "revenue"]}},
    "properties": {
        "column": {"$ref": "#/$defs/Column"},
        "rows": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
        "options": {"type": "object"},
        "name": {"type": "string"},
        "strict": {"type": "boolean"},
    },
    "required": ["column"],
}


@pytest.mark.parametrize(
    ("given", "fitted"),
    [
        ({"column": "units", "rows": None}, {"column": "units", "rows": None}),
        ({"column": "units", "name": None}, {"column": "units"}),
        ({"column": "units", "rows": "5"}, {"column": "units", "rows": 5}),
        ({"column": "units", "options": '{"a": 1}'}, {"column": "units", "options": {"a": 1}}),
        ({"column": "units", "name": "0010"}, {"column": "units", "name": "0010"}),
        ({"column": "units", "name": 10}, {"column": "units", "name": "10"}),
        ({"column": "units", "strict": "true"}, {"column": "units", "strict": True}),
    ],
)
def test_arguments_are_fitted_to_the_schema(given: dict[str, Any], fitted: dict[str, Any]) -> None:
    assert ArgumentCheck("sort", SCHEMA).fitted(given) == fitted


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "'column' is a required property"),
        ({"column": "income"}, "column: 'income' is not one of"),
        ({"column": "units", "rows": "many"}, "rows: "),
        ({"column": "units", "options": "none"}, "options: "),
        ({"column": "units", "name": "x" * 30_000}, "over 20,000 characters"),
    ],
)
def test_what_does_not_fit_is_said_with_what_would(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ToolCallError) as caught:
        ArgumentCheck("sort", SCHEMA).fitted(given)
    assert told in str(caught.value)
    if "over" not in told:
        assert "sort takes column (any, required), rows (integer)" in str(caught.value)


def test_a_schema_that_is_none_or_refers_elsewhere_is_refused_and_nothing_is_fetched() -> None:
    with pytest.raises(ToolGoneError, match="cannot be read"):
        ArgumentCheck("sort", {"type": "nonsense"})
    elsewhere = ArgumentCheck("sort", {"properties": {"a": {"$ref": "http://127.0.0.1:9/schema.json"}}})
    with pytest.raises(ToolGoneError, match="refers to what is not in it"):
        elsewhere.fitted({"a": 1})
    assert ArgumentCheck("now", {"type": "object"}).takes == "no arguments"
