from __future__ import annotations

import json
import re
from pathlib import Path

from search_client.codec import product_from_json
from search_client.models import Money

README = Path(__file__).parents[2] / "README.md"


def test_the_readme_shows_a_product_that_can_be_read() -> None:
    blocks = re.findall(r"```json\n(\{\"id\".*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    products = [product_from_json(json.loads(block)) for block in blocks]
    assert [product.price for product in products] == [Money(1999, "USD")]
    assert products[0].on_sale
