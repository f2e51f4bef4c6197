"""XML feeds and web pages: what they declare is not trusted, what shops get wrong is put right and told."""

from __future__ import annotations

import json

import pytest

from search_client.errors import FeedError
from search_client.models import Availability
from tests.search_client.feeds.reading import Desk

RSS = '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>'
END = "</channel></rss>"


def item(*, prefix: str = "g", more: str = "", title: str = "Cup", number: str = "A1") -> str:
    return (
        f"<item><{prefix}:id>{number}</{prefix}:id><title>{title}</title><{prefix}:price>4.50 EUR</{prefix}:price>"
        f"<{prefix}:image_link>https://i.example/1.jpg</{prefix}:image_link>{more}</item>"
    )


def test_items_are_read_with_cdata_entities_and_repeated_elements(desk: Desk) -> None:
    more = (
        "<description><![CDATA[<p>Fish & chips</p>]]></description><g:availability>out of stock</g:availability>"
        "<g:additional_image_link>https://i.example/2.jpg</g:additional_image_link>"
        "<g:additional_image_link>https://i.example/3.jpg</g:additional_image_link>"
        "<g:shipping><g:country>DE</g:country><g:price>3.90 EUR</g:price></g:shipping>"
        "<g:product_detail><g:section_name>General</g:section_name><g:attribute_name>Volume</g:attribute_name>"
        "<g:attribute_value>1 l</g:attribute_value></g:product_detail>"
        "<g:cost_of_goods_sold>1.11 EUR</g:cost_of_goods_sold><g:custom_label_0>margin-high</g:custom_label_0>"
    )
    found = desk.read(RSS + item(more=more, title="Caf&eacute; &amp; Cup &#8211; big") + END, "feed.xml")
    cup = found["A1"]
    assert cup.title == "Café & Cup – big"
    assert cup.description == "Fish & chips"
    assert (str(cup.price), cup.availability) == ("4.50 EUR", Availability.OUT_OF_STOCK)
    assert len(cup.images) == 3
    assert cup.attributes == (("Volume", "1 l"),)
    assert "1.11" not in str(cup) and "margin" not in str(cup)
    assert found.report.repaired == 0


def test_bare_ampersands_and_less_signs_are_read_as_text_and_told(desk: Desk) -> None:
    found = desk.read(RSS + "\n" + item(title="Salt & Pepper < 5 EUR &co") + "\n" + END, "feed.xml")
    assert found["A1"].title == "Salt & Pepper < 5 EUR &co"
    assert found.reasons("repaired") == [(2, "a bare '&' was read as text")] * 2


def test_an_undeclared_prefix_is_read_as_googles_and_told(desk: Desk) -> None:
    found = desk.read(RSS.replace(' xmlns:g="http://base.google.com/ns/1.0"', "") + item(prefix="c") + END, "feed.xml")
    assert found.prices == {"A1": "4.50 EUR"}
    assert found.reasons("repaired") == [(1, "an undeclared prefix was taken for Google's")]


def test_another_prefix_for_googles_names_is_read_and_foreign_ones_are_not(desk: Desk) -> None:
    head = RSS.replace("xmlns:g=", 'xmlns:media="http://search.yahoo.com/mrss/" xmlns:shop=')
    found = desk.read(head + item(prefix="shop", more="<media:title>Not this</media:title>") + END, "feed.xml")
    assert found["A1"].title == "Cup"


def test_atom_entries_are_read(desk: Desk) -> None:
    text = (
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0"><title>Shop</title><entry>'
        "<g:id>A1</g:id><title>Cup</title><link href='https://s.example/cup'/><g:price>4.50 EUR</g:price>"
        "<author><name>Someone</name></author></entry></feed>"
    )
    found = desk.read(text, "feed.xml")
    assert (found["A1"].url, found["A1"].brand) == ("https://s.example/cup", None)


def test_columns_that_name_their_parts_and_the_currency_of_a_marketplace_are_read(desk: Desk) -> None:
    parts = "product_detail(section_name:attribute_name:attribute_value)"
    found = desk.read(
        "id\ttitle\tlink\timage_link\tprice\tcurrency\tquantity_to_sell_on_facebook\tinternal_label\t"
        f"shipping(country:price)\t{parts}\n"
        "A1\tCup\t\t\t4.50\tEUR\t5\t['secret']\tDE:3.90 EUR\tGeneral:Volume:1 l\n"
    )
    cup = found["A1"]
    assert (str(cup.price), cup.quantity, cup.attributes) == ("4.50 EUR", 5, (("Volume", "1 l"),))


