"""Each a kind of complaint about product search that shops really get."""

from __future__ import annotations

import pytest

from search_client.models import Availability, Correction, Filters, Money, Product, Sort
from tests.search_client.index.shop import Shop


@pytest.mark.parametrize("query", ["KOR.0417-20", "kor 0417 20", "KOR041720", "0417-20", "kor.0417-20"])
def test_a_part_number_is_found_however_it_is_typed(shop: Shop, query: str) -> None:
    sold = shop(
        Product(id="xl", title="Karsten bracket XL", sku="KOR.0417-60"),
        Product(id="wanted", title="Karsten bracket", sku="KOR.0417-20"),
    )

    assert sold.ids(query)[0] == "wanted"


def test_leading_zeros_tell_two_codes_apart(shop: Shop) -> None:
    sold = shop(Product(id="03144", title="Sieve A"), Product(id="3144", title="Sieve B"))

    assert sold.ids("03144") == ["03144"]
    assert sold.ids("3144") == ["3144"]


def test_a_code_within_a_list_in_the_description_is_found_exactly(shop: Shop) -> None:
    sold = shop(
        Product(id="near", title="Seal set", description="Fits 530017A1, 530018C8"),
        Product(id="wanted", title="Seal set", description="Fits 530017A1, 530018C7, 530220"),
    )

    assert sold.ids("530018C7") == ["wanted"]
    assert sold.ids("seal 530018C7")[0] == "wanted"


@pytest.mark.parametrize(
    ("one", "many"),
    [("pan", "pans"), ("saw", "saws"), ("brush", "brushes"), ("shelf", "shelves"), ("berry", "berries")],
)
def test_singular_and_plural_find_each_other(shop: Shop, one: str, many: str) -> None:
    sold = shop(f"Iron {one}", f"Wooden {many}", "Rope")

    assert sorted(sold.ids(one)) == sorted(sold.ids(many)) == ["1", "2"]
    assert sold.ids(f"iron {many}") == ["1"]


def test_short_words_are_never_guessed(shop: Shop) -> None:
    sold = shop("Stoneware jug", "Jute rug 90 cm", "Dark chocolate 2 x 75g", "Cutlery caddy")

    assert sold.ids("jug") == ["1"]
    assert sold.ids("cub") == []


def test_a_word_the_shop_knows_is_not_taken_for_another(shop: Shop) -> None:
    sold = shop("Guide to Corfu", "Corfa oil 1 l", "Guide to Malta", "Malts tasting box")

    assert sold.ids("malta") == ["3"]
    assert sold.ask("malts").corrections == ()


def test_a_slip_is_corrected_and_told(shop: Shop) -> None:
    found = shop("Walnut sideboard", "Oak bench").ask("walnut sidebord")

    assert [hit.product.id for hit in found] == ["1"]
    assert found.corrections == (Correction("sidebord", "sideboard"),)


def test_the_corrected_word_is_shown_as_the_shop_writes_it(shop: Shop) -> None:
    assert shop("Crème brûlée torch").ask("brulle torch").corrections == (Correction("brulle", "brûlée"),)


@pytest.mark.parametrize(
    ("title", "query"),
    [
        ("Pâté dish", "pate"),
        ("Pate dish", "pâté"),
        ("Jalapeño seeds", "jalapen\u0303o"),
        ("Müsli Schüssel", "MUESLI SCHUESSEL"),
        ("Fußmatte Größe 3", "fussmatte groesse 3"),
        ("Straßenkreide", "STRASSE"),
        ("Rødgrød bowl", "rodgrod"),
        ("Işık lambası", "IŞIK"),
        ("折りたたみ傘 大", "傘"),
        ("ワイヤレスマウス", "マウス"),
        ("手机壳X70Pro", "x70 pro"),
        ("HDMIケーブル3m", "HDMI 3m"),
        ("MPN/QTR fork kit", "qtr fork"),
        ("Oil&Vinegar set", "vinegar set"),
        ("USB-C+HDMI hub", "hdmi hub"),
        ("🐠Reef tank net", "reef tank"),
        ("Gift🎀wrap", "gift wrap"),
        ("It's Late (LP)", "it's late"),
        ("The Them (DVD)", "the them"),
        ("It (paperback)", "it"),
        ("Hook (M5)", "(M5"),
        ("C++ for cooks", "c++"),
        ("T-Shirt organic", "TSHIRT"),
        ("Cotton tshirt", "t-shirt"),
        ("Wireless headphones", "head phones"),
        ("Apple corer", "applecorer"),
        ("Tea towel", "teatowel"),
        ("Screw M6x30", "screw m6 x 30"),
        ("Drill 7,5 mm", "drill 7.5mm"),
        ("Cord, 6 ft", "6' cord"),
        ('Nora 24" screen', "24in screen"),
        ("Velvet couch", "sofa"),
        ("Running sneakers", "trainers"),
        ("Orange lemonade 1 l", "soft drinks"),
        ("Suede loafers", "shoes"),
        ("Gaming notebook", "gaming laptop"),
        ("Prepaid smartphone", "cell phone"),
    ],
)
def test_what_the_shop_has_is_found_however_it_is_written(shop: Shop, title: str, query: str) -> None:
    assert shop("Garden gnome", title, "Desk clock").ids(query) == ["2"]


