"""Grows the tables into products: each item of a shelf in several makes, by brands of its department."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from search_client.demo.chance import number, percent
from search_client.demo.offers import Offer, offer
from search_client.demo.pictures import gallery
from search_client.demo.tables import Brand, Facts, Item, Shelf, shelves
from search_client.demo.wording import description, title
from search_client.models import Availability, Product

_FIRST_DAY = date(2024, 1, 8)
_DAYS = 880


@dataclass(frozen=True, slots=True)
class _Make:
    """One product to be: what is shared with its twins, and what sets it apart."""

    id: str
    seed: str
    """Shared by twins: whatever is chosen from it is the same for both."""
    brand: Brand
    model: str
    facts: Facts
    twin: tuple[str, str] | None
    twin_step: int
    """0 for the first of twins, 1 for the next: each step costs a little more."""


def products() -> Iterator[Product]:
    """The demo catalog by id: the same ids and values on every run and every Python."""
    for shelf in shelves():
        place = shelf.first_id
        for item_number, item in enumerate(shelf.items):
            for make in _makes(shelf, item, item_number=item_number, first_id=place):
                yield _product(shelf, item, make)
                place += 1


def _makes(shelf: Shelf, item: Item, *, item_number: int, first_id: int) -> Iterator[_Make]:
    place = first_id
    offset = number(f"{shelf.first_id}/brand", len(shelf.brands)) + 2 * item_number
    for turn in range(item.makes):
        seed = f"{shelf.first_id}/{item_number}/{turn}"
        facts = _facts(shelf, item, turn=turn, seed=seed)
        twins = next(((name, value.split(" ~ ")) for name, value in facts if " ~ " in value), None)
        for step, value in enumerate(twins[1] if twins else [""]):
            twin = (twins[0], value) if twins else None
            yield _Make(
                id=f"p{place}",
                seed=seed,
                brand=shelf.brands[(offset + turn) % len(shelf.brands)],
                model=shelf.models[
                    (number(str(shelf.first_id), len(shelf.models)) + first_id + turn) % len(shelf.models)
                ],
                facts=tuple((key, twin[1] if twin and key == twin[0] else text) for key, text in facts),
                twin=twin,
                twin_step=step,
            )
            place += 1


def _facts(shelf: Shelf, item: Item, *, turn: int, seed: str) -> Facts:
    """The item's own facts, alternatives by turn, then its shelf's, alternatives by chance."""
    own = [(name, (choices := value.split(" / "))[turn % len(choices)]) for name, value in item.facts]
    named = {name for name, _ in own}
    common = [
        (name, (choices := value.split(" / "))[number(f"{seed}/{name}", len(choices))])
        for name, value in shelf.facts
        if name not in named
    ]
    return tuple((name, value) for name, value in (*own, *common) if value != "-")


def _product(shelf: Shelf, item: Item, make: _Make) -> Product:
    offered = offer(item, make.facts, product_id=make.id, seed=make.seed, level=make.brand.level + 18 * make.twin_step)
    return Product(
        id=make.id,
        title=title(shelf, item, brand=make.brand.name, model=make.model, facts=make.facts, twin=make.twin),
        description=description(item, make.facts, seed=make.seed),
        brand=make.brand.name,
        category=shelf.path,
        price=offered.price,
        list_price=offered.list_price,
        availability=offered.availability,
        quantity=offered.quantity,
        rating=_rating(make, offered),
        rating_count=_rating_count(make, offered),
        images=gallery(item.drawing, offered.colors, product_id=make.id),
        attributes=make.facts,
        options=offered.options,
        variants=offered.variants,
        tags=_tags(item, make),
        sku=offered.sku,
        added_at=_added_at(make, offered),
    )


def _unrated(make: _Make, offered: Offer) -> bool:
    return offered.availability is Availability.PREORDER or percent(f"{make.id}/unrated", 3)


def _rating(make: _Make, offered: Offer) -> float | None:
    """Mostly 3.6 to 4.9: the better of two throws, as shops weed out what nobody likes."""
    if _unrated(make, offered):
        return None
    return (29 + max(number(f"{make.id}/stars/{throw}", 21) for throw in range(2))) / 10


def _rating_count(make: _Make, offered: Offer) -> int:
    """Few products have very many ratings, most a few dozen or hundreds."""
    return 0 if _unrated(make, offered) else 3 + number(f"{make.id}/crowd", 15) ** 3 + number(f"{make.id}/count", 60)


def _added_at(make: _Make, offered: Offer) -> str:
    latest = offered.availability is Availability.PREORDER
    day = _DAYS + number(f"{make.id}/day", 30) if latest else number(f"{make.id}/day", _DAYS)
    return (_FIRST_DAY + timedelta(days=day)).isoformat()


def _tags(item: Item, make: _Make) -> tuple[str, ...]:
    gender = dict(make.facts).get("Gender", "").lower()
    return (*item.tags, *((gender,) if gender else ()))
