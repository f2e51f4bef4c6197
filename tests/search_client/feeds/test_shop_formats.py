"""WooCommerce, Magento, Vendure and protocol feeds: structure, what is hidden, what is for sale."""

from __future__ import annotations

import json

import pytest

from search_client.models import Availability
from tests.search_client.feeds.reading import Desk

WOO = (
    "ID,Type,SKU,Name,Published,Visibility in catalog,Short description,Description,Date sale price starts,"
    "Date sale price ends,In stock?,Stock,Backorders allowed?,Weight (kg),Sale price,Regular price,Categories,Tags,"
    "Images,Parent,External URL,Attribute 1 name,Attribute 1 value(s),Attribute 1 visible,Meta: _cost\n"
)


def test_variations_find_their_parent_before_or_after_them(desk: Desk) -> None:
    found = desk.read(
        WOO
        + "12,variation,T-R,Tee - Red,1,visible,,,,,1,3,0,,9,12,,,https://i.example/r.jpg,tee,,Color,Red,,\n"
        + '10,variable,TEE,Tee,1,visible,Soft,,,,1,,0,.2,,,"Clothing > Tees, Sale",,'
        + 'https://i.example/t.jpg,,,Color,"Blue, Red",1,5.55\n'
        + "13,variation,T-B,Tee - Blue,1,visible,,,,,0,0,0,,,14,,,,id:10,,Color,Blue,,\n"
        + "11,simple,CUP,Cup,1,visible,,,,,1,,0,,,4.00,Kitchen,,,,,,,,\n"
    )
    assert found.ids == ["11", "10"]
    tee = found["10"]
    assert [(v.id, str(v.price), str(v.list_price), v.availability) for v in tee.variants] == [
        ("12", "9.00 USD", "12.00 USD", Availability.IN_STOCK),
        ("13", "14.00 USD", "None", Availability.OUT_OF_STOCK),
    ]
    assert (tee.sku, tee.category, tee.tags) == ("TEE", ("Clothing", "Tees"), ("Sale",))
    assert tee.options == (("Color", ("Blue", "Red")),)
    assert tee.attributes == (("Weight (kg)", "0.2"),)
    assert "5.55" not in str(tee)


def test_drafts_private_and_hidden_goods_are_left_out_with_their_variations(desk: Desk) -> None:
    rows = [
        "1,simple,A,Draft,-1,visible" + "," * 19,
        "2,simple,B,Private,0,visible" + "," * 19,
        "3,simple,C,Hidden,1,hidden" + "," * 19,
        "4,variable,D,Gone,0,visible" + "," * 19,
        "5,variation,D1,Gone - Red,1,visible,,,,,1,,,,,5,,,,D,,Color,Red,,",
        "6,simple,E,Cup,1,catalog,,,,,1,,,,,4,,,,,,,,,",
    ]
    found = desk.read(WOO + "\n".join(rows))
    assert found.ids == ["6"]
    assert (found.report.hidden, found.report.skipped) == (4, 4)


def test_numbers_that_a_spreadsheet_could_take_for_a_formula_are_read(desk: Desk) -> None:
    header = "\n\tID,Тип,Артикул,Имя,Опубликован,Видимость в каталоге,В наличии?,Запасы,Базовая цена,Категории\n"
    rows = "40,simple,,Платье,1,visible,1,'-2,240,Одежда\n41,simple,,Черновик,'-1,visible,1,,200,Одежда\n"
    found = desk.read(header + rows, currency="RUB")
    assert (found.detected.format, found.prices, found.report.hidden) == ("woocommerce", {"40": "240.00 RUB"}, 1)
    assert (found["40"].quantity, found["40"].availability) == (0, Availability.IN_STOCK)


def test_a_variation_without_its_parent_becomes_a_product_and_is_told(desk: Desk) -> None:
    found = desk.read(WOO + "5,variation,D1,Tee - Red,1,visible,,,,,1,,,,,5,,,,GONE,,Color,Red,,\n")
    assert found["5"].attributes == (("Color", "Red"),)
    assert found.reasons("repaired") == [(2, "a variation without its parent became a product")]


