"""The local search index on tantivy: built from a catalog store, follows its revisions, can be thrown away."""
