"""The truth about a catalog: one row a product, each with the revision that last changed it."""