def test_the_parents_price_holds_where_no_variation_has_one(desk: Desk) -> None:
    found = desk.read(
        WOO
        + "10,variable,TEE,Tee,1,visible,,,,,1,,,,9.00,12.00,,,,,,Color,Red,1,\n"
        + "12,variation,T-R,Tee - Red,1,visible,,,,,1,,,,,,,,,TEE,,Color,Red,,\n"
    )
    assert (str(found["10"].price), str(found["10"].list_price)) == ("9.00 USD", "12.00 USD")


def test_grouped_external_backordered_and_escaped_cells(desk: Desk) -> None:
    found = desk.read(
        WOO
        + '1,grouped,G,Set,1,visible,,,,,1,,,,,,"Gifts\\, small > Sets",,,,,,,,\n'
        + "2,external,X,'-Flag,1,visible,,,,,1,,,,,11.05,,,,,https://other.example/flag,,,,\n"
        + "3,simple,B,Bell,1,visible,,,,,0,0,notify,,,7,,,,,,,,,\n"
        + '4,"simple, virtual",V,Song,1,visible,,,,,backorder,,1,,,2,,,,,,Style,"Slow\\, soft, Loud",1,\n'
    )
    assert found.prices == {"1": "None", "2": "11.05 USD", "3": "7.00 USD", "4": "2.00 USD"}
    assert found["1"].category == ("Gifts, small", "Sets")
    assert (found["2"].title, found["2"].url) == ("-Flag", "https://other.example/flag")
    assert [found[n].availability for n in "34"] == [Availability.BACKORDER, Availability.BACKORDER]
    assert found["4"].attributes == (("Style", "Slow, soft"), ("Style", "Loud"))


def test_columns_of_plugins_are_kept_where_they_say_something_of_the_goods(desk: Desk) -> None:
    columns = {
        "Meta: care": "Wash cold", "Lieferzeit": "3-4 Tage", "Meta: _yoast_wpseo_title": "Seo words",
        "Meta: licensed": "0", "Meta: location_hook": "before_order_table", "Meta: ma_data": 'a:1:{s:2:""id"";}',
        "Meta: _wc_cog_cost": "3.33", "Meta: supplier_code": "SUP7", "Meta: layout": "default", "Is new?": "sure",
        "Shipping class": "bulky", "Meta: _wc_average_rating": "4.50", "Meta: _wc_review_count": "7",
        "Meta: gtin": "4006381333931", "MPN": "M-7", "Attribute 2 name": "Brand", "Attribute 2 value(s)": "Alp",
    }  # fmt: skip
    cells = ",".join(f'"{value}"' for value in columns.values())
    found = desk.read(
        f"ID,Type,SKU,Name,Published,Visibility in catalog,In stock?,Regular price,{','.join(columns)}\n"
        f"7,simple,K7,Cup,1,visible,1,4.50,{cells}\n"
    )
    cup = found["7"]
    assert cup.attributes == (("Brand", "Alp"), ("Care", "Wash cold"), ("Lieferzeit", "3-4 Tage"))
    assert (cup.brand, cup.rating, cup.rating_count, cup.gtin, cup.mpn) == ("Alp", 4.5, 7, "4006381333931", "M-7")
    assert {"Meta: care", "Lieferzeit"} <= set(found.detected.unknown_columns)
    assert {"Meta: _yoast_wpseo_title", "Is new?", "Shipping class"} <= set(found.detected.ignored_columns)
    assert set(found.detected.private_columns) == {"Meta: _wc_cog_cost", "Meta: supplier_code"}


