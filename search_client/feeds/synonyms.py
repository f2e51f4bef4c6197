"""What merchants call their columns, by our field: the table behind the guess for files of no known format.

Names are compared as `names.normal` reads them: case, accents, punctuation, underscores and camel case do not matter.
"""

from __future__ import annotations

from search_client.feeds.columns import Columns
from search_client.feeds.wordlist import listed

COLUMNS: Columns = {
    "id": listed(
        "id|product id|item id|object id|productid|itemid|product number|item number|article id|uid|uuid|asin|"
        "entity id|_id|pid|prod id|goods id|offer id|handle|produkt id|artikel id|artikel nr|artikelnr|artikelnummer|"
        "artnr|id produit|identifiant|id producto|codigo producto|id prodotto|codice prodotto|productnummer|"
        "id produto|codigo|code|product code|item code|codice|référence produit|код товара|id товара|artikul|артикул|"
        "商品id|商品编号|商品コード|id المنتج|رقم المنتج|handle id|id urunu|urun kodu|cislo produktu|kod produktu|"
        "produktnummer|varenummer|tuotekoodi|termekkod|cikkszam|cod produs"
    ),
    "title": listed(
        "title|name|prod name|post title|product name|product title|productname|item name|item title|display name|"
        "label|product|headline|listing title|titel|bezeichnung|produktname|artikelbezeichnung|artikelname|"
        "produkttitel|produktbezeichnung|artikel|produkt|titre|nom|nom du produit|nom produit|libelle|designation|"
        "intitule|titulo|nombre|nombre del producto|nombre producto|producto|denominacion|titolo|nome|nome prodotto|"
        "nome del prodotto|prodotto|denominazione|naam|productnaam|omschrijving kort|nome do produto|produto|nazwa|"
        "nazwa produktu|navn|namn|produktnamn|produktnavn|nimi|nazev|nazov|megnevezes|nev|denumire|urun adi|ad|"
        "название|наименование|имя|назва|商品名|商品名称|标题|名称|产品名称|상품명|제품명|العنوان|الاسم|اسم المنتج|"
        "שם|ürün adı|ürün ismi|nombre articulo|nombre del articulo|articulo|nome articolo|название модели|tuotenimi|"
        "produktbenamning|cikknev|termek neve|nume produs|tên sản phẩm|nama produk|description title"
    ),
    "description": listed(
        "description|long description|detail desc|post content|product description|full description|body html|body|"
        "description html|descriptionhtml|details|product details|content|text|about|detailed description|"
        "about product|beschreibung|langbeschreibung|langtext|produktbeschreibung|artikelbeschreibung|descriptif|"
        "description longue|description du produit|descripcion|descripcion larga|descripcion del producto|"
        "descrizione|descrizione lunga|descrizione prodotto|omschrijving|productomschrijving|lange omschrijving|"
        "descricao|opis|beskrivelse|beskrivning|popis|leiras|descriere|aciklama|описание|опис|描述|商品描述|产品描述|"
        "説明|商品説明|설명|الوصف|وصف|detayli aciklama|description sale|produktbeskrivelse|tuotekuvaus|termekleiras|"
        "mô tả|deskripsi|полное описание"
    ),
    "short_description": listed(
        "short description|summary|post excerpt|short desc|excerpt|intro|subtitle|tagline|abstract|kurzbeschreibung|"
        "kurztext|description courte|resume|resumen|descripcion corta|descrizione breve|korte omschrijving|"
        "descricao curta|krotki opis|краткое описание"
    ),
    "brand": listed(
        "brand|brand name|manufacturer|manufacturer name|maker|make|label name|publisher|marke|hersteller|marque|"
        "fabricant|marca|fabricante|produttore|merk|fabrikant|marka|producent|znacka|vyrobce|gyarto|brand id name|"
        "бренд|марка|производитель|品牌|ブランド|メーカー|브랜드|제조사|العلامة التجارية|الماركة|מותג|"
        "producent marka|varumarke|tuotemerkki|thương hiệu|merek"
    ),
    "vendor": listed("vendor|vendor name"),
    "supplier": listed("supplier|supplier name"),
    "category": listed(
        "category|category path|product category tree|product type name|tax product cat|categories|product type|"
        "product category|category name|type|department|main category|google product category|breadcrumbs|breadcrumb|"
        "collection|collections|category tree|category full|class|kategorie|kategorien|warengruppe|produktgruppe|"
        "rubrik|categorie|categories produit|rayon|categoria|categorias|familia|seccion|reparto|categorieen|"
        "kategoria|kategorier|kategori|luokka|категория|раздел|категорія|类别|分类|商品分类|カテゴリ|カテゴリー|"
        "카테고리|الفئة|التصنيف|קטגוריה|categ id|category 1|category1|categorytext|category text|product category 1|"
        "kategori adi|ana kategori|danh mục"
    ),
    "subcategory": listed(
        "subcategory|sub category|category 2|category2|subcategory name|unterkategorie|sous categorie|subcategoria|"
        "sottocategoria|subcategorie|подкатегория"
    ),
    "price": listed(
        "price|price tax included|price tax incl|price with tax|price incl vat|price inc vat|current price|"
        "unit price|selling price|retail price|price amount|price value|amount|product price|item price|actual price|"
        "price incl tax|price gross|gross price|base price|preis|verkaufspreis|bruttopreis|vk|vk preis|vk brutto|"
        "endpreis|einzelpreis|preis brutto|prix|prix ttc|prix de vente|prix public|prix unitaire|tarif|precio|"
        "precio venta|precio de venta|pvp|precio con iva|prezzo|prezzo di vendita|prezzo al pubblico|prijs|"
        "verkoopprijs|preco|preco de venda|valor|cena|cena brutto|pris|hinta|ar|pret|fiyat|цена|стоимость|ціна|价格|"
        "售价|単価|価格|販売価格|가격|판매가|السعر|سعر|מחיר|price vat|satis fiyati|fiyati|salgspris|utpris|"
        "myyntihinta|eladasi ar|brutto ar|pret vanzare|giá|harga|cena s dph|cena s dani|цена продажи|розничная цена|"
        "ціна продажу"
    ),
    "regular_price": listed("regular price|normal price|prix regulier|precio normal|prezzo regolare|reguliere prijs"),
    "price_minor": listed(
        "price cents|price in cents|price minor|amount minor|price cent|price pence|unit amount|amount cents|"
        "price amount minor|preis cent|preis in cent"
    ),
    "sale_price": listed(
        "sale price|special price|discounted price|discount price|offer price|promo price|promotional price|"
        "final price|deal price|price sale|reduced price|angebotspreis|sonderpreis|aktionspreis|prix promo|"
        "prix promotionnel|prix solde|prix remise|tarif promo|precio oferta|precio rebajado|precio promocional|"
        "precio con descuento|prezzo scontato|prezzo promozionale|prezzo offerta|actieprijs|aanbiedingsprijs|"
        "preco promocional|cena promocyjna|cena specjalna|kampanjpris|акционная цена|цена со скидкой|促销价|特价|"
        "セール価格|할인가|سعر العرض|سعر التخفيض|price discounted|indirimli fiyat|indirimli satis fiyati|akcni cena|"
        "zlevnena cena|udsalgspris|reapris|alennushinta|akcios ar|pret redus|ціна зі знижкою"
    ),
    "list_price": listed(
        "list price|compare at price|compare price|compareatprice|original price|old price|was price|msrp|rrp|srp|"
        "suggested retail price|strike price|price before discount|full price|regular price before|previous price|"
        "mrp|uvp|listenpreis|streichpreis|alter preis|originalpreis|prix barre|ancien prix|prix initial|"
        "prix conseille|precio anterior|precio original|precio de lista|precio tachado|prezzo di listino|"
        "prezzo originale|prezzo pieno|adviesprijs|oude prijs|preco original|preco de|cena katalogowa|stara cena|"
        "старая цена|原价|市场价|定価|通常価格|정가|oldprice|price old|original amount|compare to price|"
        "piyasa fiyati|eski fiyat|bezna cena|puvodni cena|doporucena cena|vejledende pris|cena regularna|"
        "cena przed promocja|стара ціна"
    ),
    "sale_dates": listed("sale price effective date|sale dates"),
    "currency": listed(
        "currency|currency code|price currency|currency id|iso currency|waehrung|währung|devise|monnaie|moneda|"
        "divisa|valuta|moeda|waluta|mena|валюта|货币|通貨|통화|العملة|curr|para birimi|doviz|валюта цены"
    ),
    "availability": listed(
        "availability|availability status|in stock|instock|is in stock|stock status|available|is available|"
        "inventory status|status availability|verfuegbarkeit|verfügbarkeit|lieferbar|vorratig|verfugbar|lagerstatus|"
        "disponibilite|disponible|en stock|disponibilidad|hay stock|disponibilita|beschikbaarheid|op voorraad|"
        "disponibilidade|dostepnosc|tilgjengelighet|tillganglighet|наличие|доступность|在庫状況|库存状态|재고 상태|"
        "التوفر|حالة التوفر|available for sale|for sale|stok durumu|dostupnost|skladem|tilgangelighed|saatavuus|"
        "elerhetoseg|disponibilitate|is purchasable"
    ),
    "quantity": listed(
        "quantity|qty|current stock level|stock|stock quantity|inventory|inventory quantity|stock level|stock qty|"
        "on hand|in stock quantity|units in stock|available quantity|inventory qty|count in stock|quantity available|"
        "stock on hand|bestand|lagerbestand|menge|anzahl|lager|stock disponible|quantite|quantite en stock|"
        "existencias|cantidad|inventario|giacenza|quantita|voorraad|aantal|estoque|quantidade|stan magazynowy|ilosc|"
        "lagersaldo|antall|varasto|количество|остаток|остатки|库存|库存数量|在庫|在庫数|재고|수량|الكمية|المخزون|"
        "inventory level|qty available|available qty|stok|stok adedi|stok miktari|adet|pocet kusu|mnozstvi|sklad|"
        "lagerantal|lagerbeholdning|keszlet|cantitate|stoc|free stock|stock count|number in stock|units available"
    ),
    "rating": listed(
        "rating|average rating|avg rating|ratings average|rating value|star rating|stars|review rating|"
        "reviews rating|rating rate|rating average|product rating|rating stars|score|customer rating|bewertung|"
        "durchschnittsbewertung|note moyenne|valoracion|puntuacion|valutazione|beoordeling|avaliacao|ocena|рейтинг|"
        "оценка|评分|評価|평점|التقييم"
    ),
    "rating_count": listed(
        "rating count|review count|reviews|reviews count|num reviews|number of reviews|ratings count|rating total|"
        "ratings|no of ratings|number of ratings|ratings quantity|reviews number|total reviews|num ratings|"
        "anzahl bewertungen|nombre avis|numero de valoraciones|评论数|レビュー数|عدد التقييمات"
    ),
    "image": listed(
        "image|image url|image link|main image|img high|image src|featured image|primary image|picture|picture url|"
        "photo|photo url|img url|img src|img|image 1|image1|image href|thumbnail url|cover|cover image|image large|"
        "product image|product image url|base image|bild|bild url|bildurl|hauptbild|image principale|url image|"
        "imagen|url imagen|imagen principal|foto|immagine|url immagine|afbeelding|afbeelding url|imagem|zdjecie|"
        "bilde|kuva|изображение|картинка|фото|图片|主图|画像|画像url|이미지|الصورة|رابط الصورة|imageurl|imgurl|"
        "gorsel|gorsel url|resim|resim url|image 1 url|picture 1|obrazek|obrazek url|billede|kep|imagine|hình ảnh|"
        "gambar|image name|media main image url|product media main image url|image file 1|product image file 1"
    ),
    "images": listed(
        "images|image urls|additional image link|additional images|additional image urls|additional image|gallery|"
        "gallery images|media|pictures|photos|image links|other images|more images|all images|bilder|weitere bilder|"
        "imagenes|immagini|afbeeldingen|imagens|zdjecia|изображения|фотографии|图片列表|hosted image urls|picture|"
        "image gallery|gorseller|additional image url"
    ),
    "image_more": listed(
        "image #|image#|image url #|imageurl#|product image #|product image url #|picture#|photo#|bild#|img#|"
        "additional image #|picture #|photo #|bild #|img #|image src #"
    ),
    "thumbnail": listed(
        "thumbnail|thumb|img thumb|img low|img 500x500|small image|image small|preview|image thumbnail|vorschaubild"
    ),
    "url": listed(
        "url|link|product url|product link|permalink|page url|deeplink|deep link|product page|canonical url|href|"
        "item url|web url|source url|produkt url|produktlink|lien|url produit|lien produit|enlace|url producto|"
        "collegamento|url prodotto|product pagina|ссылка|链接|商品链接|الرابط|رابط المنتج"
    ),
    "slug": listed("slug|url key|url slug|seo url|url handle"),
    "sku": listed(
        "sku|merchant sku|product code sku|seller sku|stock keeping unit|sku id|sku code|variant sku|product sku|"
        "model sku|sku nummer|ugs|referencia|reference|ref|referencia interna de producto|art no|article number|"
        "bestellnummer|item sku|part no|货号|品番|default code|stok kodu|internal reference|kod katalogowy|productno|"
        "product no|model no"
    ),
    "gtin": listed(
        "gtin|ean|ean13|ean 13|upc|barcode|gtin13|gtin14|gtin12|gtin8|isbn|isbn13|ean code|ean upc|upc code|jan|"
        "barcodes|global trade item number|gtin upc ean isbn|gtin upc ean or isbn|strichcode|code barre|code barres|"
        "codigo de barras|codigo ean|codice a barre|codice ean|streepjescode|kod ean|kod kreskowy|штрихкод|条码|"
        "条形码|バーコード|barkod|carovy kod|streckkod|stregkode|viivakoodi|vonalkod|cod de bare"
    ),
    "mpn": listed(
        "mpn|manufacturer part number|part number|manufacturer number|herstellernummer|hersteller nr|model number"
    ),
    "tags": listed(
        "tags|keywords|tax product tag|labels|tag|schlagworter|schlagwörter|stichworte|mots cles|etiquettes|"
        "etiquetas|palabras clave|tag prodotto|trefwoorden|теги|标签|タグ|الوسوم|etiketler|stitky|emner"
    ),
    "added_at": listed(
        "created at|date added|post date|added at|created|creation date|date created|published at|publish date|"
        "release date|date released|released|launch date|available since|date available|erstellt am|hinzugefugt am|"
        "erscheinungsdatum|date de creation|date ajout|fecha de creacion|fecha alta|data creazione|дата добавления|"
        "上架时间|created on"
    ),
    "color": listed(
        "color|colour|colour group name|colors|colours|farbe|couleur|colore|kleur|cor|kolor|farge|farg|цвет|колір|"
        "颜色|カラー|色|색상|اللون|renk|barva|farba|szin|culoare|väri"
    ),
    "size": listed(
        "size|sizes|grosse|größe|groesse|taille|talla|taglia|maat|tamanho|rozmiar|storlek|storrelse|размер|розмір|"
        "尺码|尺寸|サイズ|사이즈|المقاس|beden|velikost|velkost|meret|marime|koko|kích thước"
    ),
    "material": listed("material|materials|materiale|materiau|matiere|materiaal|материал|材质|素材|소재|الخامة"),
    "gender": listed("gender|geschlecht|genre|genero|genere|geslacht|пол|性别"),
    "age_group": listed("age group|altersgruppe"),
    "group": listed(
        "item group id|group id|post parent|parent id|parent sku|parent product id|parent|product group id|group|"
        "master id|parent code|eltern id|vaterartikel|gruppen id|itemgroup id|parent handle|variation group|"
        "variation group id|parent product|parent product sku|product group|group sku|style id|style number|"
        "parent item id|ust urun"
    ),
    "published": listed(
        "published|is published|product visible|active|is active|enabled|is enabled|visible|is visible|online|"
        "published on online store|is live|aktiv|sichtbar|veroffentlicht|actif|publie|visible en tienda|activo|"
        "publicado|attivo|pubblicato|actief|ativo|aktywny|опубликован|активен|show|listed|is listed|sale ok|"
        "website published|can be sold|yayinda|aktif|publikovano|offentliggjort|allow purchases"
    ),
    "status": listed(
        "status|product status|post status|state|publication status|listing status|zustand status|estado|stato|статус"
    ),
    "hidden": listed(
        "hidden|is hidden|draft|is draft|deleted|is deleted|archived|is archived|disabled|is disabled|discontinued|"
        "is discontinued|versteckt|ausgeblendet"
    ),
    "visibility": listed(
        "visibility|visibility in catalog|catalog visibility|sichtbarkeit|visibilite|visibilidad|visibilita"
    ),
    "attributes": listed(
        "attributes|specifications|specs|properties|features|additional properties|additional property|facts|"
        "technical details|characteristics|product attributes|eigenschaften|merkmale|technische daten|"
        "caracteristiques|caracteristicas|caratteristiche|kenmerken|характеристики|custom attributes|parameters|"
        "params"
    ),
    "variants": listed(
        "variants|variations|skus|items|models|children|product variants|varianten|declinaisons|variantes|varianti|"
        "offers list|options variants"
    ),
    "options": listed(
        "options|option values|variant options|selected options|selectedoptions|variant attributes|optionen"
    ),
    "shipping": listed(
        "shipping|shipping cost|shipping price|versandkosten|versand|frais de port|shipping information|"
        "gastos de envio|spedizione|delivery cost|delivery"
    ),
    "backorder": listed(
        "inventory policy|allow backorder|allow backorders|backorders|backorders allowed|is on backorder|"
        "continue selling when out of stock|sell when out of stock"
    ),
    "tracked": listed("manage inventory|track inventory|inventory tracking|manage stock|trackinventory"),
    "option_name": listed(
        "option # name|option name #|option# name|variation # name|variation name #|variant option # name|"
        "variant attribute name #|product option name #|attribute # name|attribute name #"
    ),
    "option_value": listed(
        "option # value|option value #|option# value|variation # value|variation # values|variation value #|"
        "variant option # value|variant attribute value #|option # values|attribute # value|attribute # values|"
        "attribute # value s|attribute value #"
    ),
    "detail_name": listed("param param name|parameter name|feature name"),
    "detail_value": listed("param val|param value|parameter value|feature value"),
    "dimension_unit": listed("dimension unit"),
}
NESTED = frozenset(("gtin", "sku", "mpn", "added_at", "currency"))
FIELDS = frozenset(COLUMNS) - {
    *("image_more", "dimension_unit", "variants", "options", "attributes"),
    *("option_name", "option_value", "detail_name", "detail_value"),
}
"""Fields a merchant can map a column to."""