@pytest.mark.parametrize(
    ("titles", "query", "best"),
    [
        (("Drill 7 mm", "Drill 75 mm", "Drill 7,5 mm"), "drill 7,5", "3"),
        (("HDMI cord, 16 ft", "HDMI cord, 6 ft"), "6ft hdmi cord", "2"),
        (("Nova A52s case", "Nova A52 case"), "a52 case", "2"),
        (("Screw M6x35", "Screw M6x30"), "m6x30", "2"),
        (("Notebook bag 15 in", "Notebook sleeve", "Orion notebook 15 in"), "notebook", "3"),
        (("Camera battery", "Camera case", "Lens for camera", "Pocket camera"), "camera", "4"),
        (
            ("Case for phone 1 (fits Nokara)", "Case for phone 2 (fits Nokara Y7)", "Nokara Y7 smartphone"),
            "nokara y7",
            "3",
        ),
        (("Frying company sign", "Shampoo ham", "Ham slicer"), "ham slicer", "3"),
    ],
)
def test_the_exact_thing_comes_before_what_resembles_it(
    shop: Shop, titles: tuple[str, ...], query: str, best: str
) -> None:
    assert shop(*titles).ids(query)[0] == best


@pytest.mark.parametrize(("query", "found"), [("ink", ["1"]), ("ham", ["5"]), ("pan", ["6"])])
def test_a_word_inside_another_word_is_no_match(shop: Shop, query: str, found: list[str]) -> None:
    sold = shop("Blue ink 40 ml", "Kitchen sink", "Drinking horn", "Shampoo", "Ham knife", "Frying pan", "Company flag")

    assert sold.ids(query) == found


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("do you have a lamp for my desk", "desk"),
        ("I am looking for the black boots please", "black"),
        ("something to hold my monitor", "arm"),
        ("hiking boots with a 5000 mm water column", "black"),
    ],
)
def test_a_sentence_finds_what_it_is_about(shop: Shop, query: str, best: str) -> None:
    sold = shop(
        Product(id="brown", title="Pathway hiking boot, brown", category=("Shoes",), description="Leather"),
        Product(
            id="black", title="Pathway hiking boot, black", category=("Shoes",), availability=Availability.IN_STOCK
        ),
        Product(id="desk", title="Luna desk lamp", category=("Lighting",)),
        Product(id="floor", title="Luna floor lamp", category=("Lighting",)),
        Product(id="arm", title="Vista monitor arm", description="Holds screens"),
    )

    assert sold.ids(query)[0] == best


def test_a_wish_no_record_speaks_of_is_told_as_missing(shop: Shop) -> None:
    found = shop("Pathway hiking boot").ask("hiking boots 5000 mm water column")

    assert found.relaxed
    assert found.hits[0].why.missing == ("5000mm", "water", "column")


def test_what_is_denied_is_not_shown_and_a_record_may_deny_it_too(shop: Shop) -> None:
    sold = shop("Curtain with flowers", "Curtain plain white", "Leather boot", "Boot, vegan, no leather")

    assert sold.ids("a curtain without flowers") == ["2"]
    assert sold.ids("boots, not leather") == ["4"]


def test_a_property_said_with_free_is_found_by_it(shop: Shop) -> None:
    assert shop("Sugar gum", "Sugar-free gum").ids("sugar free gum") == ["2"]


@pytest.mark.parametrize(
    "query", ["*", "%", "_", "[", "a\\\\", '"', "'; --", "AND", "NOT", "(", "\x00", "~", "^2", "id:1"]
)
def test_no_character_is_an_operator(shop: Shop, query: str) -> None:
    assert len(shop("Lamp one", "Lamp two", "Lamp three").ids(query)) < 3


def test_a_quoted_phrase_stays_together(shop: Shop) -> None:
    sold = shop("Light blue shirt", "Blue shirt, light cotton")

    assert sold.ids('"light blue" shirt') == ["1"]
    assert sorted(sold.ids("light blue shirt")) == ["1", "2"]


def test_sold_out_comes_after_what_can_be_bought_but_an_exact_match_is_still_shown(shop: Shop) -> None:
    sold = shop(
        Product(id="gone", title="Box fan", availability=Availability.OUT_OF_STOCK),
        Product(id="here", title="Box fan", availability=Availability.IN_STOCK),
        Product(id="exact", title="Zephyr box fan 900", availability=Availability.OUT_OF_STOCK),
    )

    assert sold.ids("box fan")[:2] == ["here", "gone"]
    assert sold.ids("zephyr 900") == ["exact"]


def test_among_equals_the_better_liked_comes_first(shop: Shop) -> None:
    sold = shop(
        Product(id="a", title="Tin mug", rating=4.9, rating_count=2),
        Product(id="b", title="Tin mug", rating=4.7, rating_count=900),
        Product(id="c", title="Tin mug"),
    )

    assert sold.ids("tin mug") == ["b", "a", "c"]
    assert sold.ids("") == ["b", "a", "c"]