@pytest.mark.parametrize(
    "header",
    [
        "ID,Typ,Artikelnummer,Name,Veröffentlicht,Sichtbarkeit im Katalog,Vorrätig?,Regulärer Preis,Kategorien,Bilder",
        "ID,Tipo,SKU,Nombre,Publicado,Visibilidad en el catálogo,¿Existencias?,Precio normal,Categorías,Imágenes",
        "ID,Type,UGS,Nom,Publié,Visibilité dans le catalogue,En stock ?,Tarif régulier,Catégories,Images",
        "ID,Tipo,COD,Nome,Pubblicato,Visibilità nel catalogo,In stock?,Prezzo di listino,Categorie,Immagini",
        "Kimlik,Tür,Stok kodu (SKU),İsim,Yayımlanmış,Katalogda görünürlük,Stokta?,Normal fiyat,Kategoriler,Görseller",
        "ID,Typ,SKU,Název,Publikováno,Viditelnost v katalogu,Skladem?,Běžná cena,Kategorie,Obrázky",
        "ID,Tipo,SKU,Nome,Publicado,Visibilidade no catálogo,Em estoque?,Preço,Categorias,Imagens",
        "ID,Тип,Артикул,Имя,Опубликован,Видимость в каталоге,Наличие,Базовая цена,Категории,Изображения",
        "ID,Type,SKU,Naam,Gepubliceerd,Zichtbaarheid in catalogus,Op voorraad?,Reguliere prijs,Categorie,Afbeeldingen",
    ],
)
def test_exports_in_other_languages_are_recognised(desk: Desk, header: str) -> None:
    row = '7,simple,K7,Tasse,1,visible,1,"4,50",Küche,https://i.example/1.jpg'
    found = desk.read(f"{header}\n{row}\n8,simple,K8,Weg,0,visible,1,9,,\n", currency="EUR")
    assert (found.detected.format, found.ids, found.prices["7"]) == ("woocommerce", ["7"], "4.50 EUR")
    assert found["7"].category == ("Küche",)


MAGENTO = (
    "sku,store_view_code,attribute_set_code,product_type,categories,product_websites,name,description,product_online,"
    "visibility,price,special_price,special_price_from_date,special_price_to_date,additional_attributes,qty,is_in_stock,"
    "configurable_variations,base_image,supplier_price\n"
)


def test_simples_become_variants_of_the_configurable_that_names_them(desk: Desk) -> None:
    found = desk.read(
        MAGENTO
        + 'T-R,,Top,simple,,base,Tee Red,,1,Not Visible Individually,12,9,,,"color=Red,size=M",3,1,,,4.4\n'
        + 'T-B,,Top,simple,,base,Tee Blue,,1,Not Visible Individually,14,,,,"color=Blue,size=M",0,0,,,4.4\n'
        + 'TEE,,Top,configurable,"Default Category/Men,Default Category/Men/Tops",base,Tee,<p>Soft</p>,1,'
        + '"Catalog, Search",'
        ',,,,"material=Cotton|Linen,note=a, b",0,1,"sku=T-R,color=Red|sku=T-B,color=Blue",/t/e/tee.jpg,\n'
        + "TEE,de,,,,,T-Shirt,,,,,,,,,,,,,\n"
        + "LOST,,Top,simple,,base,Lost,,1,Not Visible Individually,5,,,,,1,1,,,\n"
        + 'OFF,,Top,simple,,base,Off,,2,"Catalog, Search",5,,,,,1,1,,,\n'
        + 'CUP,,Default,simple,Default Category/Kitchen,base,Cup,,1,"Catalog, Search",5,,,,,2,1,,,\n'
    )
    assert sorted(found.ids) == ["CUP", "TEE"]
    tee = found["TEE"]
    assert [(v.sku, str(v.price), v.options) for v in tee.variants] == [
        ("T-R", "9.00 USD", (("Color", "Red"),)),
        ("T-B", "14.00 USD", (("Color", "Blue"),)),
    ]
    assert (str(tee.price), str(tee.list_price), tee.quantity) == ("9.00 USD", "12.00 USD", 3)
    assert (tee.category, tee.description, tee.images) == (("Men", "Tops"), "Soft", ())
    assert {("Material", "Cotton"), ("Material", "Linen")} <= set(tee.attributes)
    assert found["CUP"].category == ("Kitchen",)
    assert found.report.hidden == 3
    assert "4.4" not in str(found.products)


