"""Packed files, several files, and files that are something else."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from search_client.errors import FeedError
from search_client.feeds import FeedLimits, open_feed
from tests.search_client.feeds.reading import OPTIONS, Desk, read

CSV = "id,title,price\nA,Cup,4.00\nB,Pan,9.00\n"


def test_gz_and_zip_are_read_whatever_they_are_called(desk: Desk) -> None:
    assert read(desk.gz(CSV)).ids == ["A", "B"]
    assert read(desk.gz(CSV, "feed.csv")).ids == ["A", "B"]
    assert read(desk.zip({"feed.csv": CSV}, "feed.bin")).ids == ["A", "B"]


def test_the_data_files_of_a_zip_are_one_catalog(desk: Desk) -> None:
    members = {
        "export/products_2.csv": "id,title,price\nC,Pot,1.00\nA,Again,2.00\n",
        "export/products_1.csv": CSV,
        "__MACOSX/._products_1.csv": "junk",
        "export/cup.jpg": "picture",
        ".hidden.csv": "junk",
    }
    path = desk.zip(members)
    with open_feed(path, OPTIONS) as feed:
        assert [product.id for product in feed] == ["A", "B", "C"]
        assert [found.source for found in feed.detected] == ["export/products_1.csv", "export/products_2.csv"]
        duplicate = next(finding for finding in feed.report.findings if finding.kind == "skipped")
    assert (duplicate.source, duplicate.line) == ("export/products_2.csv", 3)


def test_what_one_file_of_a_zip_leaves_open_another_settles(desk: Desk) -> None:
    german = "id;title;price\nA;Cup;4,50 €\nB;Pan;2.350,00 €\n"
    with open_feed(desk.zip({"1.csv": german, "2.csv": "id;title;price\nC;Pot;1.299\n"}), OPTIONS) as feed:
        prices = {product.id: str(product.price) for product in feed}
    assert prices == {"A": "4.50 EUR", "B": "2350.00 EUR", "C": "1299.00 EUR"}
    assert dict(feed.detected[1].evidence)["decimal"] == "proven by another file of the archive"


def test_files_of_a_zip_that_prove_themselves_or_contradict_each_other_stand_alone(desk: Desk) -> None:
    members = {"de.csv": "id;title;price\nA;Cup;4,50 €\n", "us.csv": "id,title,price\nB,Pan,$1.75\n"}
    with open_feed(desk.zip(members), OPTIONS) as feed:
        assert {product.id: str(product.price) for product in feed} == {"A": "4.50 EUR", "B": "1.75 USD"}
    with pytest.raises(FeedError, match="--decimal"):
        open_feed(desk.zip({**members, "x.csv": "id;title;price\nC;Pot;1.299\n"}), OPTIONS)


def test_several_files_are_one_catalog(desk: Desk) -> None:
    other = desk.write('[{"id": "C", "title": "Pot", "price": 3}]', "other.json")
    with open_feed([desk.write(CSV), str(other)], OPTIONS) as feed:
        assert [product.id for product in feed] == ["A", "B", "C"]


def test_a_feed_can_be_read_again(desk: Desk) -> None:
    with open_feed(desk.write(CSV), OPTIONS) as feed:
        first, second = list(feed), list(feed)
    assert first == second
    assert feed.report.imported == 2


def test_progress_is_told_up_to_the_end(desk: Desk) -> None:
    rows = "".join(f"P{n},Thing,1.50\n" for n in range(3_000))
    steps: list[tuple[int, int]] = []
    desk.read(f"id,title,price\n{rows}", progress=lambda done, total: steps.append((done, total)))
    assert steps == sorted(steps)
    assert steps[-1][0] <= steps[-1][1]
    assert len(steps) >= 12


def test_a_zip_bomb_is_refused(desk: Desk) -> None:
    path = desk.zip({"feed.csv": "id,title,price\n" + "0" * (70 << 20)})
    with pytest.raises(FeedError, match="bomb"):
        read(path)


def test_a_gz_bomb_is_refused_while_it_unpacks(desk: Desk) -> None:
    path = desk.write(gzip.compress(b"id,title,price\n" + b"A,Cup,1\n" * (9 << 20)), "feed.csv.gz")
    with pytest.raises(FeedError, match="bomb"):
        read(path)


def test_an_excel_workbook_is_named_as_such(desk: Desk) -> None:
    with pytest.raises(FeedError, match="Excel workbook"):
        read(desk.zip({"xl/workbook.xml": "<x/>", "[Content_Types].xml": "<x/>"}, "feed.xlsx"))
    with pytest.raises(FeedError, match="Excel workbook"):
        read(desk.write(b"\xd0\xcf\x11\xe0" + b"\0" * 50, "feed.xls"))


@pytest.mark.parametrize("cut", [3, 20, 60])
def test_a_damaged_archive_is_refused(desk: Desk, cut: int) -> None:
    packed = gzip.compress("".join(f"P{n},{n * 7919}\n" for n in range(3_000)).encode())
    with pytest.raises(FeedError):
        read(desk.write(packed[:-cut], "feed.gz"))
    whole = desk.zip({"feed.csv": CSV}).read_bytes()
    with pytest.raises(FeedError):
        read(desk.write(whole[:-cut], "cut.zip"))


def test_archives_without_a_feed_or_with_too_many_are_refused(desk: Desk) -> None:
    with pytest.raises(FeedError, match="holds no feed"):
        read(desk.zip({"readme.md": "x"}))
    with pytest.raises(FeedError, match="at most 2 are read"):
        read(desk.zip({f"{n}.csv": CSV for n in range(3)}), limits=FeedLimits(max_members=2))


def test_a_member_without_a_name_is_no_crash(desk: Desk) -> None:
    path = desk.folder / "nameless.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(zipfile.ZipInfo(""), "x")
    with pytest.raises(FeedError, match="holds no feed"):
        read(path)


def test_an_encrypted_member_is_named(desk: Desk) -> None:
    path = desk.zip({"feed.csv": CSV})
    data = bytearray(path.read_bytes())
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(magic) + offset] |= 1
    with pytest.raises(FeedError, match="encrypted"):
        read(desk.write(bytes(data), "locked.zip"))


def test_a_gz_within_a_zip_is_unpacked(desk: Desk) -> None:
    path = desk.folder / "nested.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("feed.csv.gz", gzip.compress(CSV.encode()))
    assert read(path).ids == ["A", "B"]


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FeedError, match="No such file"):
        open_feed(tmp_path / "none.csv")
    with pytest.raises(FeedError, match="Cannot read"):
        open_feed(tmp_path)


def test_an_unknown_format_is_refused_with_the_known_ones(desk: Desk) -> None:
    with pytest.raises(FeedError, match="woocommerce"):
        desk.read(CSV, format="shopware")
