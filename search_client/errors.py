"""What can go wrong between a shop and its catalog.

SearchClientError
├── SettingsError            a setting or argument is unusable: refused before anything starts
├── ProductNotFoundError     no such product, or none this shopper may see
├── InvalidQueryError        a query out of bounds
├── InvalidRecordError       a record does not follow the native format
├── CatalogError             the store or index is missing, corrupt or of a newer format
├── FeedError                a merchant's file cannot be imported
└── SearchUnavailableError   the back-end does not answer now; trying later may help
    └── SearchTimeoutError   it took longer than allowed
"""

from __future__ import annotations


class SearchClientError(Exception):
    """Root of everything this package raises on purpose."""


class SettingsError(SearchClientError):
    """A setting or argument is unusable; the message names the value and what to do."""


class ProductNotFoundError(SearchClientError):
    """No product with this id, or none this shopper may see: the two are never told apart."""

    def __init__(self, product_id: str) -> None:
        super().__init__(f"No product {product_id!r} in this catalog.")
        self.product_id = product_id


class InvalidQueryError(SearchClientError):
    """A query out of bounds; the message names the field and the bound."""


class InvalidRecordError(SearchClientError):
    """A record does not follow the native format; the message names the field, the value and what is expected."""


class CatalogError(SearchClientError):
    """The store or index cannot be used; the message names the command that helps."""


class FeedError(SearchClientError):
    """A merchant's file cannot be imported; nothing was changed."""


class SearchUnavailableError(SearchClientError):
    """The back-end does not answer now; the same call may succeed later."""

    def __init__(self, message: str = "", *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        """When the back-end wants to be asked again; None: it does not say."""


class SearchTimeoutError(SearchUnavailableError):
    """The back-end took longer than allowed."""