def test_lines_of_a_category_cell_are_levels_until_a_collection_begins(desk: Desk) -> None:
    found = desk.read(
        'category,name,sku,price,attribute_set\n"Men\nTops\nJackets\nCollections\nEco Friendly",Coat,C1,9,Top\n'
        '"Collections\nSale",Cap,C2,5,Top\n"Default Category/Gear\nDefault Category/Gear/Bags",Bag,C3,7,Bag\n'
    )
    assert (found["C1"].category, found["C1"].tags) == (("Men", "Tops", "Jackets"), ("Eco Friendly",))
    assert found["C2"].category == ("Collections",)
    assert found["C3"].category == ("Gear", "Bags")


def test_a_comma_within_a_category_does_not_part_paths_from_the_root(desk: Desk) -> None:
    found = desk.read(
        "sku,attribute_set_code,name,price,categories\n"
        'A,Toy,Kit,9,"Default Category/Toys, Kids & Baby/Kits,Default Category/Sale"\n'
    )
    assert found["A"].category == ("Toys, Kids & Baby", "Kits")


VENDURE = (
    "name   ,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,"
    "trackInventory\n"
)


def test_rows_without_a_name_are_variants_of_the_product_above(desk: Desk) -> None:
    found = desk.read(
        VENDURE
        + 'Boot   ,boot,Dry,,category:Shoes|brand:Alp|season:Winter,size|colour,"41|Red  ",B41,90.00,standard,2,\n'
        + "       ,    ,   ,,,,42|Red,B42,95.00,standard,0,\n"
        + "Lace,lace,,,,,,L1,2.00,standard,5,\n"
    )
    boot = found["boot"]
    assert (boot.title, boot.brand, boot.category) == ("Boot", "Alp", ("Shoes",))
    assert boot.attributes == (("Season", "Winter"),)
    assert [(v.sku, v.options, v.availability) for v in boot.variants] == [
        ("B41", (("Size", "41"), ("Colour", "Red")), Availability.IN_STOCK),
        ("B42", (("Size", "42"), ("Colour", "Red")), Availability.OUT_OF_STOCK),
    ]
    assert (found["lace"].sku, found["lace"].variants) == ("L1", ())


def test_flat_protocol_feeds_group_variants_and_leave_out_what_is_not_for_search(desk: Desk) -> None:
    rows = [
        {"enable_search": "true", "id": "B1", "item_group_id": "B", "item_group_title": "Boot", "title": "Boot 41",
         "price": "90.00 EUR", "availability": "in_stock", "inventory_quantity": 2, "size": "41",
         "custom_variant1_category": "Size", "custom_variant1_option": "41", "image_link": "https://i.example/b.jpg"},
        {"enable_search": "true", "id": "B2", "item_group_id": "B", "item_group_title": "Boot", "title": "Boot 42",
         "price": "95.00 EUR", "availability": "out_of_stock", "inventory_quantity": 0, "size": "42",
         "custom_variant1_category": "Size", "custom_variant1_option": "42"},
        {"enable_search": "false", "id": "X", "title": "Secret", "price": "1.00 EUR", "availability": "in_stock"},
    ]  # fmt: skip
    found = desk.read("\n".join(map(json.dumps, rows)), "feed.jsonl")
    assert found.detected.format == "acp"
    boot = found["B"]
    assert (boot.title, str(boot.price), boot.quantity) == ("Boot", "90.00 EUR", 2)
    assert [variant.options for variant in boot.variants] == [(("Size", "41"),), (("Size", "42"),)]
    assert found.report.hidden == 1


def test_nested_protocol_products_count_in_minor_units(desk: Desk) -> None:
    variants = [
        {"id": "K-1", "title": "Kettle 1 l", "price": {"amount": 2450, "currency": "EUR"},
         "list_price": {"amount": 2990, "currency": "EUR"}, "availability": {"available": True, "status": "in_stock"},
         "variant_options": [{"name": "Volume", "value": "1 l"}], "barcodes": [{"type": "GTIN", "value": "0042"}]},
    ]  # fmt: skip
    kettle = desk.read(json.dumps({"products": [{"id": "K", "title": "Kettle", "variants": variants}]}))["K"]
    assert (str(kettle.price), str(kettle.list_price), kettle.variants[0].gtin) == ("24.50 EUR", "29.90 EUR", "0042")


