"""The order of hits depends on what the catalog holds, not on how its index came to be."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from search_client.local import LocalSearchClient
from search_client.models import Availability, Product, SearchQuery, Sort
from search_client.store.sql_store import SqlCatalogStore, open_store
from tests.bench.machines import some_product, some_queries

Answers = Callable[[SearchQuery], list[tuple[str, float]]]


@pytest.fixture(scope="module")
def grown_and_fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Answers, Answers]]:
    """Two indexes of one catalog: one that followed every change, and one built when all were done."""
    folder = tmp_path_factory.mktemp("order")
    with closing(open_store(f"sqlite:///{folder / 'catalog.sqlite'}")) as store:
        chance = random.Random(7)
        store.write(some_product(number, chance) for number in range(400))
        with closing(_opened(store, folder / "grown")) as grown:
            for _ in range(8):
                numbers = chance.sample(range(450), k=30)
                store.write([some_product(n, chance) for n in numbers[:20]], delete=[f"p{n}" for n in numbers[20:]])
                grown.search(SearchQuery())  # follows
            with closing(_opened(store, folder / "fresh")) as fresh:
                yield _asking(grown), _asking(fresh)


def _opened(store: SqlCatalogStore, index_dir: Path) -> LocalSearchClient:
    class Borrowed:
        def __getattr__(self, name: str) -> object:
            return (lambda: None) if name == "close" else getattr(store, name)

    return LocalSearchClient(Borrowed(), index_dir, check_every_s=0)  # type: ignore[arg-type]  # a store by delegation


def _asking(client: LocalSearchClient) -> Answers:
    return lambda query: [(hit.product.id, hit.score) for hit in client.search(query)]


@pytest.mark.parametrize("text", some_queries(12))
def test_an_index_that_grew_gives_the_hits_and_scores_of_a_new_one(
    grown_and_fresh: tuple[Answers, Answers], text: str
) -> None:
    grown, fresh = grown_and_fresh
    page = SearchQuery((text,), limit=50)

    assert grown(page) == fresh(page)


@pytest.mark.parametrize("query", ["red lamps for a desk", "stripped chair", "sofa or seat", "lamp oak oak linen tent"])
def test_also_where_words_are_relaxed_corrected_or_synonyms(
    grown_and_fresh: tuple[Answers, Answers], query: str
) -> None:
    grown, fresh = grown_and_fresh
    page = SearchQuery((query,), limit=50, fill=True)

    assert grown(page) == fresh(page)


def test_products_alike_in_what_they_are_sorted_by_stand_by_id_on_every_page(tmp_path: Path) -> None:
    alike = [Product(f"p{number:03d}", "Oak stool", availability=Availability.IN_STOCK) for number in range(250)]
    random.Random(1).shuffle(alike)
    by_id = sorted(product.id for product in alike)
    with closing(open_store(f"sqlite:///{tmp_path / 'catalog.sqlite'}")) as store:
        store.write(alike)
        with closing(_opened(store, tmp_path / "index")) as client:
            for sort, words in itertools.product(Sort, ((), ("oak",))):
                pages = [
                    client.search(SearchQuery(words, sort=sort, limit=60, offset=offset)).products
                    for offset in range(0, 300, 60)
                ]
                assert [product.id for page in pages for product in page] == by_id, (sort, words)
