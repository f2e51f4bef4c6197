"""Chains of concepts that make an attack, matched over tagged words in one pass.

Every rule is a small automaton that remembers, for each of its slots, the latest word at which the chain so far was
complete. The latest is always the best one for a greatest distance, so a word is looked at once and time is linear.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import permutations

from shopping_agent.guard.lexicon import Lexicon, Tagged, load_lexicon

_NEVER = -1_000_000


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    slots: tuple[tuple[str, ...], ...]
    """Concepts in order; each slot is met by any one of its concepts."""
    gap: int
    """Most words from one slot to the next."""
    free: bool
    """Whether the slots may come in any order."""
    points: float
    caught: str
    passes: str


@cache
def load_rules() -> tuple[Rule, ...]:
    """The rules that ship with the guard."""
    text = files("shopping_agent.guard").joinpath("rules.toml").read_text(encoding="utf-8")
    return tuple(
        Rule(
            name=row["name"],
            slots=tuple(tuple(slot.split("|")) for slot in row["slots"]),
            gap=row["gap"],
            free=row.get("free", False),
            points=row["points"],
            caught=row["caught"],
            passes=row["passes"],
        )
        for row in tomllib.loads(text)["rule"]
    )


@dataclass(frozen=True, slots=True)
class _Steps:
    """What a word with certain concepts does to the chains; `reached[at]` is where a chain so far last was complete."""

    onward: tuple[tuple[int, int, Rule | None], ...]
    """(at, gap, rule where the chain ends here); `at - 1` must have been reached at most `gap` words before."""
    starts: tuple[int, ...]


class RuleSet:
    """All rules compiled over a lexicon's bits. Read only, so threads share it."""

    def __init__(self, rules: tuple[Rule, ...], lexicon: Lexicon) -> None:
        self._chains: list[tuple[Rule, list[int]]] = []
        for rule in rules:
            masks = [sum({lexicon.bits[concept] for concept in slot}) for slot in rule.slots]
            for order in set(permutations(masks)) if rule.free else {tuple(masks)}:
                self._chains.append((rule, list(order)))
        self._places = sum(len(slots) for _, slots in self._chains)
        self._steps: dict[int, _Steps] = {}

    def _steps_of(self, mask: int) -> _Steps:
        steps = self._steps.get(mask)
        if steps is None:
            steps = self._steps[mask] = self._compile(mask)
        return steps

    def _compile(self, mask: int) -> _Steps:
        """Later slots first, and starts last, so that one word fills one slot of a chain."""
        onward: list[tuple[int, int, Rule | None]] = []
        starts: list[int] = []
        base = 0
        for rule, slots in self._chains:
            for slot in range(len(slots) - 1, 0, -1):
                if slots[slot] & mask:
                    onward.append((base + slot, rule.gap, rule if slot == len(slots) - 1 else None))
            if slots[0] & mask:
                starts.append(base)
                if len(slots) == 1:
                    onward.append((base, -1, rule))
            base += len(slots)
        return _Steps(tuple(onward), tuple(starts))

    def find(self, words: list[Tagged]) -> list[Rule]:
        """The rules met, each once."""
        reached = [_NEVER] * self._places
        found: dict[str, Rule] = {}
        for word in words:
            steps = self._steps_of(word.mask)
            start, end = word.start, word.end
            for at, gap, rule in steps.onward:
                if gap < 0 or 0 < start - reached[at - 1] <= gap:
                    if rule is None:
                        reached[at] = end
                    else:
                        found[rule.name] = rule
            for at in steps.starts:
                reached[at] = end
        return list(found.values())


@cache
def load_rule_set() -> RuleSet:
    return RuleSet(load_rules(), load_lexicon())
