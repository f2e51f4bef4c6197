"""Delimited text as it comes out of shops and spreadsheets."""

from __future__ import annotations

import pytest

from search_client.errors import FeedError
from search_client.feeds import FeedLimits
from search_client.feeds.wordlist import listed
from tests.search_client.feeds.reading import Desk

HEAD = "id,title,price,currency,category,description\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_byte_order_mark_or_wide_characters_do_not_hide_the_first_column(desk: Desk, encoding: str) -> None:
    found = desk.read("id,title,price\nK1,Kettle für Tee,24.50\n", saved_as=encoding)
    assert (found.ids, found.products[0].title) == (["K1"], "Kettle für Tee")


def test_header_names_are_read_whatever_their_case_and_blanks(desk: Desk) -> None:
    found = desk.read(' ID ,"title\u00a0", PRICE,Category,Colour Temp\nK1,Kettle,24.50,Kitchen,warm\n')
    assert (found["K1"].title, found["K1"].category) == ("Kettle", ("Kitchen",))
    assert found["K1"].attributes == (("Colour Temp", "warm"),)
    assert found.detected.unknown_columns == ("Colour Temp",)


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\nid;title;price\nK1;Kettle, small;24,50\n",
        "id;title;price\nK1;Kettle, small;24,50\n",
        "id\ttitle\tprice\nK1\tKettle, small\t24,50\n",
        "id|title|price\nK1|Kettle, small|24,50\n",
        'id,title,price\nK1,"Kettle, small","24,50"\n',
        "\n\nid;title;price\r\nK1;Kettle, small;24,50\r\n",
        "Our products;;\n\nid;title;price\nK1;Kettle, small;24,50\n",
    ],
)
def test_every_delimiter_is_found(desk: Desk, text: str) -> None:
    found = desk.read(text)
    assert (found.products[0].title, found.prices["K1"]) == ("Kettle, small", "24.50 USD")


def test_an_unknown_delimiter_is_named_as_the_cause_and_can_be_told(desk: Desk) -> None:
    text = "id~title~price\nK1~Kettle~24.50\n"
    with pytest.raises(FeedError, match="delimiter"):
        desk.read(text)
    assert desk.read(text, delimiter="~").ids == ["K1"]


def test_line_breaks_within_quotes_do_not_break_a_record(desk: Desk) -> None:
    found = desk.read(
        HEAD + 'K1,Kettle,24.50,USD,K,"<p>Fast.</p>\n<ul>\n<li>1 l</li>\n</ul>"\nK2,Cup,3.00,USD,K,"a\r\nb"\n'
    )
    assert found.ids == ["K1", "K2"]
    assert found["K1"].description == "Fast.\n\n- 1 l"
    assert found["K2"].description == "a\nb"


def test_a_quote_that_is_never_closed_costs_its_own_line_only(desk: Desk) -> None:
    found = desk.read('id,title,price\nK1,"Screen 24,99.00\nK2,Cup,3.00\nK3,"Pan ""28""",9.00\n')
    assert found.ids == ["K2", "K3"]
    assert found["K3"].title == 'Pan "28"'
    assert found.reasons("skipped") == [(2, "a quote is not closed")]


def test_a_quote_open_at_the_last_column_does_not_swallow_the_rest(desk: Desk) -> None:
    found = desk.read('id,title,description\nK1,Cup,"nice\nK2,Pan,"heavy"\nK3,Pot,round\n')
    assert found.ids == ["K2", "K3"]


def test_odd_quotes_leave_the_next_row_intact(desk: Desk) -> None:
    found = desk.read(HEAD + 'K1,"Screen 24"" \\"",149.00,USD,D,"says \\\\""go\\\\"", x,y"\nK2,Cup,3.00,USD,K,plain\n')
    assert found["K2"].description == "plain"
    assert all(product.price for product in found.products)


