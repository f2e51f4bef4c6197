from __future__ import annotations

from search_client.models import Availability
from tests.search_client.feeds.reading import Desk

OLD = (
    "Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,"
    "Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,"
    "Variant Compare At Price,Variant Barcode,Image Src,Cost per item,Status"
)


def test_rows_of_one_handle_become_variants_of_one_product(desk: Desk) -> None:
    found = desk.read(
        OLD + '\nboot,Trail Boot,<p>Warm &amp; dry</p>,Alp,Shoes,"winter, hiking",true,Size,41,Colour,Red,B-41,'
        "shopify,3,deny,"
        "120.00,150.00,,https://s.example/1.jpg,44.10,active"
        "\nboot,,,,,,,,42,,Red,B-42,shopify,0,deny,125.00,,,https://s.example/2.jpg,45,"
        "\nboot,,,,,,,,,,,,,,,,,,https://s.example/3.jpg,,"
    )
    boot = found["boot"]
    assert boot.title == "Trail Boot"
    assert boot.description == "Warm & dry"
    assert boot.options == (("Size", ("41", "42")), ("Colour", ("Red",)))
    assert [(v.sku, str(v.price), v.availability) for v in boot.variants] == [
        ("B-41", "120.00 USD", Availability.IN_STOCK),
        ("B-42", "125.00 USD", Availability.OUT_OF_STOCK),
    ]
    assert (str(boot.price), str(boot.list_price), boot.quantity) == ("120.00 USD", "150.00 USD", 3)
    assert boot.images == ("https://s.example/1.jpg", "https://s.example/2.jpg", "https://s.example/3.jpg")
    assert boot.tags == ("winter", "hiking")
    assert "44.1" not in str(boot)
    assert found.detected.private_columns == ("Cost per item",)


def test_default_title_is_no_option_and_drafts_are_left_out_and_counted(desk: Desk) -> None:
    found = desk.read(
        OLD
        + "\nmug,Plain Mug,,,,,true,Title,Default Title,,,,,,deny,9.00,,,,,active"
        + "\nold,Old Mug,,,,,true,Title,Default Title,,,,,,deny,9.00,,,,,archived"
        + "\noff,Off Mug,,,,,FALSE,Title,Default Title,,,,,,deny,9.00,,,,,active"
    )
    assert found.ids == ["mug"]
    assert found["mug"].variants == () and found["mug"].options == ()
    assert found.report.hidden == 2
    assert found.reasons("hidden") == [(3, "status archived"), (4, "not published")]


def test_a_variant_without_a_price_does_not_make_the_product_free(desk: Desk) -> None:
    found = desk.read(
        "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price\n"
        "pan,Pan 28 cm,,,P1,\npan,,,,P2,35.00\nlid,Lid,,,L1,0.00\n"
    )
    assert found.prices == {"pan": "35.00 USD", "lid": "None"}


def test_metafields_are_attributes_unless_they_are_private_or_googles(desk: Desk) -> None:
    found = desk.read(
        "Handle,Title,Variant Price,Fabric (product.metafields.shopify.fabric),product.metafields.custom.fit,"
        "Supplier (product.metafields.custom.supplier),Google: Custom Label (product.metafields.mm-google-shopping.x),"
        "Price / International,Google Shopping / Gender\ntee,Tee,10.00,Cotton,Slim,Hidden Ltd,high-margin,9.00,female\n"
    )
    assert found["tee"].attributes == (("Gender", "female"), ("Fabric", "Cotton"), ("Fit", "Slim"))


def test_the_new_column_names_and_scattered_rows_are_read(desk: Desk) -> None:
    found = desk.read(
        "Title,URL handle,Description,Published on online store,Status,SKU,Option1 name,Option1 value,Price,"
        "Compare-at price,Inventory tracker,Inventory quantity,Continue selling when out of stock,Product image URL\n"
        "Tee,tee,Soft,TRUE,Active,T-S,Size,S,10,12,shopify,0,CONTINUE,https://s.example/t.jpg\n"
        "Cap,cap,,TRUE,Active,C,Title,Default Title,5,,,,DENY,\n"
        ",tee,,,,T-M,,M,11,,shopify,2,DENY,\n"
    )
    assert found.ids == ["tee", "cap"]
    assert [v.availability for v in found["tee"].variants] == [Availability.BACKORDER, Availability.IN_STOCK]
    assert str(found["tee"].list_price) == "12.00 USD"
