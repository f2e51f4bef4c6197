"""Which catalog is used, and how long it may take to answer. Read from the environment by one explicit call."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from search_client.errors import SettingsError

T = TypeVar("T", int, float)

DEFAULT_CATALOG_URL = "sqlite:///var/catalog/catalog.sqlite"
INDEX_FOLDER = Path("var/index")
_SQL_SCHEMES = {"sqlite", "postgresql", "postgres", "postgresql+psycopg"}
_HTTP_SCHEMES = {"http", "https"}


@dataclass(frozen=True, slots=True)
class CatalogSettings:
    """Where the products are and how they are reached. Raises `SettingsError` for what cannot work."""

    catalog_url: str = DEFAULT_CATALOG_URL
    """`CATALOG_URL`: `sqlite:///path`, `postgresql://…`, or `https://…` of a product search service."""
    read_url: str | None = None
    """`CATALOG_READ_URL`: a replica of a PostgreSQL catalog that is read instead."""
    index_dir: Path | None = None
    """`CATALOG_INDEX_DIR`: where this machine keeps its index; by default beside the SQLite file or in `var/index`."""
    api_key: str | None = None
    """`CATALOG_API_KEY`: sent to a product search service."""
    timeout_s: float = 5.0
    """`CATALOG_TIMEOUT_S`: the longest wait for a statement, a lock, a connection, or a piece of an answer."""
    cache_answers: int = 0
    """`CATALOG_CACHE_ANSWERS`: how many answers to searches are remembered; 0: none, a local search takes 1 ms."""

    synonyms_file: Path | None = None
    """`CATALOG_SYNONYMS`: the shop's own synonyms, beside ours: `sofa, couch` or `shoes => boots, sandals` a line."""

    def __post_init__(self) -> None:
        if self.scheme not in _SQL_SCHEMES | _HTTP_SCHEMES:
            raise SettingsError(
                f"CATALOG_URL {_without_password(self.catalog_url)!r} is none of sqlite:///path, postgresql://…, https://….",
            )
        if self.read_url is not None and not self.read_url.startswith("postgres"):
            raise SettingsError(f"CATALOG_READ_URL {_without_password(self.read_url)!r} is not postgresql://….")
        if not 0 < self.timeout_s <= 600:
            raise SettingsError(f"CATALOG_TIMEOUT_S {self.timeout_s!r} is not within 0 to 600 seconds.")
        if not 0 <= self.cache_answers <= 1_000_000:
            raise SettingsError(f"CATALOG_CACHE_ANSWERS {self.cache_answers!r} is not within 0 to 1,000,000.")

    @property
    def scheme(self) -> str:
        """The part before the colon: `sqlite`, `postgresql`, `https`."""
        return self.catalog_url.partition(":")[0].lower()

    @property
    def is_service(self) -> bool:
        """Whether the catalog is a product search service rather than a database."""
        return self.scheme in _HTTP_SCHEMES

    @property
    def file(self) -> Path | None:
        """The catalog's SQLite file, which need not exist yet; None for a server or a service."""
        if self.scheme != "sqlite":
            return None
        return Path(unquote(self.catalog_url.removeprefix("sqlite:///").partition("?")[0]))

    @property
    def index_path(self) -> Path:
        """The folder of this machine's index of the catalog."""
        if self.index_dir is not None:
            return self.index_dir
        if self.file is not None:
            return Path(f"{self.file}.index")
        return INDEX_FOLDER / hashlib.sha256(_without_password(self.catalog_url).encode()).hexdigest()[:16]


def catalog_settings_from_env(environ: Mapping[str, str]) -> CatalogSettings:
    """Reads and checks the settings; empty equals unset. Raises `SettingsError` naming the variable and its value."""
    index_dir = environ.get("CATALOG_INDEX_DIR")
    return CatalogSettings(
        catalog_url=environ.get("CATALOG_URL") or DEFAULT_CATALOG_URL,
        read_url=environ.get("CATALOG_READ_URL") or None,
        index_dir=Path(index_dir) if index_dir else None,
        api_key=environ.get("CATALOG_API_KEY") or None,
        timeout_s=_number(environ, "CATALOG_TIMEOUT_S", float, default=5.0),
        cache_answers=_number(environ, "CATALOG_CACHE_ANSWERS", int, default=0),
        synonyms_file=Path(environ["CATALOG_SYNONYMS"]) if environ.get("CATALOG_SYNONYMS") else None,
    )


def _number(environ: Mapping[str, str], name: str, kind: Callable[[str], T], *, default: T) -> T:
    text = environ.get(name)
    if not text:
        return default
    try:
        return kind(text)
    except ValueError as error:
        raise SettingsError(f"{name} {text!r} is not a {'whole ' if kind is int else ''}number.") from error


def _without_password(url: str) -> str:
    """The URL as a message may show it."""
    try:
        parts = urlsplit(url)
        secret = parts.password
    except ValueError:
        return url.partition(":")[0] + ":…"
    return url.replace(f":{secret}@", ":***@") if secret else url