def test_quotes_kept_by_a_backslash_are_read_where_the_file_proves_them(desk: Desk) -> None:
    found = desk.read('id,title,price\nK1,"Screen 24\\" wide, flat",99.00\nK2,"Cup, red",3.00\n')
    assert (found["K1"].title, found["K2"].title) == ('Screen 24" wide, flat', "Cup, red")


def test_rows_that_repeat_an_id_with_another_choice_are_its_variants(desk: Desk) -> None:
    found = desk.read(
        "product_id,sku,title,size,price,stock\nB,B41,Boot,41,90.00,2\nC,C1,Cup,,4.00,1\nB,B42,Boot,42,95.00,0\nC,C1,Cup,,4.00,1\n"
    )
    assert [(v.sku, v.options, str(v.price)) for v in found["B"].variants] == [
        ("B41", (("Size", "41"),), "90.00 USD"),
        ("B42", (("Size", "42"),), "95.00 USD"),
    ]
    assert found["C"].variants == ()
    assert found.reasons("skipped") == [(5, "duplicate id, the first one is kept")]


def test_shifted_rows_are_reported_with_line_and_counts(desk: Desk) -> None:
    found = desk.read("id,title,description,price\nK1,Cup,red, round, small,4.00\nK2,Pan,plain,9.00\nK3,Pot,24 cm\n")
    assert found.ids == ["K2"]
    assert [line for line, _ in found.reasons("skipped")] == [2, 4]
    assert "6 fields, header 4" in found.report.findings[1].value


def test_trailing_empty_cells_and_missing_optional_ones_are_no_fault(desk: Desk) -> None:
    found = desk.read("id,title,price,description,tags\nK1,Cup,4.00\nK2,Pan,9.00,x,y,,,\n,,,,\n\n")
    assert found.ids == ["K1", "K2"]
    assert (found.report.read, found.report.skipped) == (2, 0)


def test_an_address_with_an_unquoted_comma_stays_whole(desk: Desk) -> None:
    found = desk.read("id,title,price,image\nK1,Cup,4.00,https://i.example/a.jpg?crop=1,2&w=3\nK2,Pan,9.00,\n")
    assert found["K1"].images == ("https://i.example/a.jpg?crop=1,2&w=3",)
    assert found.report.repaired == 1


def test_ids_that_look_like_numbers_stay_text(desk: Desk) -> None:
    found = desk.read('sku,title,price\n17.50,A,1\n17.5,B,1\n2e4,C,1\n00070,D,1\n"007",E,1\nE0012,F,1\n1E400,G,1\n')
    assert found.ids == ["17.50", "17.5", "2e4", "00070", "007", "E0012", "1E400"]


def test_an_id_damaged_by_a_spreadsheet_is_kept_with_a_warning(desk: Desk) -> None:
    found = desk.read("id,title,price,barcode\n4.00638E+12,Box,6,4.00638E+12\nB,Bag,2,'4006381333931\n")
    assert (4, "x") not in found.reasons("warning")
    assert (2, "the id looks damaged by a spreadsheet") in found.reasons("warning")
    assert (found["4.00638E+12"].gtin, found["B"].gtin) == (None, "4006381333931")


def test_words_that_look_like_missing_values_stay_text(desk: Desk) -> None:
    found = desk.read(HEAD + "NA,None Lamp,9,USD,NA,nan\nB,Null Mug,9,USD,null,N/A\n")
    assert found["NA"].category == ("NA",)
    assert found["B"].category == ("null",)


def test_a_cell_longer_than_the_csv_module_allows_is_read(desk: Desk) -> None:
    images = ",".join(f"https://img.example/{number}.jpg" for number in range(9_000))
    found = desk.read(f'id,title,price,images\nK1,Cup,4.00,"{images}"\nK2,Pan,9.00,\n')
    assert found.ids == ["K1", "K2"]
    assert found["K1"].images[:2] == ("https://img.example/0.jpg", "https://img.example/1.jpg")
    assert len(found["K1"].images) == 20