def test_quantity_and_ids_of_protocol_feeds_are_read_under_their_other_names(desk: Desk) -> None:
    row = {"enable_search": "true", "item_id": "S1", "title": "Shoe", "price": "99.99 USD", "availability": "in_stock",
           "quantity": 50, "geo_price": "39.99 CAD (CA)", "seller_name": "Shop"}  # fmt: skip
    shoe = desk.read(json.dumps({"products": [row]}))["S1"]
    assert (shoe.quantity, str(shoe.price), shoe.attributes) == (50, "99.99 USD", ())


def test_saleors_fixtures_are_joined_to_products(desk: Desk) -> None:
    def row(model: str, pk: int, **fields: object) -> dict[str, object]:
        return {"model": model, "pk": pk, "fields": fields}

    records = [
        row("product.category", 1, name="Home", parent=None),
        row("product.category", 2, name="Paint", parent=1),
        row("product.product", 7, name="Sky Paint", category=2, description={"blocks": [{"data": {"text": "Dark"}}]}),
        row("product.product", 8, name="Hidden", category=2),
        row("product.productchannellisting", 1, product=7, is_published=True),
        row("product.productchannellisting", 2, product=8, is_published=False),
        row("product.productvariant", 70, sku="S1", name="1l", product=7),
        row("product.productvariant", 71, sku="S5", name="5l", product=7),
        row(
            "product.productvariantchannellisting",
            1,
            variant=70,
            currency="EUR",
            price_amount="15.000",
            cost_price_amount="5",
        ),
        row("product.productvariantchannellisting", 2, variant=71, currency="EUR", price_amount="1299.500"),
        row("warehouse.stock", 1, product_variant=70, quantity=4),
        row("warehouse.stock", 2, product_variant=71, quantity=0),
        row("attribute.assignedvariantattribute", 1, variant=70, values=[60]),
        row("attribute.attribute", 18, name="Bucket Size"),
        row("attribute.attributevalue", 60, name="1l", attribute=18),
        row("product.productmedia", 1, product=7, image="products/sky.png"),
    ]
    found = desk.read(json.dumps(records), image_base="https://s.example/media")
    paint = found["7"]
    assert (paint.title, paint.description, paint.category) == ("Sky Paint", "Dark", ("Home", "Paint"))
    assert [(v.sku, str(v.price), v.options, v.availability.value) for v in paint.variants] == [
        ("S1", "15.00 EUR", (("Bucket Size", "1l"),), "in_stock"),
        ("S5", "1299.50 EUR", (("Variant", "5l"),), "out_of_stock"),
    ]
    assert paint.images == ("https://s.example/media/products/sky.png",)
    assert (found.ids, found.report.hidden) == (["7"], 1)


@pytest.mark.parametrize(
    ("word", "state"),
    [
        ("in stock", "in_stock"), ("in_stock", "in_stock"), ("InStock", "in_stock"),
        ("https://schema.org/InStock", "in_stock"), ("available", "in_stock"), ("1", "in_stock"),
        ("TRUE", "in_stock"), ("Auf Lager", "in_stock"), ("En stock", "in_stock"), ("12 in stock", "in_stock"),
        ("In stock (3)", "in_stock"), ("preorder", "preorder"), ("pre-order", "preorder"),
        ("backorder", "backorder"), ("out of stock", "out_of_stock"), ("Sold Out", "out_of_stock"),
        ("ausverkauft", "out_of_stock"), ("http://schema.org/OutOfStock", "out_of_stock"),
        ("0", "out_of_stock"), ("缺货", "out_of_stock"), ("", "unknown"),
    ],
)  # fmt: skip
def test_availability_is_read_in_every_spelling(desk: Desk, word: str, state: str) -> None:
    assert desk.read(f"id,title,price,availability\nA,Cup,4,{word}\n")["A"].availability == state


def test_an_unknown_word_for_availability_warns_and_is_not_sold_out(desk: Desk) -> None:
    found = desk.read("id,title,price,availability\nA,Cup,4,sometimes\n")
    assert found["A"].availability is Availability.UNKNOWN
    assert (2, "unknown word for availability") in found.reasons("warning")
