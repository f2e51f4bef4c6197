"""Exact counts of what the hits of a query have in common."""

from __future__ import annotations

from typing import Any

import tantivy

from search_client.index import schema as fields
from search_client.models import Facet, FacetValue

MAX_VALUES = 50
"""Values of one facet in an answer."""
MAX_FACTS = 6
"""Facets of other options and attributes in an answer: those most hits state."""
_PER_SEGMENT = 60_000  # counts are exact where every segment gives all its values; tantivy stops at 65,000 buckets


def facets(searcher: tantivy.Searcher, query: tantivy.Query) -> tuple[Facet, ...]:
    """Facets over all products that meet `query`; those without a value are left out."""
    wanted = {name: _terms(field, MAX_VALUES) for name, field in fields.FACETS.items()}
    answer = searcher.aggregate(query, wanted | {fields.FACT_NAMES: _terms(fields.FACT_NAMES, MAX_FACTS)})
    found = [Facet(name, _values(answer[name])) for name in wanted]
    names = [value.value for value in _values(answer[fields.FACT_NAMES])]
    return tuple(facet for facet in (*found, *_facts(searcher, query, names, MAX_VALUES)) if facet.values)


def facts(searcher: tantivy.Searcher, query: tantivy.Query, *, names: int, values: int) -> tuple[Facet, ...]:
    """The `names` most stated other options and attributes among what meets `query`, with `values` values each."""
    answer = searcher.aggregate(query, {fields.FACT_NAMES: _terms(fields.FACT_NAMES, names)})
    return _facts(searcher, query, [value.value for value in _values(answer[fields.FACT_NAMES])], values)


def _facts(searcher: tantivy.Searcher, query: tantivy.Query, names: list[str], size: int) -> tuple[Facet, ...]:
    if not names:
        return ()
    answer = searcher.aggregate(query, {name: _terms(_column(name), size) for name in names})
    return tuple(facet for facet in (Facet(name, _values(answer[name])) for name in names) if facet.values)


def _column(name: str) -> str:
    return f"{fields.FACTS}." + name.replace("\\", "\\\\").replace(".", "\\.")


def _terms(field: str, size: int) -> dict[str, Any]:
    return {"terms": {"field": field, "size": size, "segment_size": _PER_SEGMENT, "order": {"_count": "desc"}}}


def _values(answer: dict[str, Any]) -> tuple[FacetValue, ...]:
    found = [FacetValue(str(bucket["key"]), int(bucket["doc_count"])) for bucket in answer["buckets"]]
    return tuple(sorted(found, key=lambda value: (-value.count, value.value)))
