"""A shop in memory, with a browser that runs no script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from shopping_agent.actions import Action
from shopping_agent.errors import ModelError
from tests.web.shop import Shop, open_shop

OpenShop = Callable[..., Shop]


@pytest.fixture
def shop_of(tmp_path: Path) -> Iterator[OpenShop]:
    """Opens a shop whose model plays the given steps."""
    opened: list[Shop] = []

    def open_one(*steps: Action | ModelError, **settings: Any) -> Shop:
        opened.append(open_shop(tmp_path, steps, **settings))
        return opened[-1]

    yield open_one
    for shop in opened:
        shop.close()


@pytest.fixture
def shop(shop_of: OpenShop) -> Shop:
    """A shop whose model is never asked."""
    return shop_of()
