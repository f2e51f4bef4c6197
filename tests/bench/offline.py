"""What a decision of the offline model costs: on the demo shop, on a vocabulary as big as they get, on noise."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from functools import partial

from search_client import demo
from search_client.models import Facet, FacetValue, Vocabulary
from search_client.testing import FakeSearchClient
from shopping_agent.conversation import Conversation, parse_conversation
from shopping_agent.model import DecisionRequest
from shopping_agent.offline.model import OfflineActionModel

MESSAGES = (
    "running shoes under $100", "do you have it in blue?", "the second one", "thanks!", "where is my order?",
    "I'm looking for a birthday present for my dad, he likes coffee, not more than 40 dollars please",
    "waterproof jacket, size M, no hood", "Haben Sie auch Rucksäcke unter 50 Euro?", "我想买蓝色的跑鞋，不超过500元",
)  # fmt: skip
ROUNDS = 40
NOISES = 1_000
NOISE_CHARS = 4_000
NOISE_BOUND_MS = 50.0


def main() -> int:
    """Print the table; 1 where a noise message takes longer than `NOISE_BOUND_MS`."""
    started = time.perf_counter()
    model = OfflineActionModel()
    print(f"built in {(time.perf_counter() - started) * 1000:.0f} ms, once a process")
    small = FakeSearchClient(demo.products()).vocabulary()
    short, long = parse_conversation(_turns(4)), parse_conversation(_turns(60))
    for name, vocabulary, conversation in (
        ("demo, first message", small, Conversation()),
        ("demo, 4 turns", small, short),
        ("demo, 60 turns", small, long),
        ("biggest vocabulary, 4 turns", biggest(), short),
    ):
        _decide(model, vocabulary, conversation, "warm up")
        decisions = [  # each message is new: none is read from the cache of readings
            partial(_decide, model, vocabulary, conversation, f"{text} {number}")
            for number in range(ROUNDS)
            for text in MESSAGES
        ]
        print(f"{name:<30}" + _spread(decisions))
    noises = [partial(_decide, model, small, Conversation(), text) for text in noise(NOISES)]
    print(f"{f'{NOISES:,} messages of noise':<30}" + _spread(noises))
    return int(max(_times(noises)) > NOISE_BOUND_MS)


def _turns(count: int) -> list[dict[str, str]]:
    listed = "Found 12 for “mug”:\n1. Hill Mug (ID: m1) — 12.00 USD, rated 4.5 of 5\n2. Cup (ID: m2) — 9.50 USD"
    return [
        {"role": "user", "content": f"show me mug {number} please"}
        if number % 2 == 0
        else {"role": "assistant", "content": listed}
        for number in range(count)
    ]


def biggest() -> Vocabulary:
    """As large as an index makes it, whatever the number of products: 1,000 values a facet and 3,000 terms."""

    def values(stem: str, count: int) -> tuple[FacetValue, ...]:
        return tuple(FacetValue(f"{stem} {number}", 9) for number in range(count))

    facets = tuple(Facet(f"Fact {number}", values("value", 50)) for number in range(40))
    return Vocabulary(
        brands=values("Brand", 1_000), categories=values("Kind", 1_000), colors=values("Hue", 1_000),
        sizes=values("Size", 1_000), attributes=facets, terms=values("term", 3_000),
    )  # fmt: skip


def noise(count: int) -> list[str]:
    """Random text of any script and length, the same every time."""
    chance = random.Random(5)
    scripts = ((0x20, 0x7F), (0xA0, 0x24F), (0x400, 0x4FF), (0x4E00, 0x9FFF), (0x1F300, 0x1F6FF), (0x20, 0x10FFF))
    made = []
    for _ in range(count):
        low, high = chance.choice(scripts)
        made.append("".join(chr(chance.randrange(low, high)) for _ in range(chance.randrange(NOISE_CHARS))))
    return made


def _decide(model: OfflineActionModel, vocabulary: Vocabulary, conversation: Conversation, text: str) -> None:
    model.decide(DecisionRequest(text, conversation=conversation, vocabulary=vocabulary))


def _times(decisions: Sequence[Callable[[], None]]) -> list[float]:
    taken = []
    for decision in decisions:
        started = time.perf_counter()
        decision()
        taken.append((time.perf_counter() - started) * 1000)
    return sorted(taken)


def _spread(decisions: Sequence[Callable[[], None]]) -> str:
    taken = _times(decisions)
    pick = [taken[min(len(taken) - 1, int(share * len(taken)))] for share in (0.5, 0.99)]
    return f"p50 {pick[0]:7.2f} ms   p99 {pick[1]:7.2f} ms   max {taken[-1]:7.2f} ms"


if __name__ == "__main__":
    raise SystemExit(main())
