"""Products, queries and the index: everything between a merchant's file and a found product."""