def test_ids_that_differ_by_case_are_two_and_a_true_duplicate_is_reported(desk: Desk) -> None:
    found = desk.read("id,title,price\nAB-1,One,1\nab-1,Two,2\nAB-1,Three,3\n")
    assert [product.title for product in found.products] == ["One", "Two"]
    assert found.reasons("skipped") == [(4, "duplicate id, the first one is kept")]


def test_one_bad_row_does_not_stop_the_others(desk: Desk) -> None:
    good = "".join(f"P{number},Thing {number},{number}.50\n" for number in range(300))
    found = desk.read(f"id,title,price\n{good}X,Bad,not-a-price\nY,Short\n{good.replace('P', 'Q')}")
    assert found.report.imported == 600
    assert [line for line, _ in found.reasons("skipped")] == [302, 303]


def test_every_skipped_record_is_counted_with_its_reason(desk: Desk) -> None:
    found = desk.read("id,title,price\nA,One,1\n,Two,2\n,Three,3\nB,,4\n")
    assert (found.report.imported, found.report.skipped) == (1, 3)
    assert found.report.as_dict()["reasons"]["skipped"] == {"no id": 2, "no title": 1}  # type: ignore[index]


def test_strict_fails_on_the_first_skipped_record(desk: Desk) -> None:
    with pytest.raises(FeedError, match=r"3: skipped: no title 'B'"):
        desk.read("id,title,price\nA,One,1\nB,,2\n", strict=True)


def test_formula_cells_are_text(desk: Desk) -> None:
    found = desk.read('id,title,price,description\n=1+1,"=HYPERLINK(""http://x"")",5,@SUM(A1)\n')
    assert found.ids == ["=1+1"]
    assert found.products[0].title == '=HYPERLINK("http://x")'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("   \n\n", "is empty"),
        ("id,title,price\n", "holds no products"),
        ("id,title,price\n,,\n", "holds no products"),
        ("id,title,price\nA,,\n", "None of 1 records"),
        ("alpha,beta\n1,2\n", "No column"),
        ("just one line of words", "delimiter"),
        ("%PDF-1.7 ...", "a PDF"),
        ("<html><body>Please log in</body></html>", "web page"),
    ],
)
def test_a_file_that_is_no_feed_is_refused_in_one_sentence(desk: Desk, content: str, message: str) -> None:
    with pytest.raises(FeedError, match=message):
        desk.read(content)


def test_limits_are_errors_that_name_them(desk: Desk) -> None:
    rows = "".join(f"P{number},T,1\n" for number in range(50))
    with pytest.raises(FeedError, match="more than 20 records"):
        desk.read(f"id,title,price\n{rows}", limits=FeedLimits(max_records=20))
    with pytest.raises(FeedError, match="3 columns; at most 2"):
        desk.read("id,title,price\nA,B,1\n", limits=FeedLimits(max_columns=2))
    with pytest.raises(FeedError, match="longer than 2,000 characters"):
        desk.read(f"id,title,price\nA,{'x' * 5000},1\n", limits=FeedLimits(max_record_chars=2000))
    with pytest.raises(FeedError, match="larger than 100 bytes"):
        desk.read(f"id,title,price\n{rows}", limits=FeedLimits(max_bytes=100))


def test_a_mapping_comes_before_the_guess_and_is_checked(desk: Desk) -> None:
    text = "nr;Bezeichnung;title;Kosten\n7;Tasse;intern;3,50\n"
    found = desk.read(text, mapping=(("id", "nr"), ("title", "Bezeichnung"), ("price", "Kosten")))
    assert (found.ids, found.products[0].title, found.prices["7"]) == (["7"], "Tasse", "3.50 USD")
    with pytest.raises(FeedError, match="no column 'Name'"):
        desk.read(text, mapping=(("title", "Name"),))
    with pytest.raises(FeedError, match="no field 'titel'"):
        desk.read(text, mapping=(("titel", "Bezeichnung"),))


