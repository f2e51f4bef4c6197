"""Definitions of tools that an operator has read and accepted. What changes afterwards is refused until accepted again.

A server may change a tool's description at any time, and with it what a model is told to do: the description is part of
what is pinned, as are schema and annotations.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from shopping_agent.errors import AgentSettingsError

Verdict = Literal["accepted", "new", "changed"]


@dataclass(frozen=True, slots=True)
class Definition:
    """A tool as its server describes it now."""

    server: str
    name: str
    description: str
    schema: Mapping[str, Any]
    annotations: Mapping[str, Any]
    title: str | None = None

    def as_json(self) -> dict[str, Any]:
        """All of it that counts."""
        return {
            "description": self.description,
            "title": self.title,
            "schema": self.schema,
            "annotations": self.annotations,
        }

    @property
    def digest(self) -> str:
        """SHA-256 of the definition; equal for equal definitions whatever the order of their fields."""
        text = json.dumps({"name": self.name, **self.as_json()}, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def says_read_only(self) -> bool:
        """Whether the server says that the tool changes nothing."""
        return self.annotations.get("readOnlyHint") is True


class Pins:
    """Accepted definitions, kept in one JSON file beside the file of servers."""

    def __init__(self, path: Path) -> None:
        """Raises `AgentSettingsError` where the file is there and cannot be read."""
        self._path = path
        self._kept: dict[str, dict[str, Any]] = {}
        self._state: tuple[int, int] | None = None
        self.refresh()

    def refresh(self) -> None:
        """Read the file again if it is another one now: what is accepted meanwhile is used without a restart.

        Raises `AgentSettingsError`.
        """
        try:
            found = self._path.stat() if self._path.exists() else None
            state = (found.st_mtime_ns, found.st_ino) if found else None
            if state == self._state:
                return
            kept = json.loads(self._path.read_bytes()) if found else {}
            if not all(isinstance(tools, dict) for tools in kept.values()):
                raise ValueError("not an object of servers")
        except (OSError, ValueError, AttributeError) as error:
            raise AgentSettingsError(
                f"The file of accepted tools {str(self._path)!r} cannot be read ({error}): mend it, or remove it and "
                "accept the tools again with `python -m shopping_agent.mcp_host trust`."
            ) from error
        self._kept, self._state = kept, state

    def verdict(self, definition: Definition) -> Verdict:
        """Whether this very definition was accepted."""
        kept = self._kept.get(definition.server, {}).get(definition.name)
        if kept is None:
            return "new"
        return "accepted" if kept.get("sha256") == definition.digest else "changed"

    def before(self, definition: Definition) -> Mapping[str, Any]:
        """What was accepted under this name, empty if nothing was."""
        kept = self._kept.get(definition.server, {}).get(definition.name, {})
        return {name: value for name, value in kept.items() if name != "sha256"}

    def names(self, server: str) -> tuple[str, ...]:
        """All tools of a server that were ever accepted."""
        return tuple(self._kept.get(server, {}))

    def accept(self, definitions: Iterable[Definition]) -> None:
        """Keep these definitions; the file is replaced as a whole. Raises `AgentSettingsError`."""
        self.refresh()
        for definition in definitions:
            record = {"sha256": definition.digest, **definition.as_json()}
            self._kept.setdefault(definition.server, {})[definition.name] = record
        self._path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=self._path.name)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(self._kept, file, indent=2, ensure_ascii=False, sort_keys=True)
        os.replace(name, self._path)
