"""How these tests write a feed to disk and read it back."""

from __future__ import annotations

import gzip
import zipfile
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from search_client.feeds import Detected, FeedOptions, ImportReport, open_feed
from search_client.models import Product

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
OPTIONS = FeedOptions(now=NOW)


@dataclass(frozen=True, slots=True)
class Result:
    """What came out of a feed."""

    products: tuple[Product, ...]
    report: ImportReport
    detected: Detected

    def __getitem__(self, product_id: str) -> Product:
        return next(product for product in self.products if product.id == product_id)

    @property
    def ids(self) -> list[str]:
        return [product.id for product in self.products]

    @property
    def prices(self) -> dict[str, str]:
        return {product.id: str(product.price) for product in self.products}

    def reasons(self, kind: str) -> list[tuple[int | None, str]]:
        return [(finding.line, finding.reason) for finding in self.report.findings if finding.kind == kind]


def read(path: Path, **options: object) -> Result:
    """Reads a file to its end."""
    with open_feed(path, replace(OPTIONS, **options)) as feed:  # type: ignore[arg-type]
        products = tuple(feed)
        return Result(products, feed.report, feed.detected[0])


class Desk:
    """Writes feeds into a folder and reads them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, content: str | bytes, name: str = "feed.csv", *, encoding: str = "utf-8") -> Path:
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    def read(
        self, content: str | bytes, name: str = "feed.csv", *, saved_as: str = "utf-8", **options: object
    ) -> Result:
        return read(self.write(content, name, encoding=saved_as), **options)

    def gz(self, content: str, name: str = "feed.csv.gz") -> Path:
        return self.write(gzip.compress(content.encode()), name)

    def zip(self, members: dict[str, str], name: str = "feed.zip") -> Path:
        path = self.folder / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, content in members.items():
                archive.writestr(member, content)
        return path
