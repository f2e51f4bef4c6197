"""No price may become ten or a hundred times another: how decimal signs, currencies and cents are decided."""

from __future__ import annotations

import pytest

from search_client.errors import FeedError
from tests.search_client.feeds.reading import Desk


def table(*prices: str) -> str:
    rows = [f'P{number};Thing {number};"{price}"' for number, price in enumerate(prices, 1)]
    return "\n".join(["id;title;price", *rows])


def test_a_decimal_comma_is_decided_for_the_whole_file(desk: Desk) -> None:
    found = desk.read(table("4,5", "2.350,00", "75", "0,49"), currency="EUR")
    assert list(found.prices.values()) == ["4.50 EUR", "2350.00 EUR", "75.00 EUR", "0.49 EUR"]
    assert found.detected.decimal == ","


def test_thousands_are_read_in_every_grouping(desk: Desk) -> None:
    found = desk.read(
        table("19.95", "2,450.00", "318,700", ".75", "4 100.00", "5'600.00", "1,25,000.00", "6\u202f200.00")
    )
    assert [price.split()[0] for price in found.prices.values()] == [
        "19.95",
        "2450.00",
        "318700.00",
        "0.75",
        "4100.00",
        "5600.00",
        "125000.00",
        "6200.00",
    ]


@pytest.mark.parametrize("prices", [["12,500", "9,750"], ["1.299", "899"], ["1.200", "3,400"]])
def test_prices_that_can_be_read_in_two_ways_are_asked_for(desk: Desk, prices: list[str]) -> None:
    with pytest.raises(FeedError, match="--decimal"):
        desk.read(table(*prices))


def test_what_is_told_settles_the_decimal_sign(desk: Desk) -> None:
    assert desk.read(table("12,500"), decimal=".").prices["P1"] == "12500.00 USD"
    assert desk.read(table("12,500"), decimal=",").prices["P1"] == "12.50 USD"


def test_contradicting_prices_are_asked_for(desk: Desk) -> None:
    with pytest.raises(FeedError, match="contradict"):
        desk.read(table("3,70", "4.50"))


def test_a_lone_price_of_the_other_style_is_refused_not_multiplied(desk: Desk) -> None:
    found = desk.read(table(*[f"{number}.95" for number in range(30)], "3,5"))
    assert "P31" not in found.prices
    assert found.reasons("skipped") == [(32, "the price does not fit the file's decimal sign '.'")]


def test_three_decimals_in_a_file_of_two_are_refused(desk: Desk) -> None:
    found = desk.read(table("24.95", "1.299", "7.50"))
    assert list(found.prices) == ["P1", "P3"]


def test_three_decimals_are_read_where_the_file_proves_them(desk: Desk) -> None:
    found = desk.read(table("0.990", "1.250"))
    assert list(found.prices.values()) == ["0.99 USD", "1.25 USD"]


def test_a_currency_without_cents_settles_its_separator(desk: Desk) -> None:
    found = desk.read(table("¥12,800", "¥1,500"))
    assert list(found.prices.values()) == ["12800 JPY", "1500 JPY"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$8.50", "8.50 USD"),
        ("€ 14.00", "14.00 EUR"),
        ("GBP 32.00", "32.00 GBP"),
        ("14.00 EUR", "14.00 EUR"),
        ("£3", "3.00 GBP"),
        ("1 299.00 kr", "1299.00 SEK"),
        ("CHF 1'299.50", "1299.50 CHF"),
        ("R$ 45.90", "45.90 BRL"),
        ("49.- €", "49.00 EUR"),
        ("from 9.99 €", "9.99 EUR"),
        ("١٢٫٥٠ AED", "12.50 AED"),
        ("US$ 12.00", "12.00 USD"),
        ("19.95*", "19.95 USD"),
    ],
)
def test_a_price_is_read_with_its_currency(desk: Desk, text: str, expected: str) -> None:
    found = desk.read(table(text, "10.00 USD", "11.00 USD", "12.00 USD"))
    assert found.prices["P1"] == expected