def test_a_word_said_over_and_over_wins_nothing(shop: Shop) -> None:
    sold = shop(
        Product(id="stuffed", title="Lamp lamp lamp lamp lamp cheap lamp best lamp shade", description="lamp " * 200),
        Product(id="honest", title="Brass lamp"),
    )

    assert sold.ids("lamp")[0] == "honest"


def test_nothing_is_invented_for_what_the_shop_does_not_sell(shop: Shop) -> None:
    sold = shop("Nova phone 12", "Case for Nova 11", "Bench")

    assert sold.ids("netflix") == []
    found = sold.ask("nova 15")
    assert (found.total, found.relaxed) == (0, False)


def test_a_category_shared_with_accessories_does_not_make_them_the_thing(shop: Shop) -> None:
    shelf = ("Electronics", "Phones & Tablets")
    sold = shop(
        Product(
            id="case", title="Clear phone case", category=shelf, description="A case for a phone. Phone stays safe."
        ),
        Product(id="pad", title="Charging pad", category=shelf, description="Phone charging, phone holding."),
        Product(id="phone", title="Pikado C3 senior phone", category=shelf),
    )

    assert sold.ids("phone")[0] == "phone"
    assert sold.ids("phone case")[0] == "case"


def test_the_last_word_says_what_is_wanted(shop: Shop) -> None:
    sold = shop(
        Product(id="box", title="Coffee lover gift box", description="Coffee beans and a mug"),
        Product(id="mug", title="Stoneware mug", description="For coffee or tea"),
        Product(id="beans", title="Roast coffee"),
    )

    assert sold.ids("coffee mug")[0] == "mug"


def test_a_title_that_names_no_goods_leaves_it_to_the_first_sentence(shop: Shop) -> None:
    sold = shop(
        Product(id="stand", title="Holder for lamp"),
        Product(id="lamp", title="Aurora 500", description="Desk lamp in brass. Packed with a cable."),
    )

    assert sold.ids("lamp")[0] == "lamp"


def test_a_well_known_name_the_shop_does_not_sell_is_no_slip(shop: Shop) -> None:
    found = shop("Senior phone", "Sports bike", "Idea book").ask("iphone")

    assert (found.total, found.corrections) == (0, ())


def test_the_word_size_is_no_wish_of_its_own(shop: Shop) -> None:
    sold = shop(Product(id="shoe", title="Running shoe", options=(("Size", ("41", "42")),)), "Size chart")

    assert sold.ids("running shoes size 42") == ["shoe"]


def test_an_empty_result_of_a_sentence_says_which_of_its_words_emptied_it(shop: Shop) -> None:
    found = shop("Running shoe", "Walking shoe 44").ask("running shoe 44")

    assert [(each.value, each.total) for each in found.relaxations] == [("running", 1), ("44", 1)]


def test_a_colour_that_only_the_title_tells_meets_a_wish_for_it(shop: Shop) -> None:
    sold = shop(
        Product(id="red", title="Red Lipstick"),
        Product(id="plain", title="Lipstick"),
        Product(id="stated", title="Red Carpet Lipstick", options=(("Color", ("Pink",)),)),
    )

    assert sold.ids("lipstick", filters=Filters(colors=("red",))) == ["red"]


def test_sorted_by_price_or_rating_only_what_is_the_thing_is_shown(shop: Shop) -> None:
    sold = shop(
        Product(id="tv", title="Brightwell OLED TV, 55 in", price=Money(900_00, "USD"), rating=4.1),
        Product(id="small", title="Pikado Smart TV", price=Money(200_00, "USD"), rating=3.9),
        Product(id="bar", title="Voltane Soundbar", description="For any TV", price=Money(90_00, "USD"), rating=4.9),
        Product(id="stand", title="TV stand", price=Money(60_00, "USD"), rating=4.8),
    )

    assert sold.ids("tv", sort=Sort.PRICE_ASC) == ["small", "tv"]
    assert sold.ids("tv", sort=Sort.RATING) == ["tv", "small"]
    assert sold.ids("tv stand", sort=Sort.RATING) == ["stand"]
    assert len(sold.ids("tv")) == 4


def test_a_shop_that_has_only_what_goes_with_the_thing_says_so(shop: Shop) -> None:
    found = shop(Product(id="bar", title="Voltane Soundbar", description="For any TV"), "Desk lamp").ask("tv")

    assert [hit.product.id for hit in found] == ["bar"]
    assert found.relaxed
    assert not shop("Voltane Soundbar", "Desk lamp").ask("soundbar").relaxed


def test_the_sizes_nearest_to_one_that_is_not_there_are_those_of_what_is_looked_for(shop: Shop) -> None:
    sold = shop(
        Product(id="shoe", title="Running shoe", options=(("Size", ("9", "10", "11", "40")),)),
        Product(id="rug", title="Oak rug", options=(("Size", ("4", "2", "4 x 6 ft", "43")),)),
    )

    (unknown,) = sold.ask("running shoes", filters=Filters(sizes=("42",))).unknown

    assert unknown.nearest == ("40", "11", "10")
