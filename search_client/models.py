"""What a shop sells and how it is asked for: products, money, queries, results.

Values only: frozen, no I/O, no engine. Whatever crosses a border (a feed row, an HTTP body, a model reply) is validated
where it enters and becomes one of these.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field

# ISO 4217 minor units that differ from two.
_EXPONENTS = dict.fromkeys(
    [
        "BIF",
        "CLP",
        "DJF",
        "GNF",
        "ISK",
        "JPY",
        "KMF",
        "KRW",
        "PYG",
        "RWF",
        "UGX",
        "UYI",
        "VND",
        "VUV",
        "XAF",
        "XOF",
        "XPF",
    ],
    0,
) | dict.fromkeys(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], 3)


def currency_exponent(currency: str) -> int:
    """Number of decimal places of an ISO 4217 currency: 2 unless the standard says otherwise."""
    return _EXPONENTS.get(currency.upper(), 2)


@dataclass(frozen=True, slots=True, order=True)
class Money:
    """An exact amount: `Money(1999, "USD")` is 19.99 dollars, `Money(1200, "JPY")` is 1200 yen."""

    amount_minor: int
    currency: str

    @property
    def amount(self) -> float:
        """The amount in major units, for display and for comparison with a shopper's number; never for sums."""
        return float(self.amount_minor / 10 ** currency_exponent(self.currency))

    @property
    def decimal(self) -> str:
        """Major units as exact decimal text, `19.99`."""
        places = currency_exponent(self.currency)
        sign, digits = ("-" if self.amount_minor < 0 else ""), str(abs(self.amount_minor)).rjust(places + 1, "0")
        return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"

    def __str__(self) -> str:
        return f"{self.decimal} {self.currency}"


class Availability(enum.StrEnum):
    """Whether a product can be bought now. UNKNOWN: the shop does not say."""

    IN_STOCK = "in_stock"
    OUT_OF_STOCK = "out_of_stock"
    PREORDER = "preorder"
    BACKORDER = "backorder"
    UNKNOWN = "unknown"

    @property
    def buyable(self) -> bool:
        """False only where the shop says that nothing is left."""
        return self is not Availability.OUT_OF_STOCK


class Sort(enum.StrEnum):
    """Order of hits. Ties are broken by product id, so that pages are stable."""

    RELEVANCE = "relevance"
    PRICE_ASC = "price_asc"
    PRICE_DESC = "price_desc"
    RATING = "rating"
    NEWEST = "newest"


@dataclass(frozen=True, slots=True)
class Variant:
    """One buyable form of a product (a size, a colour)."""

    id: str
    """Unique within the catalog."""
    options: tuple[tuple[str, str], ...] = ()
    """Chosen option values in the product's option order: `(("Color", "Red"), ("Size", "M"))`."""
    sku: str | None = None
    gtin: str | None = None
    price: Money | None = None
    """None: the product's price holds."""
    list_price: Money | None = None
    availability: Availability = Availability.UNKNOWN
    quantity: int | None = None
    """Units left; None: not told."""
    image: str | None = None


