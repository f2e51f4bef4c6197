"""Merchant files: every kind of fault that real ones have, written anew here."""
