from __future__ import annotations

import search_client
from search_client import errors, models


def test_the_root_is_the_api_sorted_and_complete() -> None:
    assert search_client.__all__ == sorted(search_client.__all__)
    assert all(hasattr(search_client, name) for name in search_client.__all__)
    own_errors = {name for name, value in vars(errors).items() if isinstance(value, type)}
    assert own_errors <= set(search_client.__all__)
    assert {"Product", "SearchQuery", "SearchResults", "Shopper"} <= {*vars(models)} & {*search_client.__all__}
