"""Routes, one blueprint a concern."""
