"""A small shop under load: its catalog, its settings, and what its database kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from sqlalchemy import select

from tests.server import ROOT
from web.store.engine import open_engine, reading
from web.store.schema import turns

UNLIMITED = {"RATE_LIMIT_SESSION": "1000000 per minute", "RATE_LIMIT_ADDRESS": "1000000 per minute", "WEB_WORKERS": "2"}


def stock(folder: Path, *, cents: int = 99) -> None:
    """A catalog of few products, indexed; other cents change every price."""
    lamps = [
        {"id": f"l{n}", "title": f"Lamp {n}", "price": f"{n + 5}.{cents} USD", "category": ["Lamps"]} for n in range(12)
    ]
    (folder / "lamps.jsonl").write_text("".join(f"{json.dumps(lamp)}\n" for lamp in lamps))
    command = [sys.executable, "-m", "search_client", "import", "lamps.jsonl"]
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=folder, env=environ, check=True, stdout=subprocess.DEVNULL)


def kept_turns(url: str) -> dict[str, list[tuple[int, str, str]]]:
    """Number, message and status of every turn, by conversation, in order."""
    kept: dict[str, list[tuple[int, str, str]]] = {}
    engine = open_engine(url)
    with reading(engine) as db:
        for row in db.execute(select(turns).order_by(turns.c.conversation_id, turns.c.seq)):
            kept.setdefault(row.conversation_id, []).append((row.seq, row.message, row.status))
    engine.dispose()
    return kept
