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


class RuleSet:
    """All rules compiled over a lexicon's bits. Read only, so threads share it."""

    def __init__(self, rules: tuple[Rule, ...], lexicon: Lexicon) -> None:
        self._gaps: list[int] = []
        self._rules: list[Rule] = []
        self._slots: list[list[int]] = []
        for rule in rules:
            masks = [sum({lexicon.bits[concept] for concept in slot}) for slot in rule.slots]
            for order in set(permutations(masks)) if rule.free else {tuple(masks)}:
                self._rules.append(rule)
                self._gaps.append(rule.gap)
                self._slots.append(list(order))
        self._wanted: dict[int, tuple[tuple[int, int], ...]] = {}

    def _interested(self, mask: int) -> tuple[tuple[int, int], ...]:
        """(automaton, slot) pairs that a word may advance; later slots first, so that a word fills one slot only."""
        wanted = self._wanted.get(mask)
        if wanted is None:
            wanted = tuple(
                (automaton, slot)
                for automaton, slots in enumerate(self._slots)
                for slot in range(len(slots) - 1, -1, -1)
                if slots[slot] & mask
            )
            self._wanted[mask] = wanted
        return wanted

    def find(self, words: list[Tagged]) -> list[Rule]:
        """The rules met, each once."""
        never = -1_000_000
        reached = [[never] * len(slots) for slots in self._slots]
        found: dict[str, Rule] = {}
        for word in words:
            for automaton, slot in self._interested(word.mask):
                state = reached[automaton]
                if slot and not 0 < word.start - state[slot - 1] <= self._gaps[automaton]:
                    continue
                state[slot] = word.end
                if slot == len(state) - 1:
                    found.setdefault(self._rules[automaton].name, self._rules[automaton])
        return list(found.values())


@cache
def load_rule_set() -> RuleSet:
    return RuleSet(load_rules(), load_lexicon())
