"""Small feeds of every format, all invented: what the fuzzer begins with."""

from __future__ import annotations

import json

_WOO = (
    "ID,Type,SKU,Name,Published,Visibility in catalog,Short description,In stock?,Stock,Sale price,Regular price,"
    "Categories,Images,Parent,Attribute 1 name,Attribute 1 value(s)\n"
    '10,variable,TEE,Tee,1,visible,"Soft, light",1,,,,"Clothing > Tees, Sale",'
    'https://i.example/t.jpg,,Color,"Blue, Red"\n'
    "12,variation,T-R,Tee - Red,1,visible,,1,3,9,12,,,TEE,Color,Red\n13,variation,T-B,,1,visible,,0,"
    "0,,14,,,id:10,Color,Blue\n"
    "14,simple,CUP,Cup,1,hidden,,1,,,4.00,Kitchen,,,,\n15,grouped,SET,Set,1,visible,<b>Nice</b>,1,,,,,,,,\n"
)
_SHOPIFY = (
    "Handle,Title,Body (HTML),Vendor,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Tracker,"
    "Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,Image Src,Status\n"
    'boot,Boot,"<p>Warm &amp; dry</p>",Alp,"a, b",true,Size,41,B41,shopify,3,deny,120.00,150.00,'
    "https://i.example/1.jpg,active\n"
    "boot,,,,,,,42,B42,shopify,0,deny,125.00,,,\nboot,,,,,,,,,,,,,,https://i.example/2.jpg,\n"
    "mug,Mug,,,,true,Title,Default Title,M,,,deny,9.00,,,draft\ncap,Cap,,,,true,Title,Default Title,"
    "C,,,deny,0.00,,,active\n"
)
_MAGENTO = (
    "sku,store_view_code,attribute_set_code,product_type,categories,name,product_online,visibility,"
    "price,special_price,"
    "additional_attributes,qty,configurable_variations\n"
    'T-R,,Top,simple,,Tee Red,1,Not Visible Individually,12,9,"color=Red,size=M",3,\n'
    'TEE,,Top,configurable,"Default Category/Men,Default Category/Men/Tops",Tee,1,"Catalog, Search",'
    ',,,,"sku=T-R,color=Red"\n'
    "TEE,de,,,,T-Shirt,,,,,,,\n"
)
_VENDURE = (
    "name,slug,description,assets,facets,optionGroups,optionValues,sku,price,stockOnHand\n"
    'Boot,boot,Dry,,category:Shoes|brand:Alp,size|colour,"41|Red",B41,90.00,2\n,,,,,,42|Red,B42,95.00,0\n'
)
_GOOGLE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>\n'
    "<item><g:id>A1</g:id><title>Salt & Pepper</title><description><![CDATA[<p>Fine & dry</p>]]></description>"
    "<g:price>1.299,00 EUR</g:price><g:sale_price>999,00 EUR</g:sale_price><g:availability>in stock</g:availability>"
    ""
    "<g:image_link>https://i.example/1.jpg</g:image_link><g:item_group_id>G</g:item_group_id><g:size>S</g:size></item>\n"
    "<!-- & --><item><g:id>A2</g:id><title>Pepper &eacute; &#8211;</title><g:price>12,50 EUR</g:price>"
    "<g:item_group_id>G</g:item_group_id><g:size>M</g:size><g:shipping><g:price>3,"
    "90 EUR</g:price></g:shipping></item>\n"
    "</channel></rss>\n"
)
_TSV = (
    "id\ttitle\tlink\timage_link\tprice\tavailability\n"
    "A\tCup\thttps://s.example/a\t\t4.00 USD\tin_stock\nB\tPan\t\t\t$9\t\n"
)
_PLAIN = (
    "sep=;\nArtikelnummer;Bezeichnung;Preis;Lieferant;Bestand\n"
    "0010;Lampe für Büro;3,70 €;Geheim;5\n0011;Tisch;1.299,00 €;Geheim;0\n"
)
_CATALOG = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE yml_catalog SYSTEM "shops.dtd">\n<yml_catalog><shop><categories>'
    '<category id="1">Кухня</category><category id="2" parentId="1">Чайники</category></categories><offers>\n'
    '<offer id="7" available="true"><name>Чайник</name><vendor>Эхо</vendor><price>8990</price>'
    "<currencyId>RUR</currencyId><categoryId>2</categoryId>"
    '<param name="Высота" unit="см">20</param></offer></offers></shop></yml_catalog>\n'
)
_FAMILY = (
    "sku,parent_sku,name,price,stock,Option 1 Name,Option 1 Value\nTEE,,Tee,,,,\nTEE-R,TEE,Tee Red,9.00,2,Color,Red\n"
    ",,,11.00,0,,Blue\n"
)
_OFFERS = {
    "products": [
        {
            "id": "M",
            "title": "Tee",
            "options": [{"id": "o", "title": "Size", "values": [{"value": "S"}]}],
            "variants": [
                {
                    "sku": "M-S",
                    "prices": [{"currency_code": "eur", "amount": 1950}],
                    "options": [{"option_id": "o", "value": "S"}],
                }
            ],
            "availability": {"status": "in_stock", "quantity": 3},
            "ratings": {"average": 4.5, "count": 3},
            "priceRange": {"minVariantPrice": {"amount": "19.50", "currencyCode": "EUR"}},
        }
    ]
}
_JSON = [
    {"id": 1, "title": "Cup", "price": 9.99, "stock": 3, "rating": 4.5, "images": ["https://i.example/1.jpg"]},
    {"id": 2, "title": "Tee", "variants": {"21": {"options": {"size": "S"}, "price": 5}, "22": {"price": "6.00"}}},
]
_LINKED = {
    "@context": "https://schema.org",
    "@graph": [
        {"@type": "Product", "name": "Kettle", "sku": "K1", "offers": {"price": "24.50", "priceCurrency": "EUR"}}
    ],
}
_ACP = {
    "products": [
        {
            "id": "P",
            "title": "Tee",
            "variants": [{"id": "V", "price": {"amount": 1999, "currency": "USD"}, "barcodes": [{"value": "0042"}]}],
        }
    ]
}
_NATIVE = '{"id":"N1","title":"Boot","price":{"amount_minor":1999,"currency":"EUR"},"attributes":[["A","B"]]}\n'

_TEXTS = (
    _WOO,
    _SHOPIFY,
    _MAGENTO,
    _VENDURE,
    _GOOGLE,
    _TSV,
    _PLAIN,
    _CATALOG,
    _FAMILY,
    json.dumps(_OFFERS),
    json.dumps(_JSON),
    json.dumps({"data": {"products": _JSON}}, indent=1),
    "\n".join(map(json.dumps, _JSON)),
    json.dumps(_LINKED),
    json.dumps(_ACP),
    _NATIVE * 3,
    f'<html><script type="application/ld+json">{json.dumps(_LINKED)}</script></html>',
    "sku,rating_value,title,review,reviewer\nA,4,Nice,Good,Ann\n",
)
SEEDS: tuple[bytes, ...] = (
    *(text.encode() for text in _TEXTS),
    _PLAIN.encode("cp1252"),
    _CATALOG.replace("UTF-8", "windows-1251").encode("cp1251"),
    "id;title;price\nA;Żółta łódź;3,70 zł\nB;Mała łąka;4,50 zł\n".encode("cp1250"),
    _SHOPIFY.encode("utf-16"),
    b"\xef\xbb\xbf" + _WOO.encode(),
)
"""One feed a format, and some in other encodings."""
