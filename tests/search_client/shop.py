"""A small shop whose records use every field of a product."""

from __future__ import annotations

from search_client.models import Availability, Money, Product, Variant

SHIRT = Product(
    "p1",
    "Nike Dry Fit T Shirt",
    description='Breathable. Fits 27" chests.',
    brand="Nike",
    category=("Clothing", "Shirts"),
    price=Money(2500, "USD"),
    list_price=Money(3000, "USD"),
    availability=Availability.IN_STOCK,
    quantity=7,
    rating=4.5,
    rating_count=120,
    images=("https://img.example/p1.jpg",),
    url="https://shop.example/p1",
    attributes=(("Material", "Polyester"), ("Fit", "Slim")),
    options=(("Color", ("Red", "Dark Blue")), ("Size", ("S", "M"))),
    variants=(
        Variant(
            "p1-s",
            options=(("Color", "Red"), ("Size", "S")),
            sku="NK-001",
            gtin="0123456789012",
            price=Money(2500, "USD"),
            list_price=Money(3000, "USD"),
            availability=Availability.IN_STOCK,
            quantity=3,
            image="https://img.example/p1-s.jpg",
        ),
        Variant("p1-m", options=(("Color", "Dark Blue"), ("Size", "M"))),
    ),
    tags=("sport", "summer"),
    sku="NK",
    gtin="0123456789005",
    mpn="DF-1",
    added_at="2026-01-02",
)
LINEN = Product(
    "p2", "Linen Shirt", category=("Clothing", "Shirts"), price=Money(6000, "USD"), description="for summer"
)
WOOL = Product(
    "p3",
    "Wool Shirt",
    category=("Clothing", "Shirts"),
    price=Money(3000, "USD"),
    availability=Availability.OUT_OF_STOCK,
    attributes=(("Material", "Wool"),),
    rating=3.0,
)
MUG = Product("k/4 ü%", "Café Mug", category=("Kitchen",), price=Money(900, "USD"))
STAFF = Product("p5", "Staff Shirt", category=("Clothing", "Shirts"), visible_to=("staff", "vip, gold"))
SHOP = (SHIRT, LINEN, WOOL, MUG, STAFF)