def test_without_ids_they_are_made_from_titles_the_same_every_time(desk: Desk) -> None:
    text = "name,price\nRed Cup,4.00\n陶瓷杯,5.00\n"
    first, second = desk.read(text), desk.read(text)
    assert first.ids == second.ids
    assert first.ids[0].startswith("red-cup-")


@pytest.mark.parametrize(
    "column",
    listed(
        "cost|Cost per item|supplier|Supplier SKU|margin %|wholesale_price|purchasePrice|Einkaufspreis|"
        "EK-Preis|Lieferant|prix d'achat|Fournisseur|Precio de coste|Proveedor|internal_notes|Internal code|"
        "notes|costPrice|Dealer price|Marge|vendor code|costo|prezzo di acquisto|Inkoopprijs|customer_email|"
        "tier price|notes_internal|Bemerkung intern|Bin Picking Number|location|reorder level|maliyet|Alış Fiyatı|"
        "Tedarikçi|nákupní cena|Dodavatel|Cena zakupu|Marża|Inköpspris|Leverantör|Leverandør|Toimittaja|"
        "Beszerzési ár|Furnizor|Постачальник|Собівартість|成本价|供应商|仕入先|原価|공급업체|원가|سعر التكلفة|المورد"
    ),
)
def test_what_no_shopper_may_see_never_enters_a_product(desk: Desk, column: str) -> None:
    found = desk.read(f"id,title,price,{column}\nA,Cup,4.00,77.77\n")
    assert "77.77" not in str(found.products)
    assert found.detected.private_columns == (column,)


@pytest.mark.parametrize(
    "column", ["Internal memory", "Costume type", "Print margin top", "Batteries included", "HDMI version"]
)
def test_harmless_columns_that_sound_alike_are_kept(desk: Desk, column: str) -> None:
    assert desk.read(f"id,title,price,{column}\nA,Cup,4.00,x7\n")["A"].attributes == ((column, "x7"),)


def test_remarks_in_header_names_do_not_hide_what_the_columns_are(desk: Desk) -> None:
    found = desk.read(
        "Product ID;Active (0/1);Name *;Categories (x,y,z...);Price tax included;Image URLs (x,y,z...)\n"
        "1;1;Mug;Home;11,90;http://s.example/1.jpg,http://s.example/2.jpg\n2;0;Old;Home;9,90;\n"
    )
    assert (found.ids, found.report.hidden) == (["1"], 1)
    assert (found["1"].category, len(found["1"].images)) == (("Home",), 2)


def test_codes_alone_do_not_make_the_other_records_unusable(desk: Desk) -> None:
    found = desk.read("title,price,sku\nRing,20.00,R1\nBand,25.00,\n")
    assert found.ids[0] == "R1" and found.ids[1].startswith("band-")


