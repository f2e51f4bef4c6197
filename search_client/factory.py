"""From settings to a search client: the one place in this package where concrete classes are chosen."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from search_client.client import SearchClient
from search_client.errors import SettingsError
from search_client.settings import CatalogSettings, catalog_settings_from_env

log = logging.getLogger(__name__)

_LOGGED_EVERY = 50_000

if TYPE_CHECKING:
    from search_client.analysis import Synonyms
    from search_client.store.sql_store import SqlCatalogStore


def open_search_client(
    settings: CatalogSettings | None = None, *, progress: Callable[[int], None] | None = None
) -> SearchClient:
    """The client for the catalog of `settings`, by default of the environment.

    Its index is up to date when this returns; `progress` is told the number of products indexed so far. Raises
    `SettingsError`, `CatalogError`, and `SearchUnavailableError` where there is neither a database that answers nor an
    index to search meanwhile.
    """
    settings = settings or catalog_settings_from_env(os.environ)
    client = _service(settings) if settings.is_service else _local(settings, progress)
    if settings.cache_answers:
        from search_client.wrappers import CachingSearchClient

        return CachingSearchClient(client, max_answers=settings.cache_answers)
    return client


def open_catalog_store(settings: CatalogSettings, *, required: bool = True) -> SqlCatalogStore:
    """The database behind the catalog. Raises as `open_store`, and `SettingsError` where the catalog is a service."""
    if settings.is_service:
        raise SettingsError(
            f"The catalog {settings.catalog_url!r} is a service that is only read; name its database with --catalog."
        )
    from search_client.store.sql_store import open_store

    return open_store(settings.catalog_url, read_url=settings.read_url, timeout_s=settings.timeout_s, required=required)


def _local(settings: CatalogSettings, progress: Callable[[int], None] | None) -> SearchClient:
    from search_client.local import LocalSearchClient

    synonyms = _synonyms(settings.synonyms_file)
    store = open_catalog_store(settings, required=False)
    try:
        return LocalSearchClient(store, settings.index_path, synonyms=synonyms, progress=progress or _logged)
    except BaseException:
        store.close()
        raise


def _synonyms(own: Path | None) -> Synonyms | None:
    """Ours and the shop's own; None: ours alone. Raises `SettingsError` naming the file, the line and what is wrong."""
    if own is None:
        return None
    from search_client.analysis import DEFAULT_SYNONYMS, SynonymError, Synonyms

    try:
        return Synonyms.load(DEFAULT_SYNONYMS, own)
    except SynonymError as error:
        raise SettingsError(f"CATALOG_SYNONYMS {str(own)!r}: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"CATALOG_SYNONYMS {str(own)!r} cannot be read as text: {error}.") from error


def _logged(count: int) -> None:
    """Tells the operator of a server that starts on a new machine why it does not serve yet."""
    if count % _LOGGED_EVERY == 0:
        log.info("indexed %d products", count)


def _service(settings: CatalogSettings) -> SearchClient:
    from search_client.http_client import HttpSearchClient, HttpTimeouts
    from search_client.wrappers import BreakingSearchClient, RetryingSearchClient

    timeouts = HttpTimeouts(
        connect_s=min(2.0, settings.timeout_s), read_s=settings.timeout_s, whole_s=1.5 * settings.timeout_s
    )
    service = HttpSearchClient(settings.catalog_url, api_key=settings.api_key, timeouts=timeouts)
    return BreakingSearchClient(RetryingSearchClient(service, within_s=settings.timeout_s / 2))
