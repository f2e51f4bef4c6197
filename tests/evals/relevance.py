"""Relevance of search on a judged catalog: nDCG@10, and whether nothing is said to be found where nothing is.

The judgments name products of a public electronics catalog with grades 0 to 3. As for the published figures, gain is
exponential, products nobody judged count 0, and queries without a positive grade are told apart. What the ranking
weighs was chosen on these queries in five folds: see `Weights` in `search_client/index/matching.py`.
"""

from __future__ import annotations

import csv
import math
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from search_client.factory import open_catalog_store, open_search_client
from search_client.feeds import open_feed
from search_client.models import SearchQuery
from search_client.settings import CatalogSettings
from tests.shared_data import SHARED

Ranker = Callable[[str, int], list[str]]
Judgments = dict[str, dict[str, int]]

DEPTH = 10
FLOOR = 0.82
"""Less is a step back."""
_WORST = 15


def build(icecat_dir: Path, workdir: Path) -> str:
    """Imports `icecat_chorus_*.json.zip` into a new catalog in `workdir`; gives its URL."""
    url = f"sqlite:///{workdir / 'icecat.sqlite'}"
    store = open_catalog_store(CatalogSettings(catalog_url=url))
    try:
        with open_feed(sorted(icecat_dir.glob("icecat_chorus_*.json.zip"))) as feed:
            store.write(feed)
    finally:
        store.close()
    return url


def ranker(catalog_url: str) -> Ranker:
    """Ids of the best `limit` products for a query, as a shop would list them: complete matches, then the nearest."""
    client = open_search_client(CatalogSettings(catalog_url=catalog_url))

    def ranked(query: str, limit: int) -> list[str]:
        results = client.search(SearchQuery((query,), limit=limit, fill=True))
        return [hit.product.id for hit in results]

    return ranked


def read_judgments(path: Path) -> Judgments:
    """Grades by query and product id."""
    grades: Judgments = defaultdict(dict)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            grades[row["query"]][row["docid"]] = int(row["rating"])
    return dict(grades)


def ndcg(ranked: Sequence[str], grades: dict[str, int]) -> float | None:
    """Normalised discounted cumulative gain at 10; None where no product has a positive grade."""
    ideal = _dcg(sorted(grades.values(), reverse=True))
    return _dcg([grades.get(product_id, 0) for product_id in ranked]) / ideal if ideal else None


def _dcg(grades: Sequence[int]) -> float:
    return sum((2.0**grade - 1) / math.log2(rank + 2) for rank, grade in enumerate(grades[:DEPTH]))


def scores(rank: Ranker, judgments: Judgments) -> dict[str, float]:
    """nDCG@10 of each query that has a positive grade."""
    found = {query: ndcg(rank(query, DEPTH), grades) for query, grades in judgments.items()}
    return {query: score for query, score in found.items() if score is not None}


def main() -> int:
    catalogs, graded = SHARED / "catalogs", SHARED / "judgments" / "chorus_rated.csv"
    if not graded.exists():
        print("The judged catalog is not beside the project; nothing was measured.")
        return 0
    judgments = read_judgments(graded)
    with tempfile.TemporaryDirectory() as folder:
        rank = ranker(build(catalogs, Path(folder)))
        by_query = scores(rank, judgments)
    mean = sum(by_query.values()) / len(by_query)
    print(f"nDCG@{DEPTH} {mean:.4f} over {len(by_query)} queries; the worst {_WORST}:")
    for query, score in sorted(by_query.items(), key=lambda pair: pair[1])[:_WORST]:
        print(f"  {score:.3f} {query}")
    return 0 if mean >= FLOOR else 1


if __name__ == "__main__":
    sys.exit(main())