def test_variants_of_a_group_come_together_though_scattered(desk: Desk) -> None:
    def variant(number: str, size: str, group: str) -> str:
        more = f"<g:item_group_id>{group}</g:item_group_id><g:size>{size}</g:size><g:color>Red</g:color>"
        return item(number=number, title=f"Trail Boot {size}", more=more)

    found = desk.read(
        RSS + variant("B1", "41", "boot") + item(number="C", title="Cup") + variant("B2", "42", "boot") + END,
        "feed.xml",
    )
    assert sorted(found.ids) == ["C", "boot"]
    boot = found["boot"]
    assert (boot.title, boot.options) == ("Trail Boot", (("Size", ("41", "42")),))
    assert [variant.id for variant in boot.variants] == ["B1", "B2"]
    assert ("Color", "Red") in boot.attributes


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE r [<!ENTITY % x SYSTEM "https://evil.example/x.dtd"> %x;]>',
        '<!DOCTYPE r SYSTEM "r.dtd" [<!ELEMENT r ANY><!ENTITY x "y">]>',
    ],
)
def test_a_document_type_that_declares_entities_is_refused(desk: Desk, declaration: str) -> None:
    text = f'<?xml version="1.0"?>{declaration}<rss><channel>{item(title="&x;&b;")}</channel></rss>'
    with pytest.raises(FeedError, match="document type"):
        desk.read(text, "feed.xml")


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE rss SYSTEM "https://evil.example/x.dtd">',
        '<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://my.example/rss-0.91.dtd">',
        "<!DOCTYPE rss [<!ELEMENT rss ANY>]>",
        "<!DOCTYPE rss>",
    ],
)
def test_a_document_type_without_entities_is_passed_over_and_told(desk: Desk, declaration: str) -> None:
    text = f'<?xml version="1.0"?>{declaration}<rss><channel>{item(title="Cup &copy; &x;")}</channel></rss>'
    found = desk.read(text, "feed.xml")
    assert found["A1"].title == "Cup © &x;"
    assert "'rss'" in dict(found.detected.evidence)["document type"]
    assert found.reasons("repaired") == [
        (1, "a bare '&' was read as text"),
        (1, "an undeclared prefix was taken for Google's"),
    ]


def test_a_shop_catalog_with_categories_by_number_and_named_parameters_is_read(desk: Desk) -> None:
    text = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE yml_catalog SYSTEM "shops.dtd">
