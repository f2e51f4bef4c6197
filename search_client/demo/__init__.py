"""The fake catalog: a whole shop's worth of invented goods, the same on every run, each with a picture we draw."""

from search_client.demo.catalog import products
from search_client.demo.pictures import picture

__all__ = ["picture", "products"]
