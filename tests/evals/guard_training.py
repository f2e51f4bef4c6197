"""`python -m tests.evals.guard_training`: learns the guard's weights from the texts written for it, and writes them.

The same texts and seed give the same weights. Nothing measured by `make evals` is among the texts.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import shopping_agent.guard
from search_client import demo
from shopping_agent.guard.canonical import fold
from shopping_agent.guard.learned import BIAS, pairs, windows
from shopping_agent.guard.lexicon import load_lexicon
from shopping_agent.guard.rules import load_rule_set
from shopping_agent.guard.structure import find_marks, load_marks
from shopping_agent.offline.lexicon import load_lexicon as load_replies
from tests.shopping_agent.guard import corpus

WEIGHTS = Path(shopping_agent.guard.__file__).parent / "weights.json"
SEED, ROUNDS = 1, 40
RATE, DECAY, SHRINK = 0.1, 0.93, 1e-4
HONEST_WEIGHT = 1.5
"""How much more it costs to refuse an honest text than to miss an attack."""
LEAST_SEEN = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn and write; prints how many weights there are."""
    argparse.ArgumentParser(prog="python -m tests.evals.guard_training", description=__doc__).parse_args(arguments)
    attacks = [text for _, text in corpus.texts("attacks")]
    honest = [text for _, text in corpus.texts("honest")]
    products = list(demo.products())
    honest += [product.title for product in products[::4]] + [product.description for product in products[::6]]
    honest += [reply for own in load_replies().languages.values() for reply in own.replies.values()]
    weights = learn([*attacks, *honest], [True] * len(attacks) + [False] * len(honest))
    WEIGHTS.write_text(json.dumps(weights, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(weights)} weights from {len(attacks)} attacks and {len(honest)} honest texts\n")
    return 0


def learn(texts: Sequence[str], attack: Sequence[bool]) -> dict[str, float]:
    """Weights by name, to two decimals; what is next to nothing is left out."""
    rows = [tuple(sorted(set(features(text)))) for text in texts]
    seen = Counter(name for row in rows for name in row)
    rows = [tuple(name for name in row if seen[name] >= LEAST_SEEN) for row in rows]
    weights: dict[str, float] = dict.fromkeys(seen, 0.0) | {BIAS: 0.0}
    chance, order, rate = random.Random(SEED), list(range(len(rows))), RATE
    for _ in range(ROUNDS):
        chance.shuffle(order)
        for at in order:
            logit = weights[BIAS] + sum(weights[name] for name in rows[at])
            error = 1 / (1 + math.exp(-max(-30.0, min(30.0, logit)))) - attack[at]
            step = rate * error * (1.0 if attack[at] else HONEST_WEIGHT)
            weights[BIAS] -= step
            for name in rows[at]:
                weights[name] = weights[name] * (1 - rate * SHRINK) - step
        rate *= DECAY
    return {name: round(weight, 2) for name, weight in sorted(weights.items()) if abs(weight) >= 0.01}


def features(text: str) -> Iterator[str]:
    """Names of the concepts, pairs and rules in a text as it stands."""
    lexicon = load_lexicon()
    words = lexicon.tag(fold(text))
    names = {bit: name for name, bit in lexicon.bits.items()}

    def named(mask: int) -> list[str]:
        return [name for bit, name in names.items() if bit & mask]

    for piece in list(windows(words))[:1]:
        yield from (name for word in piece for name in named(word.mask))
        yield from (f"{one} > {other}" for left, right in pairs(piece) for one in named(left) for other in named(right))
    yield from (f"rule {rule.name}" for rule in load_rule_set().find(words))
    yield from (f"rule {name}" for name, _ in find_marks(text, load_marks()))


if __name__ == "__main__":
    sys.exit(main())
