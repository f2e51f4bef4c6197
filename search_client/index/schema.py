"""The fields of the index. A change here, or in what analysis makes of a text, needs a new `FORMAT`."""

from __future__ import annotations

import tantivy

from search_client.models import Sort

FORMAT = 6
"""Written beside every index; one of another format is built anew."""

ID = "id"
TEXT = "text"
"""All terms a product is found by, with positions: title and description, then what is stated, then brand and codes."""
MERIT = "merit"
"""How much each term says of the product: tokens of `search_client/index/merit.py`."""
TITLE = "title"
STATED = "stated"
"""Terms of category, options, attributes and tags."""
# TITLE and STATED leave out what the product is said not to have: exclusions look there.
KIND = "kind"
"""Terms of what the product is, the head of its title, its stated type, and of who makes it."""
SHELF = "shelf"
"""Terms of its two narrowest categories."""
CODE = "code"
"""Id, SKU, GTIN, MPN in one piece, of the product and its variants."""
WORDS = "words"
"""Words as written (lower case) of title, brand and category: the vocabulary."""
CONDITION = "condition"
"""One term for each thing a filter can ask for: `brands:acme`, `stock`, `visible:*`."""
FACETS = {"brands": "brand", "categories": "category", "colors": "color", "sizes": "size"}
"""Facet fields of every catalog, by facet name."""
FACTS = "facts"
"""Other options and attributes with their values, for facets."""
FACT_NAMES = "fact_names"
"""The names within `FACTS`."""
PRICE = "price"
"""Ten-thousandths of the major unit, so that amounts of all currencies compare."""
RATING = "rating"
"""Thousandths."""
PRIOR = "prior"
"""Weight on the score, as tantivy wants it: a score is multiplied by log2(2 + prior)."""
ORDERS = {
    Sort.PRICE_ASC: "by_price",
    Sort.PRICE_DESC: "by_price_down",
    Sort.RATING: "by_rating",
    Sort.NEWEST: "by_date",
    Sort.RELEVANCE: "by_popularity",
}
"""Sort keys, ascending, `LAST` where the value is not stated; that for relevance is for queries without words."""
RECORD = "record"
"""The product, packed."""
META = "meta"
"""On the one document that is no product: what the index was built from."""

PRICE_SCALE = 10_000
RATING_SCALE = 1_000
LAST = 2**62


def build_schema() -> tantivy.Schema:
    """The schema of a new index."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field(ID, stored=True, fast=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field(TEXT, tokenizer_name="whitespace", index_option="position")
    for name in (MERIT, TITLE, STATED, KIND, SHELF):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="basic")
    for name in (CODE, WORDS, CONDITION):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in (*FACETS.values(), FACT_NAMES):
        builder.add_text_field(name, fast=True, tokenizer_name="raw", index_option="basic")
    builder.add_json_field(FACTS, fast=True, tokenizer_name="raw", index_option="basic")
    for name in (PRICE, RATING, *ORDERS.values()):
        builder.add_integer_field(name, fast=True)
    builder.add_float_field(PRIOR, fast=True)
    builder.add_bytes_field(RECORD, stored=True)
    builder.add_text_field(META, stored=True, tokenizer_name="raw", index_option="basic")
    return builder.build()
