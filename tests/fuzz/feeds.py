"""Mutated feeds into a real store: no crash, no hang, no half import. `python -m tests.fuzz.feeds --count 20000`."""

from __future__ import annotations

import argparse
import gzip
import io
import random
import signal
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType

from search_client.bounds import check_product
from search_client.codec import dump_product, load_product
from search_client.errors import FeedError
from search_client.feeds import open_feed
from search_client.models import Product
from search_client.store.catalog_store import CatalogStore
from search_client.store.sql_store import open_store
from tests.fuzz.seeds import SEEDS

HANG_S = 5
KEPT = Product("kept", "What was in the catalog before")
_TOKENS = (
    b'"', b"'", b",", b";", b"\t", b"|", b"\n", b"\r\n", b"\r", b"\0", b"\\", b"&", b"<", b">", b"]]>",
    b"<![CDATA[", b"<!--", b"<!DOCTYPE r [<!ENTITY a 'b'>]>", b"&a;", b"{", b"}", b"[", b"]", b":", b"\xff\xfe",
    b"\xef\xbb\xbf", b"\x80", b"\xed\xa0\x80", b"\\ud800", b"1e999", b"-1", b"NaN", b"0",
    b"99999999999999999999", b"1.299,00", b"1,299.00", b"12,500", b"$", "€".encode(), b"null", b"true", b'"\n"',
    b"=cmd()", b"g:", b"x:", b"</item>", b"<item>", b"id", b"title", b"price", b"\xe2\x80\xae", b"<script>",
    b"&amp;amp;", b" " * 50, b"A" * 3000, b"[" * 300, b"<a>" * 80, b"\n" * 40, "٣".encode(),
    "ÿ".encode("utf-16-le"),
)  # fmt: skip


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The feed with one to eight faults."""
    for _ in range(chance.randint(1, 8)):
        data = chance.choice(_FAULTS)(data, chance)
    return _packed(data, chance)


def _flip(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]


def _insert(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(_TOKENS) + data[at:]


def _delete(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + data[at + chance.randint(1, 60) :]


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)] if chance.random() < 0.3 else data


def _repeat(data: bytes, chance: random.Random) -> bytes:
    at, length = chance.randrange(len(data) + 1), chance.randint(1, 300)
    return data[:at] + data[at : at + length] * chance.randint(2, 9) + data[at:]


def _splice(data: bytes, chance: random.Random) -> bytes:
    other = chance.choice(SEEDS)
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1) :]


def _swap_lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines) if chance.random() < 0.3 else data


def _recode(data: bytes, chance: random.Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(chance.choice(["utf-16", "cp1252", "utf-8-sig", "utf-16-le", "cp1251"]), "replace")


_FAULTS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _flip, _flip, _insert, _insert, _insert, _delete, _cut, _repeat, _splice, _swap_lines, _recode,
)  # fmt: skip


def _packed(data: bytes, chance: random.Random) -> bytes:
    kind = chance.random()
    if kind > 0.06:
        return data
    if kind > 0.03:
        data = gzip.compress(data, 1)
    else:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("feed.csv", data)
        data = file.getvalue()
    return _flip(data, chance) if chance.random() < 0.5 else data


class HangError(Exception):
    """A feed took longer than allowed."""


@contextmanager
def _watched(seconds: int) -> Iterator[None]:
    def late(number: int, frame: FrameType | None) -> None:
        raise HangError(f"longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def run_one(data: bytes, path: Path, store: CatalogStore) -> str:
    """`imported` or `refused`. Raises `AssertionError` for a half import, `HangError`, or whatever crashed."""
    path.write_bytes(data)
    before = store.revision()
    try:
        with _watched(HANG_S), open_feed(path) as feed:
            written = store.write(feed)
            report = feed.report
    except FeedError as error:
        assert store.revision() == before, "a refused feed changed the catalog"
        assert len(str(error)) < 2_000, "an error of more than 2,000 characters"
        return "refused"
    count = written.added + written.updated + written.unchanged
    assert report.imported == count > 0, f"{report.imported} told, {count} written"
    for change in store.changes_since(before):
        if change.product is not None:
            _check(change.product)
    store.write([], delete=[c.product_id for c in store.changes_since(0) if c.product and c.product_id != KEPT.id])
    return "imported"


def _check(product: Product) -> None:
    check_product(product)
    assert load_product(dump_product(product)) == product
    prices = [product.price, *(variant.price for variant in product.variants)]
    assert all(price is None or price.amount_minor > 0 for price in prices), "a product for nothing"


def run(count: int, seed: int, *, say: Callable[[str], None]) -> int:
    """Number of faults found among `count` feeds; each is told with the seed that makes it again."""
    faults = 0
    outcomes: Counter[str] = Counter()
    slowest = 0.0
    with tempfile.TemporaryDirectory() as name, closing(open_store(f"sqlite:///{name}/catalog.sqlite")) as store:
        store.write([KEPT])
        for number in range(count):
            chance = random.Random(f"{seed}/{number}")
            data = mutated(chance.choice(SEEDS), chance)
            begun = time.monotonic()
            try:
                outcomes[run_one(data, Path(name) / "feed", store)] += 1
            except Exception as error:  # whatever it is, it is what is looked for
                faults += 1
                say(f"--seed {seed}, feed {number}: {type(error).__name__}: {str(error)[:300]}")
            slowest = max(slowest, time.monotonic() - begun)
        assert store.get_many([KEPT.id]) == {KEPT.id: KEPT}
    say(f"{count:,} feeds, seed {seed}: {dict(outcomes)}, {faults} faults, slowest {slowest:.2f} s")
    return faults


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.feeds", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    return min(run(options.count, options.seed, say=_say), 1)


if __name__ == "__main__":
    sys.exit(main())
