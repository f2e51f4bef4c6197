"""Words that mean the same goods, and umbrella words that open a whole kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from search_client.analysis.tokens import Reading, chunks

DEFAULT_SYNONYMS = Path(__file__).with_name("synonyms.txt")


class SynonymError(ValueError):
    """A line of a synonym file cannot be read; the message gives its number and the form that is expected."""


@dataclass(frozen=True, slots=True)
class Synonym:
    """Another way to say a run of query terms."""

    length: int
    """Number of query terms it stands for."""
    terms: Reading
    umbrella: bool = False
    """True: the query word is wider (`shoes`), this is one kind of it (`sandal`)."""


class Synonyms:
    """Synonyms by the terms that trigger them. Read-only."""

    def __init__(self, rules: Iterable[tuple[Reading, Reading, bool]] = ()) -> None:
        """`rules`: (terms as asked, terms also meant, whether the first is an umbrella word)."""
        self._by_first: dict[str, list[tuple[Reading, Reading, bool]]] = {}
        for asked, meant, umbrella in dict.fromkeys(rules):
            if asked and meant and asked != meant:
                self._by_first.setdefault(asked[0], []).append((asked, meant, umbrella))

    @classmethod
    def parse(cls, text: str, *, source: str = "synonyms") -> Synonyms:
        """Read one rule a line: `sofa, couch` (all mean the same), `shoes => boots, sandals` (only from left to right).

        `#` starts a comment. Case, accents and plural do not matter. Raises `SynonymError`.
        """
        rules: list[tuple[Reading, Reading, bool]] = []
        for number, line in enumerate(text.splitlines(), start=1):
            line = line.partition("#")[0].strip()
            if line:
                rules += _rules(line, where=f"{source}, line {number}")
        return cls(rules)

    @classmethod
    def load(cls, *paths: Path) -> Synonyms:
        """The rules of all files together. Raises `SynonymError`, `OSError`."""
        merged = cls()
        for path in paths:
            merged = merged | cls.parse(path.read_text(encoding="utf-8"), source=path.name)
        return merged

    def __or__(self, other: Synonyms) -> Synonyms:
        """Both tables as one."""
        return Synonyms([*self._rules(), *other._rules()])

    def __len__(self) -> int:
        return sum(map(len, self._by_first.values()))

    def _rules(self) -> list[tuple[Reading, Reading, bool]]:
        return [rule for rules in self._by_first.values() for rule in rules]

    def at(self, terms: Sequence[str], start: int) -> list[Synonym]:
        """Synonyms of the run of `terms` that begins at `start`; the longest runs first."""
        found = [
            Synonym(len(asked), meant, umbrella)
            for asked, meant, umbrella in self._by_first.get(terms[start], ())
            if tuple(terms[start : start + len(asked)]) == asked
        ]
        return sorted(found, key=lambda synonym: -synonym.length)


def _rules(line: str, *, where: str) -> list[tuple[Reading, Reading, bool]]:
    left, arrow, right = line.partition("=>")
    asked, meant = _alternatives(left), _alternatives(right)
    if (arrow and not (asked and meant)) or (not arrow and len(asked) < 2):
        raise SynonymError(f"{where}: {line!r} is no rule; write 'sofa, couch' or 'shoes => boots, sandals'.")
    if arrow:
        return [(one, other, True) for one in asked for other in meant]
    return [(one, other, False) for one in asked for other in asked if one != other]


def _alternatives(text: str) -> list[Reading]:
    found: list[Reading] = []
    for part in text.split(","):
        parts = chunks(part)
        if len(parts) == 1:
            found += parts[0].readings
        elif parts:
            found.append(tuple(term for chunk in parts for term in chunk.terms))
    return found
