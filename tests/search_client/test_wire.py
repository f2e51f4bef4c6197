from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_client.errors import InvalidQueryError, InvalidRecordError
from search_client.models import (
    Correction,
    Facet,
    FacetValue,
    Filters,
    Hit,
    MatchReason,
    Relaxation,
    SearchQuery,
    SearchResults,
    Sort,
    UnknownValue,
    Vocabulary,
)
from search_client.wire import (
    query_from_params,
    query_to_params,
    results_from_json,
    results_to_json,
    vocabulary_from_json,
    vocabulary_to_json,
)
from tests.search_client.shop import SHIRT

_WORD = st.text(min_size=1, max_size=20)
_WORDS = st.lists(_WORD, max_size=3).map(tuple)
_NUMBER = st.none() | st.floats(0, 1e9)
QUERIES = st.builds(
    SearchQuery,
    keywords=_WORDS,
    exclude=_WORDS,
    filters=st.builds(
        Filters,
        min_price=_NUMBER,
        max_price=_NUMBER,
        currency=st.none() | st.sampled_from(["USD", "EUR"]),
        brands=_WORDS,
        categories=_WORDS,
        colors=_WORDS,
        sizes=_WORDS,
        attributes=st.lists(st.tuples(_WORD, _WORD), max_size=3).map(tuple),
        min_rating=_NUMBER,
        in_stock=st.booleans(),
        on_sale=st.booleans(),
    ),
    sort=st.sampled_from(Sort),
    limit=st.integers(1, 100),
    offset=st.integers(0, 10_000),
)


@given(QUERIES)
def test_a_query_survives_the_way_through_parameters(query: SearchQuery) -> None:
    assert query_from_params(query_to_params(query)) == query


def test_an_empty_query_is_the_default_and_unknown_parameters_are_ignored() -> None:
    assert query_from_params([("utm_source", "mail"), ("limit", "")]) == SearchQuery()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("min_price", "cheap"),
        ("max_price", "nan"),
        ("min_rating", "inf"),
        ("limit", "-1"),
        ("offset", "1e3"),
        ("limit", "٣"),
        ("in_stock", "maybe"),
        ("sort", "best"),
        ("keywords", "x" * 5_000),
    ],
)
def test_a_parameter_that_cannot_be_read_is_named(name: str, value: str) -> None:
    with pytest.raises(InvalidQueryError, match=name):
        query_from_params([(name, value)])


def test_a_parameter_that_stands_once_is_not_given_twice() -> None:
    with pytest.raises(InvalidQueryError, match="sort is given 2 times"):
        query_from_params([("sort", "rating"), ("sort", "newest")])
    with pytest.raises(InvalidQueryError, match="at most 100 parameters"):
        query_from_params([("keywords", "x")] * 101)


RESULTS = SearchResults(
    query=SearchQuery(("shrit",)),
    hits=(Hit(SHIRT, 1.5, MatchReason(("shirt",), ("x",), ("title",), ("Color: Red",))),),
    total=12,
    facets=(Facet("brands", (FacetValue("Nike", 3),)),),
    corrections=(Correction("shrit", "shirt"),),
    unknown=(UnknownValue("brands", "Nikee", ("Nike",)),),
    relaxed=True,
    relaxations=(Relaxation("max_price", "5", SearchQuery(("shirt",), filters=Filters(min_price=1.25)), 3),),
    stale=True,
)


def test_an_answer_survives_the_way_through_json() -> None:
    data = json.loads(json.dumps(results_to_json(RESULTS)))
    assert results_from_json(data, RESULTS.query) == RESULTS


def test_an_answer_of_another_service_needs_no_more_than_total_and_products() -> None:
    data = {"total": 1, "hits": [{"product": {"id": "p1", "title": "Mug", "cost": 3}, "rank": 1}], "took_ms": 3}
    results = results_from_json(data, SearchQuery())
    assert results.products[0].title == "Mug"
    assert results.facets == ()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "answer: "),
        ({"hits": []}, "total is missing"),
        ({"total": 1}, "hits is missing"),
        ({"total": -1, "hits": []}, "total: -1 is not a count"),
        ({"total": 1, "hits": {}}, "hits: '{}' is not a list"),
        ({"total": 1, "hits": [{}]}, "hits: product is missing"),
        ({"total": 1, "hits": [{"product": {"id": "p1"}}]}, "hits: title is missing"),
        ({"total": 1, "hits": [], "facets": [{"name": 3}]}, "facets: name: 3 is not text"),
        ({"total": 1, "hits": [], "facets": [{"name": "x", "values": [{"value": "y"}]}]}, "count is missing"),
        ({"total": 1, "hits": [], "corrections": [{"typed": "x"}]}, "corrections: used is missing"),
        ({"total": 1, "hits": [], "relaxations": [{}]}, "relaxations: query: expected pairs"),
        ({"total": 1, "hits": [], "relaxations": [{"query": [["limit", "x"]]}]}, "relaxations: query: limit"),
    ],
)
def test_what_an_answer_lacks_is_named(data: object, message: str) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        results_from_json(data, SearchQuery())
    assert message in str(caught.value)


def test_a_vocabulary_survives_the_way_through_json() -> None:
    values = (FacetValue("a", 2), FacetValue("b", 1))
    facets = (Facet("Material", values),)
    vocabulary = Vocabulary(9, 2, "EUR", values, values, values, values, facets, values)
    assert vocabulary_from_json(json.loads(json.dumps(vocabulary_to_json(vocabulary)))) == vocabulary
    assert vocabulary_from_json({"revision": 1, "product_count": 2}) == Vocabulary(revision=1, product_count=2)
    with pytest.raises(InvalidRecordError, match="revision is missing"):
        vocabulary_from_json({"product_count": 2})


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def damaged(value: object, draw: st.DrawFn) -> object:
    """`value` with one part of it, at any depth, replaced by something else."""
    if isinstance(value, dict) and value and draw(st.booleans()):
        key = draw(st.sampled_from(sorted(value)))
        return {**value, key: damaged(value[key], draw)}
    if isinstance(value, list) and value and draw(st.booleans()):
        at = draw(st.integers(0, len(value) - 1))
        return [*value[:at], damaged(value[at], draw), *value[at + 1 :]]
    return draw(_JSON)


@st.composite
def damaged_answers(draw: st.DrawFn) -> object:
    answer: object = json.loads(json.dumps(results_to_json(RESULTS)))
    return damaged(answer, draw)


@given(damaged_answers())
def test_any_damage_to_an_answer_is_read_past_or_refused_in_our_own_words(data: object) -> None:
    try:
        results_from_json(data, SearchQuery())
    except InvalidRecordError as error:
        assert str(error)


@given(_JSON)
def test_any_vocabulary_is_read_or_refused_in_our_own_words(data: object) -> None:
    try:
        vocabulary_from_json(data)
    except InvalidRecordError as error:
        assert str(error)