<yml_catalog date="2026-11-22"><shop><name>Лавка</name>
<currencies><currency id="RUR" rate="1"/></currencies>
<categories><category id="1">Кухня</category><category id="10" parentId="1">Чайники</category></categories>
<offers><offer id="7" available="true"><name>Чайник Эхо</name><vendor>Эхо</vendor><vendorCode>SECRET-1</vendorCode>
<price>8990</price><oldprice>9990</oldprice><purchase_price>4321</purchase_price><currencyId>RUR</currencyId>
<categoryId>10</categoryId><picture>https://i.example/1.jpg</picture><picture>https://i.example/2.jpg</picture>
<barcode>4601546021298</barcode><param name="Цвет">белый</param><param name="Высота" unit="см">20</param></offer>
<offer id="8" available="false"><typePrefix>Ковш</typePrefix><vendor>Эхо</vendor><model>К-5</model><price>1200</price>
<currencyId>RUR</currencyId><categoryId>1</categoryId></offer></offers></shop></yml_catalog>"""
    found = desk.read(text, "feed.xml")
    kettle, pan = found["7"], found["8"]
    assert (kettle.title, kettle.brand, kettle.category) == ("Чайник Эхо", "Эхо", ("Кухня", "Чайники"))
    assert (str(kettle.price), str(kettle.list_price), kettle.gtin) == ("8990.00 RUB", "9990.00 RUB", "4601546021298")
    assert {("Цвет", "белый"), ("Высота", "20 см")} <= set(kettle.attributes)
    assert (len(kettle.images), kettle.availability) == (2, Availability.IN_STOCK)
    assert (pan.title, pan.category, pan.availability) == ("Ковш Эхо К-5", ("Кухня",), Availability.OUT_OF_STOCK)
    assert "4321" not in str(found.products) and "SECRET" not in str(found.products)


def test_pairs_of_name_and_value_elements_are_facts(desk: Desk) -> None:
    text = (
        "<SHOP><SHOPITEM><ITEM_ID>A</ITEM_ID><PRODUCTNAME>Telefon</PRODUCTNAME><PRICE_VAT>6000,50</PRICE_VAT>"
        "<CATEGORYTEXT>Elektronika | Mobily</CATEGORYTEXT><PARAM><PARAM_NAME>Barva</PARAM_NAME><VAL>bílá</VAL></PARAM>"
        "<PARAM><PARAM_NAME>Výška</PARAM_NAME><VAL>9 cm</VAL></PARAM></SHOPITEM></SHOP>"
    )
    phone = desk.read(text, "feed.xml", currency="CZK")["A"]
    assert (str(phone.price), phone.category) == ("6000.50 CZK", ("Elektronika", "Mobily"))
    assert phone.attributes == (("Barva", "bílá"), ("Výška", "9 cm"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RSS + item(more="<br>") + END, "not well-formed"),
        (RSS + item()[:-20], "not well-formed"),
        ("<rss><channel></channel></rss>", "no products"),
        (RSS + "<item>" + "<a>" * 60 + "</a>" * 60 + "</item>" + END, "nested deeper"),
    ],
)
def test_broken_xml_is_refused(desk: Desk, text: str, message: str) -> None:
    with pytest.raises(FeedError, match=message):
        desk.read(text, "feed.xml")


def test_markup_cut_at_any_chunk_is_read_the_same(desk: Desk) -> None:
    filler = "".join(item(number=f"P{n}", title=f"A & B <![CDATA[ & ]]> {n}", more="<!-- & -->") for n in range(1500))
    found = desk.read(RSS + filler + END, "feed.xml")
    assert found.report.imported == 1500
    assert {product.title.rpartition(" ")[0] for product in found.products} == {"A & B &"}
    assert found.report.repaired == 1500


def test_the_encoding_that_xml_declares_is_used(desk: Desk) -> None:
    text = RSS.replace("UTF-8", "windows-1251") + item(title="Чашка") + END
    assert desk.read(text, "feed.xml", saved_as="cp1251")["A1"].title == "Чашка"


def test_plain_xml_is_guessed_by_its_element_names(desk: Desk) -> None:
    fields = "<name>Cup</name><preis>4,50</preis><hersteller>Alp</hersteller>"
    text = f"<products><product sku='K7'>{fields}</product></products>"
    product = desk.read(text, "feed.xml", currency="EUR").products[0]
    assert (product.id, product.title, str(product.price), product.brand) == ("K7", "Cup", "4.50 EUR", "Alp")


PRODUCT = {
    "@context": "https://schema.org",
    "@type": "Product",
    "name": "Kettle",
    "sku": "K1",
    "gtin13": "4006381333931",
    "brand": {"@type": "Brand", "name": "Alp"},
    "image": ["https://i.example/1.jpg", {"@type": "ImageObject", "url": "https://i.example/2.jpg"}],
    "offers": {
        "@type": "Offer",
        "price": "24.50",
        "priceCurrency": "EUR",
        "availability": "https://schema.org/InStock",
        "url": "https://s.example/kettle",
    },
    "aggregateRating": {"ratingValue": "9", "bestRating": "10", "reviewCount": "12"},
    "additionalProperty": [{"name": "Volume", "value": 1.5, "unitText": "l"}],
}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(PRODUCT),
        json.dumps([PRODUCT]),
        json.dumps({"@context": "https://schema.org", "@graph": [{"@type": "Organization", "name": "Shop"}, PRODUCT]}),
        json.dumps(
            {
                "@type": "ItemList",
                "name": "All",
                "itemListElement": [{"@type": "ListItem", "position": 1, "item": PRODUCT}],
            }
        ),
        f'<!doctype html><html><head><script type="application/ld+json">{json.dumps(PRODUCT)}</script></head></html>',
        f"<html><script type='application/ld+json'>/*<![CDATA[*/{json.dumps(PRODUCT)}/*]]>*/</script></html>",
        f'<html><script type="application/ld+json">[{{"@type": "WebSite"}}, {json.dumps(PRODUCT)}]</script></html>',
    ],
)
def test_linked_data_is_read_in_every_wrapping(desk: Desk, text: str) -> None:
    kettle = desk.read(text)["K1"]
    assert (kettle.title, kettle.brand, str(kettle.price), kettle.rating) == ("Kettle", "Alp", "24.50 EUR", 4.5)
    assert (kettle.availability, kettle.gtin, len(kettle.images)) == (Availability.IN_STOCK, "4006381333931", 2)
    assert kettle.attributes == (("Volume", "1.5 l"),)


def test_a_product_group_gives_variants(desk: Desk) -> None:
    group = {
        "@type": "ProductGroup",
        "productGroupID": "G1",
        "name": "Boot",
        "hasVariant": [
            {
                "@type": "Product",
                "sku": "G1-41",
                "name": "Boot 41",
                "size": "41",
                "offers": {"price": 90, "priceCurrency": "EUR"},
            },
            {
                "@type": "Product",
                "sku": "G1-42",
                "name": "Boot 42",
                "size": "42",
                "offers": {"lowPrice": 95, "priceCurrency": "EUR"},
            },
        ],
    }
    boot = desk.read(json.dumps(group))["G1"]
    assert (str(boot.price), boot.options) == ("90.00 EUR", (("Size", ("41", "42")),))