@dataclass(frozen=True, slots=True)
class Product:
    """One record of the catalog: the only source of anything a shopper reads about goods."""

    id: str
    title: str
    description: str = ""
    """Plain text, no HTML."""
    brand: str | None = None
    category: tuple[str, ...] = ()
    """Path from the widest: `("Clothing", "Shoes", "Running Shoes")`."""
    price: Money | None = None
    """The price to pay (lowest over variants). None: not offered for sale at a known price."""
    list_price: Money | None = None
    """The price before a reduction, above `price`; None: not on sale."""
    availability: Availability = Availability.UNKNOWN
    quantity: int | None = None
    rating: float | None = None
    """0 to 5; None: not rated."""
    rating_count: int | None = None
    images: tuple[str, ...] = ()
    """Absolute http(s) URLs or site paths; the first is the main one."""
    url: str | None = None
    """The product's page in the merchant's own shop."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Facts in display order: `(("Material", "Leather"), ("Waterproof", "Yes"))`. A name may repeat."""
    options: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What variants differ in: `(("Size", ("S", "M")),)`."""
    variants: tuple[Variant, ...] = ()
    tags: tuple[str, ...] = ()
    sku: str | None = None
    gtin: str | None = None
    mpn: str | None = None
    added_at: str | None = None
    """ISO 8601 date or time the shop added it, for `Sort.NEWEST`; None sorts last."""
    visible_to: tuple[str, ...] = ()
    """Shopper groups that may see it; empty: everybody."""

    @property
    def on_sale(self) -> bool:
        """Whether a higher list price is known."""
        return (
            self.price is not None
            and self.list_price is not None
            and self.list_price.currency == self.price.currency
            and self.list_price.amount_minor > self.price.amount_minor
        )

    def attribute(self, name: str) -> str | None:
        """The first value stated under `name` (case ignored), or None where the shop does not say."""
        return next((value for key, value in self.attributes if key.casefold() == name.casefold()), None)

    def option(self, name: str) -> tuple[str, ...]:
        """All values of the option `name` (case ignored), empty if it has none."""
        return next((values for key, values in self.options if key.casefold() == name.casefold()), ())


@dataclass(frozen=True, slots=True)
class Shopper:
    """Who asks: resolved by the host shop, carried beside the conversation, never shown to a model."""

    id: str | None = None
    currency: str | None = None
    region: str | None = None
    groups: tuple[str, ...] = ()

    def may_see(self, product: Product) -> bool:
        """Whether this shopper is allowed to know that `product` exists."""
        return not product.visible_to or not set(product.visible_to).isdisjoint(self.groups)


ANYONE = Shopper()


@dataclass(frozen=True, slots=True)
class Filters:
    """Hard conditions on hits. Values within a field are alternatives; fields add up. Empty: no condition."""

    min_price: float | None = None
    """Major units, inclusive, in `currency` (None: the catalog's own currency)."""
    max_price: float | None = None
    currency: str | None = None
    brands: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    """Names of any level of the category path, or whole paths joined by ` > `."""
    colors: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    """Any other option or attribute, `("Material", "Leather")`; the same name twice means either value."""
    min_rating: float | None = None
    in_stock: bool = False
    on_sale: bool = False

    def __bool__(self) -> bool:
        return self != Filters()


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is looked for."""

    keywords: tuple[str, ...] = ()
    """Words or phrases in the shopper's own spelling; empty: browse by filters alone."""
    exclude: tuple[str, ...] = ()
    """Words or phrases no hit may carry in what it is: title, category, brand, attributes."""
    filters: Filters = field(default_factory=Filters)
    sort: Sort = Sort.RELEVANCE
    limit: int = 8
    offset: int = 0
    fill: bool = False
    """Where less than a page of products carries all the words, add those that carry some; each says what it lacks."""

    @property
    def text(self) -> str:
        """The keywords as one line."""
        return " ".join(self.keywords)


@dataclass(frozen=True, slots=True)
class MatchReason:
    """Why a product is among the hits."""

    words: tuple[str, ...] = ()
    """Query words it carries, in query order."""
    missing: tuple[str, ...] = ()
    """Query words it lacks (relaxed match)."""
    fields: tuple[str, ...] = ()
    """Where they stand: title, brand, category, attributes, description, id."""
    filters: tuple[str, ...] = ()
    """Stated facts that met a filter, as shown on the record: `Color: Red`."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One found product."""

    product: Product
    score: float = 0.0
    """Comparable within one result only."""
    why: MatchReason = field(default_factory=MatchReason)


@dataclass(frozen=True, slots=True)
class FacetValue:
    """One value of a facet with the number of hits that carry it."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Facet:
    """A dimension of the whole result (not of the page): name as a filter field or attribute name, values by count."""

    name: str
    values: tuple[FacetValue, ...]


@dataclass(frozen=True, slots=True)
class Correction:
    """A typed word that was read as another: told, never silent."""

    typed: str
    used: str


@dataclass(frozen=True, slots=True)
class UnknownValue:
    """A filter value this catalog does not know, with the nearest that it does."""

    field: str
    value: str
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Relaxation:
    """One wish of a query that found nothing, and how many hits there are without it."""

    field: str
    """`keywords`, `exclude`, or a field of `Filters`; for attributes `attributes:Material`."""
    value: str
    """The word or value that would be dropped."""
    query: SearchQuery
    """The query without it."""
    total: int


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The answer to a query."""

    query: SearchQuery
    hits: tuple[Hit, ...] = ()
    total: int = 0
    """Number of products that meet the query, over all pages."""
    facets: tuple[Facet, ...] = ()
    corrections: tuple[Correction, ...] = ()
    unknown: tuple[UnknownValue, ...] = ()
    relaxed: bool = False
    """True: no product carries all the words, or none is what they name; the hits come nearest."""
    relaxations: tuple[Relaxation, ...] = ()
    """Only for an empty result: what emptied it, most hits first."""
    stale: bool = False
    """True: the catalog's truth could not be reached; answered from what was indexed last."""

    @property
    def products(self) -> tuple[Product, ...]:
        """The products of this page in order."""
        return tuple(hit.product for hit in self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What this catalog talks about, most frequent first: a cheap read for prompts and the offline model."""

    revision: int = 0
    """Changes whenever the content may have changed."""
    product_count: int = 0
    currency: str | None = None
    """The catalog's main currency."""
    brands: tuple[FacetValue, ...] = ()
    categories: tuple[FacetValue, ...] = ()
    """Category names of every level."""
    colors: tuple[FacetValue, ...] = ()
    sizes: tuple[FacetValue, ...] = ()
    attributes: tuple[Facet, ...] = ()
    """The most frequent other options and attributes with their most frequent values."""
    terms: tuple[FacetValue, ...] = ()
    """Frequent words of titles and categories, as written (lower case), with the number of products."""
