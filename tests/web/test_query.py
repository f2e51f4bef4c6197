"""Query strings are what the standard library makes of the same pairs."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

from hypothesis import given
from hypothesis import strategies as st

from web.query import query

# A lone surrogate has no bytes; no form and no catalog carries one.
TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(st.tuples(TEXT, TEXT | st.integers())))
def test_a_query_string_is_the_standard_librarys(pairs: list[tuple[str, object]]) -> None:
    assert query(pairs) == urlencode(pairs)


@given(st.lists(st.tuples(TEXT, TEXT)))
def test_a_query_string_is_read_back_as_it_was(pairs: list[tuple[str, str]]) -> None:
    assert parse_qsl(query(pairs), keep_blank_values=True, max_num_fields=None) == pairs
