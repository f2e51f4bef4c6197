"""A synthetic catalog of any size: seeded, with the word frequencies of real shops (Zipf), built as it is read."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search_client.models import Availability, Money, Product

SEED = 20261130
_STARTS = [
    "b",
    "br",
    "c",
    "d",
    "dr",
    "f",
    "g",
    "gl",
    "h",
    "k",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "w",
    "z",
]
_SYLLABLES = [start + vowel for start in _STARTS for vowel in "aeiou"]
_ENDS = ["", "n", "r", "l", "t", "x", "nd", "st"]


@dataclass(frozen=True, slots=True)
class Zipf:
    """Values drawn with a frequency of 1 / rank."""

    values: Sequence[str]
    weights: Sequence[float]

    @classmethod
    def over(cls, values: Sequence[str], *, exponent: float = 1.0) -> Zipf:
        return cls(values, list(itertools.accumulate(1 / rank**exponent for rank in range(1, len(values) + 1))))

    def draw(self, dice: random.Random, count: int) -> list[str]:
        return dice.choices(self.values, cum_weights=self.weights, k=count)


def invented_words(count: int, *, dice: random.Random, syllables: tuple[int, int] = (2, 4)) -> list[str]:
    """`count` different pronounceable words."""
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(dice.choices(_SYLLABLES, k=dice.randint(*syllables))) + dice.choice(_ENDS)] = None
    return list(found)


class SyntheticCatalog:
    """The vocabulary of one synthetic shop and the products made from it; equal seeds give equal products."""

    def __init__(self, *, seed: int = SEED) -> None:
        dice = random.Random(seed)
        names = invented_words(4_000, dice=dice, syllables=(2, 3))
        self.words = Zipf.over(invented_words(30_000, dice=dice))
        self.brands = Zipf.over([name.capitalize() for name in names[:3_000]])
        self.departments = names[3_000:3_012]
        self.kinds = names[3_012:3_072]
        self.materials = Zipf.over(names[3_072:3_112])
        self.colors = Zipf.over(names[3_112:3_142])
        self.adjectives = Zipf.over(names[3_142:3_202])
        self._seed = seed

    def products(self, count: int) -> Iterator[Product]:
        """The first `count` products, one at a time."""
        dice = random.Random(self._seed + 1)
        return (self._product(number, dice) for number in range(count))

    def _product(self, number: int, dice: random.Random) -> Product:
        at = min(int(dice.paretovariate(0.6)) - 1, len(self.kinds) - 1)
        kind, department = self.kinds[at].capitalize(), self.departments[at % len(self.departments)].capitalize()
        (brand,), (color,), (material,) = (
            self.brands.draw(dice, 1), self.colors.draw(dice, 1), self.materials.draw(dice, 1)
        )  # fmt: skip
        model = f"{dice.choice('abcdefghkmprstx')}{dice.choice('dghkmpsx')}-{dice.randint(100, 9999)}".upper()
        filling = self.words.draw(dice, dice.randint(1, 9))
        adjective = self.adjectives.draw(dice, 1)[0]
        price = int(min(100 * dice.lognormvariate(3.4, 1.1), 9_999_00))
        return Product(
            id=f"p{number:07d}",
            title=f"{brand} {adjective} {' '.join(filling)} {kind} {color} {model}",
            description=" ".join(self.words.draw(dice, dice.randint(30, 80))),
            brand=brand,
            category=(department, kind),
            price=Money(price, "USD"),
            list_price=Money(price + price // 4 + 1, "USD") if number % 7 == 0 else None,
            availability=Availability.OUT_OF_STOCK if dice.random() < 0.08 else Availability.IN_STOCK,
            rating=round(min(5.0, max(1.0, dice.gauss(4.1, 0.6))), 1) if dice.random() < 0.8 else None,
            rating_count=int(dice.paretovariate(0.8)),
            attributes=(("Color", color), ("Material", material)),
            options=(("Size", tuple(dice.sample(("XS", "S", "M", "L", "XL", "XXL"), k=3))),) if at % 3 == 0 else (),
            sku=f"{model}-{number % 97:02d}",
            added_at=f"20{dice.randint(20, 26)}-{dice.randint(1, 12):02d}-{dice.randint(1, 28):02d}",
        )
