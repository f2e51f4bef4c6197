"""One Chromium for all browser tests, a fresh visitor for each."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.site import Site

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
PATIENCE_MS = 120_000  # a busy machine is slow, not wrong
expect.set_options(timeout=PATIENCE_MS)
AXE_VERSION = "4.14.1"
AXE_FOLDER = Path(__file__).parents[2] / "build" / "axe"

Visit = Callable[..., Page]


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests share one worker, since a browser each would be slower than waiting."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


def missing(what: str) -> None:
    """Skip with a reason, or fail where nothing may be skipped."""
    if os.environ.get("CHECK_ALL") == "1":
        pytest.fail(f"{what}; `make check` should have installed it")
    pytest.skip(f"{what}: run `make check`")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; gone before tests elsewhere start an event loop of their own."""
    if not Path(CHROMIUM).exists():
        missing("there is no chromium")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, fetched once by npm into `build/`."""
    script = AXE_FOLDER / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        if shutil.which("npm") is None:
            missing("there is no npm to fetch axe-core with")
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-save", "--prefix", str(AXE_FOLDER)]
        if subprocess.run([*command, f"axe-core@{AXE_VERSION}"], check=False, timeout=600).returncode:
            missing("npm could not fetch axe-core")
    return script.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The shop that a module's tests visit."""
    opened = Site(tmp_path_factory.mktemp("site"))
    yield opened
    opened.close()


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Visit]:
    """Opens the shop as a new visitor; an error in the page's script fails the test."""
    contexts, errors = [], []

    def open_page(path: str = "/", **options: Any) -> Page:
        context = browser.new_context(base_url=site.url, **{"viewport": {"width": 1280, "height": 900}} | options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path)
        return page

    yield open_page
    site.model.release()
    for context in contexts:
        context.close()
    assert errors == []
