from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_client.analysis import chunks


def found_by(text: str) -> set[str]:
    return {term for chunk in chunks(text) for term in chunk.all_terms}


def meets(query: str, text: str) -> bool:
    carried = found_by(text)
    return all(any(set(reading) <= carried for reading in chunk.readings) for chunk in chunks(query))


@pytest.mark.parametrize(
    "query", ["24 inch screen", "24in screen", '24" screen', "24-inch screen", "24″ screen", "24''"]
)
def test_every_spelling_of_a_size_finds_it(query: str) -> None:
    assert meets(query, 'Nora 24" Screen')
    assert not meets(query, 'Nora 27" Screen')


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("6ft cord", "Cord, 6 ft"),
        ("6' cord", "Cord, 6 ft"),
        ("six feet cord", "Cord, 6 ft"),
        ("2m", "Cable 2 m"),
        ("200 cm", "Cable 2 m"),
        ("1tb", "Disk 1000 GB"),
        ("16GB", "Stick 16 gb"),
        ("500 ml", "Flask 0.5 l"),
        ("7.5mm drill", "Drill 7,5 mm"),
        ("1,500 mAh", "Cell 1500mAh"),
        ("1/4 inch", '0.25" plug'),
        ("16 fl oz", "Bottle 16fl. oz"),
        ("m6 x 30", "Screw M6x30"),
    ],
)
def test_measures_are_equal_in_every_notation(query: str, text: str) -> None:
    assert meets(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("6 ft", "Cord, 16 ft"),
        ("7.5mm", "Drill 7 mm"),
        ("7.5mm", "Drill 75 mm"),
        ("m6x30", "Screw M6x35"),
        ("A52", "Nova A52s"),
        ("A52s", "Nova A52"),
        ("05177", "Filter 5177"),
        ("ham", "Shampoo"),
    ],
)
def test_near_misses_are_no_match(query: str, text: str) -> None:
    assert not meets(query, text)


@pytest.mark.parametrize("query", ["KX.0420-17", "kx 0420 17", "KX042017", "0420-17", "kx0420-17"])
def test_a_part_number_is_found_in_full_joined_and_by_its_parts(query: str) -> None:
    assert meets(query, "KX.0420-17")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("tshirt", "Cotton T-Shirt"),
        ("t-shirt", "Cotton tshirt"),
        ("t shirt", "Cotton T-Shirt"),
        ("mens", "Men's socks"),
        ("loreal", "L'Oréal"),
        ("pepper mill", "Salt&Pepper mill"),
        ("hdmi hub", "USB-C+HDMI hub"),
        ("p40 pro", "华为手机壳P40Pro"),
        ("p40pro", "Cover P40 Pro"),
        ("usb 2m", "USBケーブル2m"),
        ("保温", "大号保温杯"),
        ("イヤホン", "ワイヤレスイヤホン"),
        ("杯", "大号保温杯"),
        ("fish", "🐟Fish tank"),
        ("🎁", "Gift🎁box"),
        ("muesli", "Müsli"),
        ("müsli", "Muesli"),
        ("c++", "C++ primer"),
        ("wh1000xm4", "WH-1000XM4"),
    ],
)
def test_split_joined_and_glued_words_are_found(query: str, text: str) -> None:
    assert meets(query, text)


def test_two_in_one_is_no_measure_in_inches() -> None:
    assert [chunk.text for chunk in chunks("2 in 1 laptop")] == ["2", "in", "1", "laptop"]


@given(st.text(max_size=80))
def test_any_text_is_cut_without_error_and_finds_itself(text: str) -> None:
    assert meets(text, text)
    assert all(term and not term.isspace() for term in found_by(text))