def test_a_dollar_sign_takes_the_dollars_that_are_told(desk: Desk) -> None:
    assert desk.read(table("$9.50"), currency="CAD").prices["P1"] == "9.50 CAD"


def test_yen_with_decimals_are_asked_for_and_a_bare_dollar_is_told(desk: Desk) -> None:
    with pytest.raises(FeedError, match="--currency CNY"):
        desk.read(table("¥12.50", "¥99.00"))
    assert desk.read(table("¥12.50"), currency="CNY").prices["P1"] == "12.50 CNY"
    assert "taken for USD" in dict(desk.read(table("$12.50")).detected.evidence)["currency"]


def test_crowns_of_an_unknown_country_are_asked_for(desk: Desk) -> None:
    with pytest.raises(FeedError, match="--currency SEK"):
        desk.read(table("199,50 kr", "1 299 kr"))
    assert desk.read(table("199,50 kr"), currency="DKK").prices["P1"] == "199.50 DKK"


def test_of_several_currencies_in_a_cell_the_catalogs_own_counts(desk: Desk) -> None:
    found = desk.read(table("77.20 EUR, 84 USD", "12.00 USD", "13.50 USD"))
    assert found.prices["P1"] == "84.00 USD"


def test_a_price_that_contradicts_its_currency_column_is_reported(desk: Desk) -> None:
    found = desk.read("id,title,price,currency\nA,Fan,40.00 EUR,USD\nB,Hat,EUR,USD\nC,Cap,9.00,USD\n")
    assert found.ids == ["C"]
    assert [line for line, _ in found.reasons("skipped")] == [2, 3]


def test_no_price_and_zero_are_kept_but_not_offered_as_free(desk: Desk) -> None:
    found = desk.read(table("0.00", "", "on request", "n/a", "5.00"))
    assert list(found.prices.values()) == ["None", "None", "None", "None", "5.00 USD"]
    assert found.report.skipped == 0


def test_a_price_that_is_text_skips_its_record(desk: Desk) -> None:
    found = desk.read(table("warm", "-4.00", "1e5", "5.00"))
    assert found.prices == {"P2": "None", "P4": "5.00 USD"}
    assert [line for line, _ in found.reasons("skipped")] == [2, 4]
    assert found.reasons("repaired") == [(3, "a price below zero is no price")]


def test_decimals_beyond_the_cents_are_rounded_and_told(desk: Desk) -> None:
    found = desk.read(table("34.0000", "12.3456"))
    assert list(found.prices.values()) == ["34.00 USD", "12.35 USD"]
    assert found.reasons("repaired") == [(3, "price rounded to 12.35 USD")]


@pytest.mark.parametrize("cell", ["25\n50\n100\nCustom", "25.00 - 50.00", "€25–€50", "25 | 50"])
def test_of_several_prices_in_a_cell_the_lowest_is_shown_and_told(desk: Desk, cell: str) -> None:
    found = desk.read(table(cell, "9.50"), currency="EUR")
    assert found.prices["P1"] == "25.00 EUR"
    assert found.reasons("repaired") == [(2, "of several prices in one cell the lowest is shown")]


def test_numbers_of_json_are_exact(desk: Desk) -> None:
    found = desk.read('[{"id": 1, "title": "A", "price": 19.989999999999998}, {"id": 2, "title": "B", "price": 1299}]')
    assert list(found.prices.values()) == ["19.99 USD", "1299.00 USD"]


def test_cents_are_recognised_only_where_nothing_else_is_likely(desk: Desk) -> None:
    rows = ",".join(f'{{"id": "{n}", "title": "T{n}", "price": {n}95}}' for n in range(1, 90))
    cents = desk.read(f'[{rows}, {{"id": "x", "title": "Rack", "price": 2154795}}]')
    assert cents.prices["x"] == "21547.95 USD"
    assert cents.detected.price_unit == "minor"
    assert "cents" in dict(cents.detected.evidence)["price_unit"]
    assert desk.read(f"[{rows}]").prices["7"] == "795.00 USD"


