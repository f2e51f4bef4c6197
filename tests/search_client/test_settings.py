from __future__ import annotations

from pathlib import Path

import pytest

from search_client.errors import SettingsError
from search_client.settings import CatalogSettings, catalog_settings_from_env


def test_nothing_set_means_the_local_catalog() -> None:
    settings = catalog_settings_from_env({"CATALOG_URL": "", "CATALOG_TIMEOUT_S": ""})
    assert settings == CatalogSettings()
    assert settings.index_path == Path("var/catalog/catalog.sqlite.index")
    assert not settings.is_service


def test_every_setting_is_read() -> None:
    settings = catalog_settings_from_env(
        {
            "CATALOG_URL": "postgresql://shop:pw@db/catalog",
            "CATALOG_READ_URL": "postgresql://shop:pw@replica/catalog",
            "CATALOG_INDEX_DIR": "/srv/index",
            "CATALOG_API_KEY": "key",
            "CATALOG_TIMEOUT_S": "2.5",
            "CATALOG_CACHE_ANSWERS": "500",
        }
    )
    assert settings == CatalogSettings(
        "postgresql://shop:pw@db/catalog",
        "postgresql://shop:pw@replica/catalog",
        Path("/srv/index"),
        "key",
        2.5,
        500,
    )


def test_each_catalog_has_an_index_of_its_own() -> None:
    urls = ["sqlite:///a/x.db", "sqlite:////a/x.db", "sqlite:///a/y.db", "postgresql://h/a", "postgresql://h/b"]
    assert len({CatalogSettings(url).index_path for url in urls}) == len(urls)
    assert CatalogSettings("postgresql://u:old@h/a").index_path == CatalogSettings("postgresql://u:new@h/a").index_path


def test_a_service_is_told_from_a_database() -> None:
    assert CatalogSettings("https://search.example/base").is_service
    assert not CatalogSettings("postgres://h/a").is_service


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({"CATALOG_URL": "mysql://h/a"}, "CATALOG_URL 'mysql://h/a'"),
        ({"CATALOG_URL": "var/catalog"}, "CATALOG_URL 'var/catalog'"),
        ({"CATALOG_URL": "redis://me:hunter2@h"}, "redis://me:***@h"),
        ({"CATALOG_URL": "http2://[::1"}, "http2:…"),
        ({"CATALOG_READ_URL": "sqlite:///x"}, "CATALOG_READ_URL"),
        ({"CATALOG_TIMEOUT_S": "soon"}, "CATALOG_TIMEOUT_S 'soon' is not a number"),
        ({"CATALOG_TIMEOUT_S": "0"}, "CATALOG_TIMEOUT_S 0.0"),
        ({"CATALOG_TIMEOUT_S": "nan"}, "CATALOG_TIMEOUT_S nan"),
        ({"CATALOG_CACHE_ANSWERS": "-1"}, "CATALOG_CACHE_ANSWERS -1"),
        ({"CATALOG_CACHE_ANSWERS": "inf"}, "CATALOG_CACHE_ANSWERS 'inf'"),
        ({"CATALOG_CACHE_ANSWERS": "1.5"}, "CATALOG_CACHE_ANSWERS '1.5'"),
    ],
)
def test_a_wrong_setting_is_named_with_its_value_and_without_its_password(
    environ: dict[str, str], message: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        catalog_settings_from_env(environ)
    assert message in str(caught.value)
    assert "hunter2" not in str(caught.value)
