"""What an action found out: records of the catalog, or a question. Rendered by templates, never by a model."""

from __future__ import annotations

from dataclasses import dataclass

from search_client.models import Hit, Product, SearchResults


@dataclass(frozen=True, slots=True)
class Choice:
    """One quick reply: what it is called and what choosing it says."""

    label: str
    message: str


@dataclass(frozen=True, slots=True)
class ProductsFound:
    """The answer to `Search`."""

    results: SearchResults
    offers: tuple[Choice, ...] = ()
    """What this shop does have, where nothing was found."""


@dataclass(frozen=True, slots=True)
class Quote:
    """What a record says about the asked aspect."""

    aspect: str
    field: str
    """Name of the attribute, `description`, or a field of the record (`price`, `availability`, `rating`)."""
    text: str
    """The value or the sentence, word for word."""


@dataclass(frozen=True, slots=True)
class ProductShown:
    """The answer to `GetProductDetails`."""

    product: Product
    aspect: str | None = None
    """What was asked about it; None: everything."""
    quotes: tuple[Quote, ...] = ()
    """What the record says about `aspect`, best first; empty: the listing does not tell."""
    alternatives: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One fact of all compared products, in their order; None: not stated."""

    name: str
    values: tuple[str | None, ...]

    @property
    def differs(self) -> bool:
        """Whether the products differ in it (not stated differs from any value)."""
        return len(set(self.values)) > 1


@dataclass(frozen=True, slots=True)
class ProductsCompared:
    """The answer to `GetProductDetails` with `compare_with`."""

    products: tuple[Product, ...]
    rows: tuple[ComparisonRow, ...]
    aspect: str | None = None


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """The answer to `Clarify`."""

    question: str
    """Passed the output rule, or is our own."""
    about: str | None = None
    choices: tuple[Choice, ...] = ()
    candidates: tuple[Product, ...] = ()
    """Records the question is about (“which of these?”)."""


ActionResult = ProductsFound | ProductShown | ProductsCompared | QuestionAsked