def test_whole_prices_that_end_in_99_and_reach_millions_are_asked_for(desk: Desk) -> None:
    rows = ",".join(f'{{"id": "{n}", "title": "T{n}", "price": {n}99}}' for n in range(1, 90))
    text = f'[{rows}, {{"id": "x", "title": "Rack", "price": 1599999}}]'
    with pytest.raises(FeedError, match="--price-unit"):
        desk.read(text)
    assert desk.read(text, price_unit="major").prices["x"] == "1599999.00 USD"
    assert desk.read(text, price_unit="minor").prices["x"] == "15999.99 USD"


@pytest.mark.parametrize("column", ["Price (EUR)", "price_eur", "Preis in €", "Prix [EUR]", "Price EUR"])
def test_a_currency_in_the_name_of_the_column_counts(desk: Desk, column: str) -> None:
    assert desk.read(f"id,title,{column}\nA,Cup,4.50\n").prices["A"] == "4.50 EUR"


@pytest.mark.parametrize("column", ["Price (cost)", "Price (wholesale)", "Price (excl. VAT)", "Price (B2B)"])
def test_a_price_that_is_not_the_shoppers_is_not_taken_for_it(desk: Desk, column: str) -> None:
    assert desk.read(f"id,title,{column}\nA,Cup,4.50\n").prices["A"] == "None"


def test_a_list_price_that_is_text_is_left_out_and_told(desk: Desk) -> None:
    found = desk.read("id,title,price,old_price\nA,Cup,4.50,No old price\n")
    assert (found.prices["A"], found["A"].list_price) == ("4.50 USD", None)
    assert found.report.repaired == 1


def test_a_sale_holds_between_its_dates(desk: Desk) -> None:
    found = desk.read(
        "id,title,link,image_link,price,sale_price,sale_price_effective_date\n"
        "now,A,,,20.00,15.00,2026-11-01T00:00+0100/2026-12-24T23:59+0100\n"
        "gone,B,,,20.00,15.00,2026-01-01/2026-02-01\n"
        "soon,C,,,20.00,15.00,2027-01-01/2027-02-01\n"
        "odd,D,,,20.00,15.00,next week\n"
        "higher,E,,,20.00,25.00,\n"
        "only,F,,,,15.00,\n"
    )
    assert found.detected.format == "google"
    assert {p.id: (str(p.price), str(p.list_price)) for p in found.products} == {
        "now": ("15.00 USD", "20.00 USD"),
        "gone": ("20.00 USD", "None"),
        "soon": ("20.00 USD", "None"),
        "odd": ("20.00 USD", "None"),
        "higher": ("20.00 USD", "None"),
        "only": ("15.00 USD", "None"),
    }
    assert found.reasons("repaired") == [(5, "unreadable sale dates: the full price holds")]


@pytest.mark.parametrize(
    ("begin", "end", "price"),
    [
        ("1/23/26, 7:45 PM", "12/31/26", "15.00 USD"),
        ("1.2.2026", "24.12.2026", "15.00 USD"),
        ("3/4/26", "", "15.00 USD"),
        ("", "3/4/26", "20.00 USD"),
        ("11/12/2026", "", "20.00 USD"),
        ("31/12/2026", "", "20.00 USD"),
        ("45/45/2026", "", "20.00 USD"),
    ],
)
def test_sale_dates_of_any_country_hold_where_every_reading_agrees(
    desk: Desk, begin: str, end: str, price: str
) -> None:
    head = "sku,attribute_set_code,name,price,special_price,special_price_from_date,special_price_to_date\n"
    found = desk.read(f'{head}A,Default,Cup,20.00,15.00,"{begin}","{end}"\n')
    assert found.prices["A"] == price
    unsure = begin in ("11/12/2026", "45/45/2026")
    assert found.report.repaired == unsure


def test_the_currency_that_is_told_settles_how_many_decimals_a_price_has(desk: Desk) -> None:
    assert desk.read(table("1.250"), currency="KWD").prices["P1"] == "1.250 KWD"
    assert desk.read(table("12,800"), currency="JPY").prices["P1"] == "12800 JPY"
