"""Typing slips: of products asked for by two title words, one of them mistyped, how many are still in the top ten.

One edit in a word of five or more letters, seeded, on the demo catalog and, where it lies beside the project, a public
electronics catalog. The same queries without the slip are asked too: what is lost is the corrector's part.
"""

from __future__ import annotations

import random
import string
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from search_client.client import SearchClient
from search_client.demo import products as demo_products
from search_client.factory import open_catalog_store, open_search_client
from search_client.feeds import open_feed
from search_client.models import Product, SearchQuery
from search_client.settings import CatalogSettings
from tests.shared_data import SHARED

SEED = 20261130
SAMPLES = 500
TARGET = 0.95
_DEPTH = 10
_LETTERS = string.ascii_lowercase


@dataclass(frozen=True, slots=True)
class Slip:
    """A product, the words that name it, and the same words with one mistyped."""

    product_id: str
    meant: tuple[str, ...]
    typed: tuple[str, ...]


def mistyped(word: str, dice: random.Random) -> str:
    """`word` with one letter more, less, other, or two neighbours swapped; never `word` itself."""
    while True:
        at = dice.randrange(len(word))
        match dice.randrange(4):
            case 0:
                typed = word[:at] + word[at + 1 :]
            case 1:
                typed = word[:at] + dice.choice(_LETTERS) + word[at:]
            case 2:
                typed = word[:at] + dice.choice(_LETTERS) + word[at + 1 :]
            case _:
                typed = word[:at] + word[at : at + 2][::-1] + word[at + 2 :]
        if typed != word:
            return typed


def slips(
    products: Sequence[Product], client: SearchClient, *, count: int = SAMPLES, seed: int = SEED
) -> Iterator[Slip]:
    """`count` slips in words that find their product when typed well."""
    dice = random.Random(seed)
    made = 0
    while made < count:
        product = dice.choice(products)
        words = [word for word in product.title.lower().split() if word.isascii() and word.isalpha()]
        long = [word for word in words if len(word) >= 5]
        if not long or len(set(words)) < 3:
            continue
        word = dice.choice(long)
        others = dice.sample(sorted(set(words) - {word}), k=2)
        meant = (word, *others)
        if product.id not in _found(client, meant):
            continue
        made += 1
        yield Slip(product.id, meant, (mistyped(word, dice), *others))


def share_found(client: SearchClient, wanted: Iterable[Slip]) -> tuple[float, list[Slip]]:
    """The share of slips whose product is in the top ten, and those that are not."""
    asked = list(wanted)
    lost = [slip for slip in asked if slip.product_id not in _found(client, slip.typed)]
    return 1 - len(lost) / len(asked), lost


def _found(client: SearchClient, words: tuple[str, ...]) -> set[str]:
    return {hit.product.id for hit in client.search(SearchQuery(words, limit=_DEPTH))}


def _measure(name: str, products: Sequence[Product]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        settings = CatalogSettings(catalog_url=f"sqlite:///{Path(folder, 'catalog.sqlite')}")
        store = open_catalog_store(settings)
        store.write(products)
        store.close()
        client = open_search_client(settings)
        share, lost = share_found(client, slips(products, client))
        client.close()
    print(f"{name}: {share:.1%} of {SAMPLES} mistyped queries find their product in the top {_DEPTH}")
    for slip in lost[:8]:
        print(f"  {' '.join(slip.typed)}  (meant {slip.meant[0]})")
    return share >= TARGET


def main() -> int:
    good = _measure("demo catalog", list(demo_products()))
    files = sorted((SHARED / "catalogs").glob("icecat_chorus_*.json.zip"))
    if files:
        with open_feed(files) as feed:
            good &= _measure("electronics catalog", list(feed))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
