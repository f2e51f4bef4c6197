"""From a merchant's own file to a chat that outlives the server, by the commands of the README."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chatting import say, titles
from tests.browser.conftest import PATIENCE_MS
from tests.shared_data import shared_data

ROOT = Path(__file__).parents[2]


@contextmanager
def served(environ: dict[str, str]) -> Iterator[str]:
    """`python -m web` on a free port: its address."""
    command = [sys.executable, "-m", "web", "--port", "0"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()


@pytest.mark.parametrize(
    ("file", "wish", "found"),
    [
        ("dummyjson_products.json", "mascara", "Essence Mascara Lash Princess"),
        ("shopify_partners_apparel.csv", "shirt", "Ocean Blue Shirt"),
    ],
)
def test_a_chat_on_a_merchants_file_survives_reload_and_restart(
    browser: Browser, tmp_path: Path, file: str, wish: str, found: str
) -> None:
    environ = os.environ | {
        "CATALOG_URL": f"sqlite:///{tmp_path}/catalog.sqlite",
        "DATABASE_URL": f"sqlite:///{tmp_path}/chats.sqlite",
        "SECRET_KEY": "a key of this test alone, long enough",
        "ASSISTANT_MODEL": "offline",
    }
    source = shared_data(f"catalogs/{file}")
    subprocess.run(
        [sys.executable, "-m", "search_client", "import", str(source)],
        cwd=ROOT,
        env=environ,
        check=True,
        capture_output=True,
    )
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    with served(environ) as address:
        page.goto(address)
        before = titles(say(page, wish))
        assert found in before
        number = before.index(found) + 1
        expect(say(page, f"tell me more about number {number}").locator(".detail h3")).to_have_text(found)
        page.reload()
        assert titles(page)[: len(before)] == before
        path = page.url.removeprefix(address)
    with served(environ) as address:
        page.goto(address + path)
        assert titles(page)[: len(before)] == before
        expect(page.locator(".said")).to_have_count(2)
    context.close()
