"""Where a feed's bytes come from: a file, packed or not, as one or more parts that can be read again and again."""

from __future__ import annotations

import gzip
import io
import os
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from search_client.errors import FeedError
from search_client.feeds.options import FeedLimits

_GZIP = b"\x1f\x8b"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_FOREIGN = {
    b"\xd0\xcf\x11\xe0": "an Excel workbook (.xls); save it as CSV UTF-8",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"PAR1": "a Parquet file; write it as CSV or JSON lines",
    b"SQLite format 3": "an SQLite database; a catalog is opened with --catalog, not imported",
    b"7z\xbc\xaf": "a 7z archive; pack it as zip or gz",
    b"Rar!": "a RAR archive; pack it as zip or gz",
    b"BZh": "a bzip2 file; pack it as zip or gz",
    b"\xfd7zXZ": "an xz file; pack it as zip or gz",
    b"\x28\xb5\x2f\xfd": "a zstd file; pack it as zip or gz",
}
_DATA_SUFFIXES = (
    ".csv",
    ".tsv",
    ".txt",
    ".json",
    ".jsonl",
    ".ndjson",
    ".jsonld",
    ".xml",
    ".rss",
    ".atom",
    ".html",
    ".htm",
    ".gz",
)
_RATIO_FLOOR = 64 * 2**20
_BROKEN = (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError)


@dataclass(frozen=True, slots=True)
class Part:
    """One file to read: opened anew for every pass."""

    name: str
    size: int
    """Unpacked bytes, as far as known."""
    open: Callable[[], IO[bytes]]
    read: list[int] = field(default_factory=lambda: [0])
    """Bytes that the pass going on has taken, for progress."""
    archive: str = ""
    """The zip that holds it, with others."""


def parts_of(path: Path, limits: FeedLimits) -> list[Part]:
    """The files that `path` holds: itself, what is in it if gz, or its members if zip. Raises `FeedError`."""
    try:
        with path.open("rb") as file:
            head = file.read(16)
        size = path.stat().st_size
    except OSError as error:
        raise FeedError(f"Cannot read {str(path)!r}: {error.strerror or error}.") from error
    if head.startswith(_ZIP):
        return _members(path, limits)
    if head.startswith(_GZIP):
        read = [0]
        return [Part(path.name, _gzip_size(path), lambda: _bounded(_gunzip(path), path.name, size, limits, read), read)]
    _refuse_foreign(head, path.name)
    read = [0]
    return [Part(path.name, size, lambda: _bounded(path.open("rb"), path.name, None, limits, read), read)]


def _refuse_foreign(head: bytes, name: str) -> None:
    for magic, what in _FOREIGN.items():
        if head.startswith(magic):
            raise FeedError(f"{name!r} is {what}.")


def _gunzip(file: Path | IO[bytes]) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(file, "rb"))


def _gzip_size(path: Path) -> int:
    """What the last four bytes say; a guess for progress only (modulo 4 GiB, last member only)."""
    with path.open("rb") as file:
        file.seek(-min(4, path.stat().st_size), os.SEEK_END)
        return int.from_bytes(file.read(4), "little")


def _members(path: Path, limits: FeedLimits) -> list[Part]:
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if info.filename and not info.is_dir()]
    except _BROKEN as error:
        raise FeedError(f"{path.name!r} is a damaged zip: {error}.") from error
    if any(info.filename == "xl/workbook.xml" for info in infos):
        raise FeedError(f"{path.name!r} is an Excel workbook (.xlsx); save it as CSV UTF-8.")
    data = [info for info in infos if _holds_data(info.filename)]
    if not data:
        raise FeedError(f"{path.name!r} holds no feed, only {[info.filename for info in infos[:5]]!r}.")
    if len(data) > limits.max_members:
        raise FeedError(f"{path.name!r} holds {len(data):,} files; at most {limits.max_members} are read.")
    for info in data:
        if info.flag_bits & 1:
            raise FeedError(f"{info.filename!r} in {path.name!r} is encrypted; unpack it first.")
        _check_size(info.filename, info.file_size, info.compress_size, limits)
    return [_member(path, info, limits) for info in sorted(data, key=lambda info: info.filename)]


def _holds_data(name: str) -> bool:
    parts = Path(name).parts
    return "__MACOSX" not in parts and not parts[-1].startswith(".") and name.lower().endswith(_DATA_SUFFIXES)


def _member(path: Path, info: zipfile.ZipInfo, limits: FeedLimits) -> Part:
    read = [0]

    def open_member() -> IO[bytes]:
        try:
            member: IO[bytes] = zipfile.ZipFile(path).open(info.filename)  # noqa: SIM115 - lives as long as its reader
            head = member.read(16)
            member.seek(0)
        except _BROKEN as error:
            raise FeedError(f"{info.filename!r} in {path.name!r} cannot be unpacked: {error}.") from error
        _refuse_foreign(head, info.filename)
        member = _gunzip(member) if head.startswith(_GZIP) else member
        return _bounded(member, info.filename, info.compress_size, limits, read)

    return Part(info.filename, info.file_size, open_member, read, str(path))


def _check_size(name: str, size: int, packed: int | None, limits: FeedLimits) -> None:
    if size > limits.max_bytes:
        raise FeedError(f"{name!r} is larger than {limits.max_bytes:,} bytes; split it.")
    if packed is not None and size > _RATIO_FLOOR and size > packed * limits.max_ratio:
        raise FeedError(f"{name!r} unpacks to more than {limits.max_ratio} times its size: refused as a zip bomb.")


def _bounded(file: IO[bytes], name: str, packed: int | None, limits: FeedLimits, read: list[int]) -> IO[bytes]:
    return io.BufferedReader(_Bounded(file, name, packed, limits, read), 256 * 1024)


class _Bounded(io.RawIOBase):
    """Counts what comes out and stops at the limits; says in our words what a damaged archive is."""

    def __init__(self, file: IO[bytes], name: str, packed: int | None, limits: FeedLimits, read: list[int]) -> None:
        read[0] = 0
        self._read = read
        self._file = file
        self._name = name
        self._packed = packed
        self._limits = limits

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._file.read(len(buffer))
        except _BROKEN as error:
            raise FeedError(f"{self._name!r} cannot be read to its end: {error}.") from error
        self._read[0] += len(data)
        _check_size(self._name, self._read[0], self._packed, self._limits)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