def test_a_supplier_is_read_only_where_the_title_says_it_already(desk: Desk) -> None:
    proven = desk.read(
        "id,title,supplier,price\n1,Acme Cup,Acme,4\n2,Bolt Pan,Bolt,5\n5,Acme Mug,Acme,5\n"
        "3,Boltless Pot,Bolt,5\n4,Red Lid,Hidden Ltd,3\n"
    )
    assert [product.brand for product in proven.products] == ["Acme", "Bolt", "Acme", None, None]
    assert "Hidden" not in str(proven.products)
    hidden = desk.read("id,title,supplier,price\n1,Red Cup,Import Ltd,4\n2,Blue Pan,Import Ltd,5\n")
    assert "Import" not in str(hidden.products)


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("Artikelnummer;Bezeichnung;Preis;Hersteller;Bestand", "A7;Stuhl;49,90;Holz AG;3"),
        ("Référence;Désignation;Prix TTC;Marque;Stock", "A7;Stuhl;49,90;Holz AG;3"),
        ("Código;Nombre;Precio;Marca;Existencias", "A7;Stuhl;49,90;Holz AG;3"),
        ("Codice;Nome prodotto;Prezzo;Produttore;Giacenza", "A7;Stuhl;49,90;Holz AG;3"),
        ("Artikelnr;Productnaam;Prijs;Merk;Voorraad", "A7;Stuhl;49,90;Holz AG;3"),
        ("Артикул;Название;Цена;Бренд;Остаток", "A7;Stuhl;49,90;Holz AG;3"),
        ("商品编号;商品名称;价格;品牌;库存", "A7;Stuhl;49,90;Holz AG;3"),
        ("Артикул товара;Название товара;Цена товара;Бренд;Остаток", "A7;Stuhl;49,90;Holz AG;3"),
        ("Ürün Kodu;Ürün Adı;Satış Fiyatı;Marka;Stok Adedi", "A7;Stuhl;49,90;Holz AG;3"),
        ("product_id;product_name;product_price;product_brand;product_quantity", "A7;Stuhl;49,90;Holz AG;3"),
        ("Číslo produktu;Název;Cena s DPH;Značka;Počet kusů", "A7;Stuhl;49,90;Holz AG;3"),
    ],
)
def test_columns_are_guessed_in_many_languages(desk: Desk, header: str, row: str) -> None:
    product = desk.read(f"{header}\n{row}\n", currency="EUR").products[0]
    assert (product.id, product.title, str(product.price)) == ("A7", "Stuhl", "49.90 EUR")
    assert (product.brand, product.quantity) == ("Holz AG", 3)


def test_rows_that_name_another_row_as_their_parent_are_its_variants(desk: Desk) -> None:
    head = "sku,parent_sku,name,price,stock,color\n"
    rows = ["CUP,,Cup,4.00,1,", "TEE-R,TEE,Tee Red,9.00,2,Red", "TEE,,Tee,,,", "TEE-B,TEE,Tee Blue,11.00,0,Blue"]
    found = desk.read(head + "\n".join(rows))
    assert sorted(found.ids) == ["CUP", "TEE"]
    tee = found["TEE"]
    assert (tee.title, str(tee.price), tee.quantity) == ("Tee", "9.00 USD", 2)
    assert [(v.sku, v.options, v.availability.value) for v in tee.variants] == [
        ("TEE-R", (("Color", "Red"),), "in_stock"),
        ("TEE-B", (("Color", "Blue"),), "out_of_stock"),
    ]


def test_rows_without_id_and_name_are_variants_of_the_row_above(desk: Desk) -> None:
    found = desk.read(
        "Product ID [Non Editable],Title,SKU,Option Name 1,Option Value 1,Price,Stock\n"
        "P1,Tee,T-S,Size,S,20.00,4\n,,T-M,,M,22.00,Unlimited\nP2,Cup,C,,,8.00,0\n"
    )
    assert [(v.sku, v.options, str(v.price), v.availability.value) for v in found["P1"].variants] == [
        ("T-S", (("Size", "S"),), "20.00 USD", "in_stock"),
        ("T-M", (("Size", "M"),), "22.00 USD", "in_stock"),
    ]
    assert found["P2"].variants == ()


@pytest.mark.parametrize("nobody", ["0", "", "null", "-1"])
def test_a_parent_that_is_none_brings_nothing_together(desk: Desk, nobody: str) -> None:
    found = desk.read(f"id,title,price,parent_id\nA,Cup,4,{nobody}\nB,Pan,5,{nobody}\n")
    assert found.ids == ["A", "B"]


def test_a_file_that_knows_list_prices_alone_asks_them(desk: Desk) -> None:
    found = desk.read("id,name,list_price,standard_price\nA,Desk,1299.00,700.55\n")
    assert (found.prices["A"], found["A"].list_price) == ("1299.00 USD", None)
    assert "700.55" not in str(found.products)
    both = desk.read("id,name,regular_price,sale_price,price\nA,Desk,9.00,7.00,7.00\nB,Pan,9.00,,9.00\n")
    assert {p.id: (str(p.price), str(p.list_price)) for p in both.products} == {
        "A": ("7.00 USD", "9.00 USD"),
        "B": ("9.00 USD", "None"),
    }
