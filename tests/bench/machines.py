"""Several machines over one PostgreSQL: how soon all of them find what one has changed.

Each machine is a process with an index of its own. All of them change products at once, one is killed in the middle and
started again; then all are asked the same queries until they agree, which a machine that starts from nothing confirms.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from search_client.client import SearchClient
from search_client.factory import open_catalog_store, open_search_client
from search_client.models import Money, Product, SearchQuery
from search_client.settings import CatalogSettings
from tests.postgres import postgres_schema

ROOT = Path(__file__).parents[2]
_KINDS = (
    "lamp",
    "mug",
    "chair",
    "desk",
    "boot",
    "shirt",
    "tent",
    "drill",
    "puzzle",
    "kettle",
    "rug",
    "clock",
    "mirror",
)
_LOOKS = (
    "red",
    "blue",
    "green",
    "black",
    "white",
    "oak",
    "steel",
    "linen",
    "wool",
    "round",
    "tall",
    "small",
    "striped",
)
Answers = list[list[tuple[str, str]]]


def some_product(number: int, chance: random.Random) -> Product:
    title = f"{chance.choice(_LOOKS)} {chance.choice(_LOOKS)} {chance.choice(_KINDS)}".capitalize()
    return Product(f"p{number}", title, price=Money(chance.randrange(100, 90_000), "USD"), brand=chance.choice(_LOOKS))


def some_queries(count: int) -> list[str]:
    chance = random.Random(5)
    return [f"{chance.choice(_LOOKS)} {chance.choice(_KINDS)}" for _ in range(count)]


class Machine:
    """A process that answers and changes one catalog, with an index folder of its own."""

    def __init__(self, catalog_url: str, index_dir: Path) -> None:
        command = [sys.executable, "-m", "tests.bench.machines", catalog_url, str(index_dir)]
        self._process = subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def tell(self, order: dict[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def hear(self) -> object:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"a machine ended with exit code {self._process.wait()}")
        return json.loads(line)

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the machines came to."""

    agreed: bool
    settled_s: float
    """From the last change to the moment at which all machines were asked and gave equal answers."""
    changes_s: float


def run(catalog_url: str, folder: Path, *, machines: int, products: int, changes: int, queries: int) -> Outcome:
    """Has all machines change and answer. `agreed` is False where they still differ after 300 s."""
    asked = some_queries(queries)
    chance = random.Random(3)
    with closing(open_catalog_store(CatalogSettings(catalog_url))) as store:
        store.write(some_product(number, chance) for number in range(products))
    with ExitStack() as stack:
        running = [stack.enter_context(Machine(catalog_url, folder / str(number))) for number in range(machines)]
        begun = time.monotonic()
        share = changes // machines
        for number, machine in enumerate(running):
            machine.tell({"change": share // 2 if number == 0 else share, "seed": number, "products": products})
        running[0].hear()
        running[0].tell({"change": share // 2, "seed": machines, "products": products})
        running[0].kill()  # in the middle of its own and the others' changes
        running[0] = stack.enter_context(Machine(catalog_url, folder / "0"))
        for machine in running[1:]:
            machine.hear()
        ended = time.monotonic()
        settled, settled_at = _settled(running, asked, until=ended + 300)
        with closing(open_search_client(CatalogSettings(catalog_url, index_dir=folder / "fresh"))) as fresh:
            agreed = settled == json.loads(json.dumps(answers(fresh, asked)))
        return Outcome(agreed, settled_at - ended, ended - begun)


def _settled(machines: Sequence[Machine], asked: list[str], *, until: float) -> tuple[object, float]:
    """The answers that all machines give, and when they were first asked for those; None where they still differ."""
    while (now := time.monotonic()) < until:
        # A few first: asking all of them takes longer than following does.
        if _agreed(machines, asked[:5]) is not None and (settled := _agreed(machines, asked)) is not None:
            return settled, now
    return None, until


def _agreed(machines: Sequence[Machine], asked: list[str]) -> object:
    for machine in machines:
        machine.tell({"ask": asked})
    heard = [machine.hear() for machine in machines]
    return heard[0] if all(answer == heard[0] for answer in heard) else None


def answers(client: SearchClient, queries: Sequence[str]) -> Answers:
    """Ids and prices of the first ten hits of each query, the most relevant first."""
    found = (client.search(SearchQuery((query,), limit=10)).products for query in queries)
    return [[(product.id, str(product.price)) for product in products] for products in found]


def _serve(catalog_url: str, index_dir: Path) -> None:
    settings = CatalogSettings(catalog_url, index_dir=index_dir)
    with closing(open_search_client(settings)) as client, closing(open_catalog_store(settings)) as store:
        for line in sys.stdin:
            order = json.loads(line)
            if "ask" in order:
                print(json.dumps(answers(client, order["ask"])), flush=True)
                continue
            chance = random.Random(order["seed"])
            for _ in range(order["change"]):
                number = chance.randrange(order["products"] * 11 // 10)
                if chance.random() < 0.2:
                    store.write([], delete=[f"p{number}"])
                else:
                    store.write([some_product(number, chance)])
            print(json.dumps("changed"), flush=True)


def main() -> int:
    with postgres_schema() as url, tempfile.TemporaryDirectory() as folder:
        outcome = run(url, Path(folder), machines=4, products=5_000, changes=2_000, queries=200)
    verdict = "give the same answers" if outcome.agreed else "DISAGREE"
    print(
        f"4 machines over one PostgreSQL, 2,000 changes in {outcome.changes_s:.1f} s, one machine killed and restarted:"
    )
    print(f"all {verdict} to 200 queries asked {outcome.settled_s:.2f} s after the last change")
    return 0 if outcome.agreed else 1


if __name__ == "__main__":
    _serve(sys.argv[1], Path(sys.argv[2]))
