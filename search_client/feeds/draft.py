"""What a format found in one record, before prices, stock and text are understood; and the record itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Protocol, TypeAlias

from search_client.feeds.price import Raw

Json: TypeAlias = "str | int | bool | Decimal | list[Json] | dict[str, Json] | None"


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a file: a table row (its filled cells by column), a JSON object, an XML item."""

    line: int
    data: dict[str, Json]
    missing: tuple[str, ...] = ()
    """Columns that a row too short does not have."""
    repaired: str = ""
    """What was put right in the row itself."""


@dataclass(slots=True)
class Draft:
    """Raw fields of one product or variant. Text is as found in the file; only places are known, not meanings."""

    line: int
    id: str = ""
    title: str = ""
    description: list[str] = field(default_factory=list)
    """Parts, the shorter first."""
    brand: str = ""
    supplier: str = ""
    """Read as the brand only where the file proves that it is one."""
    category: list[str] = field(default_factory=list)
    price: Raw = None
    """What is asked outside a sale."""
    sale_price: Raw = None
    sale_dates: tuple[str, str] = ("", "")
    list_price: Raw = None
    """A struck-through price that may stand above `price`."""
    currency: str = ""
    minor: bool = False
    """The format itself counts in minor units."""
    unit_open: bool = False
    """Whole prices may count in minor units: the file as a whole decides."""
    availability: str = ""
    quantity: Raw = None
    untracked: bool = False
    """The shop does not count this one: it can always be bought."""
    backorder: bool = False
    """It can be bought beyond what is in stock."""
    rating: Raw = None
    rating_scale: Raw = None
    rating_count: Raw = None
    images: list[str] = field(default_factory=list)
    url: str = ""
    attributes: list[tuple[str, str]] = field(default_factory=list)
    options: list[tuple[str, str]] = field(default_factory=list)
    """The values this variant stands for."""
    option_values: list[tuple[str, list[str]]] = field(default_factory=list)
    """All values, where the product lists them."""
    tags: list[str] = field(default_factory=list)
    sku: str = ""
    gtin: str = ""
    mpn: str = ""
    added_at: str = ""
    hidden: str = ""
    """Why the shop does not show it; empty: it does."""
    other_amounts: list[str] = field(default_factory=list)
    """Amounts that are no price of the product, such as shipping: they tell the currency where prices do not."""
    group_title: str = ""
    """What the whole group is called."""
    group: str = ""
    """Records of one group are variants of one product; empty: stands alone."""
    heads: bool = False
    """The group is named after this record, which names no other."""
    child_of: str = ""
    """The reference under which a parent claims this record."""
    claims: list[str] = field(default_factory=list)
    """References of the records that are this product's variants."""
    stands_alone: bool = False
    """A claimed record that is a product of its own as well."""
    variants: list[Draft] = field(default_factory=list)
    duplicates: list[int] = field(default_factory=list)
    """Lines of records with this product's id that are no variants of it."""
    repairs: list[tuple[str, str]] = field(default_factory=list)
    """Reason and value of what the format itself put right."""
    invalid: str = ""
    """Why the record is unusable; empty: it is not."""


class FeedFormat(Protocol):
    """Reads the records of one format. One object a pass: it may remember the rows before."""

    name: str

    def keeps(self, column: str) -> bool:
        """Whether a column of no field, and harmless by its name, becomes an attribute."""
        ...

    def drafts(self, record: Record) -> Iterable[Draft]:
        """What one record holds: nothing, a product, a variant, or several products."""
        ...

    def merge(self, rows: list[Draft]) -> Draft:
        """The product that the records of one group make, in order of the file (the parent first)."""
        ...
