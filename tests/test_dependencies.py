"""What pip really resolved: the unpinned pair backtracks to an instructor that is years old."""

from __future__ import annotations

from importlib.metadata import requires, version

import pytest
from packaging.requirements import Requirement

PINNED = [
    (requirement.name, requirement)
    for requirement in map(Requirement, requires("shopping-assistant") or [])
    if requirement.marker is None
]


@pytest.mark.parametrize(("name", "requirement"), PINNED, ids=[name for name, _ in PINNED])
def test_every_dependency_resolved_within_its_pin(name: str, requirement: Requirement) -> None:
    assert requirement.specifier, f"{name} has no pin"
    assert requirement.specifier.contains(version(name))


def test_the_newest_pair_of_instructor_and_openai_is_installed() -> None:
    assert version("instructor").startswith("1.1") and version("openai").startswith("3.")
